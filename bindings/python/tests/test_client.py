"""`Client` and `AsyncClient`, over the hostile origin."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import origin
import postgres
import pytest

import verger
import verger.owner
from verger import access

AGENT = "ExampleBot/1.0 (+https://example.com/bot)"
LOOPBACK = ("127.0.0.0/8", "::1")


@pytest.fixture(scope="module")
def behaviours() -> Iterator[dict[str, origin.Behaviour]]:
    with origin.running() as found:
        yield found


def client(**more: object) -> access.Client:
    return access.Client(AGENT, allow_addresses=LOOPBACK, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("profile", origin.PROFILES)
def test_every_answer_is_that_of_the_table(
    behaviours: dict[str, origin.Behaviour], profile: str
) -> None:
    shown = [it for it in behaviours.values() if it.wire == "answers" and it.url.startswith("http:")]
    assert len(shown) > 80
    with client(profile=profile) as asked, ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(asked.answer, (it.url for it in shown)))
    for behaviour, answer in zip(shown, answers):
        expected = behaviour.expected[profile]
        assert answer.stance == expected.stance, behaviour.name
        if "address" not in behaviour.name and "loopback" not in behaviour.name:
            assert answer.outcome in expected.outcomes, behaviour.name


def test_a_decision_has_its_reason(behaviours: dict[str, origin.Behaviour]) -> None:
    usual = behaviours["usual"].url
    with client() as asked:
        decision = asked.decide("ExampleBot", usual.replace("robots.txt", "private/x"))
        assert not decision
        assert decision.verdict is not None and decision.verdict.line == 2
        assert decision.answer.outcome == "successful http 200"
        assert asked.allowed("ExampleBot", usual)
        missing = asked.decide("ExampleBot", behaviours["status-404"].url.replace("robots", "x"))
        assert missing and missing.verdict is None and missing.answer.stance == "open"
        assert not asked.pacing("ExampleBot", usual)
        assert asked.fetch(usual).stance == "rules"


def test_many_are_decided_at_once_each_with_its_own_error(
    behaviours: dict[str, origin.Behaviour],
) -> None:
    usual, missing = behaviours["usual"].url, behaviours["status-404"].url
    with client() as asked:
        found = asked.decide_many("ExampleBot", [usual, "no URL", missing, usual])
    assert [bool(it) for it in found if isinstance(it, access.Decision)] == [True] * 3
    assert isinstance(found[1], verger.Error)


def test_private_addresses_are_refused_unless_they_are_allowed(
    behaviours: dict[str, origin.Behaviour],
) -> None:
    with access.Client(AGENT) as asked:
        answer = asked.answer(behaviours["usual"].url)
    assert (answer.outcome, answer.stance) == ("failed address-refused", "closed")
    with pytest.raises(ValueError, match="invalid network"):
        access.Client(AGENT, allow_addresses=["everything"])


def test_at_asks_the_store_alone(behaviours: dict[str, origin.Behaviour], tmp_path: Path) -> None:
    url = behaviours["usual"].url
    with client(store=tmp_path / "store") as asked:
        assert asked.decide("ExampleBot", url, at=time.time()).answer.stance == "defer"
        assert asked.allowed("ExampleBot", url)
        then = asked.answer(url, at=time.time() + 5)
        assert (then.stance, then.outcome) == ("rules", "successful http 200")
        assert asked.answer(url, at=0).stance == "defer"
    with client() as asked, pytest.raises(ValueError, match="needs a store"):
        asked.decide("ExampleBot", url, at=0)


def test_a_database_is_a_store(behaviours: dict[str, origin.Behaviour]) -> None:
    programs = postgres.programs()
    if programs is None:
        assert "CI" not in os.environ, "there is no PostgreSQL: apt-get install postgresql"
        pytest.skip("there is no PostgreSQL")
    url = behaviours["usual"].url
    with postgres.database(programs) as store:
        with pytest.raises(access.StoreError, match="verger store init"):
            client(store=store)
        subprocess.run([sys.executable, "-m", "verger", "store", "init", "--store", store], check=True)
        with client(store=store) as asked:
            assert asked.allowed("ExampleBot", url)
        # Another client finds it there: with `at` nothing is fetched.
        with client(store=store) as asked:
            assert asked.answer(url, at=time.time() + 5).outcome == "successful http 200"
        history = verger.owner.history(access.Store(store), url)
        assert [entry["schema"] for entry in history] == ["verger.history/1"]
    with pytest.raises(access.StoreError, match="postgres://USER@HOST/DATABASE"):
        client(store="postgres://")


def test_errors_are_the_documented_ones() -> None:
    asked = client()
    with pytest.raises(access.AuthorityError):
        asked.answer("no URL")
    with pytest.raises(verger.ProductTokenError):
        asked.decide("no token!", "https://example.com/")
    asked.close()
    with pytest.raises(access.ClientError, match="closed"):
        asked.answer("http://127.0.0.1:1/")
    with pytest.raises(ValueError):
        access.Client("a\nb")


def test_asyncio_waits_side_by_side_and_is_cancelled(
    behaviours: dict[str, origin.Behaviour],
) -> None:
    hanging = next(it.url for it in behaviours.values() if it.wire == "hangs" and "http:" in it.url)

    async def ask() -> None:
        async with access.AsyncClient(AGENT, allow_addresses=LOOPBACK) as asked:
            urls = [behaviours[name].url for name in ("usual", "status-404", "status-403")]
            found = await asyncio.gather(*(asked.answer(url) for url in urls))
            assert [it.stance for it in found] == ["rules", "open", "open"]
            assert await asked.allowed("ExampleBot", urls[0])
            assert len(await asked.decide_many("ExampleBot", urls)) == 3
            task = asyncio.create_task(asked.answer(hanging))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(asked.answer(hanging), 0.1)

    asyncio.run(ask())


SCRIPT = """
import os, signal, sys, threading
from verger import access
client = access.Client({agent!r}, allow_addresses=["127.0.0.0/8"])
usual, hanging = {usual!r}, {hanging!r}
"""


def test_a_system_without_fork_can_import_it(script: Callable[..., str]) -> None:
    # As on Windows.
    script(
        "import asyncio, os, random\n"
        "del os.register_at_fork\n"
        "from verger import access\n"
        "access.Client('ExampleBot/1.0 (+https://example.com/bot)').close()"
    )


def test_a_client_works_after_fork(
    behaviours: dict[str, origin.Behaviour], script: Callable[..., str]
) -> None:
    text = _script(behaviours) + """
assert client.answer(usual).stance == "rules"
child = os.fork()
if child == 0:
    assert client.answer(usual).stance == "rules"
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
assert client.answer(usual).stance == "rules"
print("both")
"""
    assert script(text, "-W", "ignore::DeprecationWarning") == "both\n"


def test_an_interrupt_ends_a_call_and_the_interpreter_ends_during_others(
    behaviours: dict[str, origin.Behaviour], script: Callable[..., str]
) -> None:
    # A shell in the background gives its children no interrupts, so the script asks for them.
    text = _script(behaviours) + """
signal.signal(signal.SIGINT, signal.default_int_handler)
for _ in range(4):
    threading.Thread(target=client.answer, args=[hanging], daemon=True).start()
threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
try:
    print("answered:", client.answer(hanging))
except KeyboardInterrupt:
    print("interrupted")
"""
    assert script(text) == "interrupted\n"


def _script(behaviours: dict[str, origin.Behaviour]) -> str:
    hanging = next(it.url for it in behaviours.values() if it.wire == "hangs" and "http:" in it.url)
    return SCRIPT.format(agent=AGENT, usual=behaviours["usual"].url, hanging=hanging)
