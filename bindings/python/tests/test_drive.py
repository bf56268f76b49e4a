"""What drives fetches for the HTTP clients of others: memory, the store, crawlers, clocks, forks."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier, Event
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest

from verger import _drive, access
from verger._drive import Robots, Sender
from verger._memory import MEMORY_BYTES_MAX, Entry
from verger._verger import _Session  # pyright: ignore[reportPrivateUsage]
from verger._waits import at_once
from verger.gate._blocking import BlockingWaits
from verger.gate.aiohttp import _AsyncioWaits  # pyright: ignore[reportPrivateUsage]
from verger.gate.httpx import _AnyioWaits  # pyright: ignore[reportPrivateUsage]

NOW = 1_800_000_000
SITE, OTHER = "https://site.example", "https://other.example"
RULES = b"User-agent: *\nDisallow: /private/\n"
# The redirect leads to a URL that one crawler may fetch, and another one may not.
REPLIES: dict[str, tuple[int, dict[str, str], bytes]] = {
    f"{SITE}/robots.txt": (302, {"Location": f"{OTHER}/shared.txt"}, b""),
    f"{OTHER}/robots.txt": (200, {}, b"User-agent: shut-out\nDisallow: /\n"),
    f"{OTHER}/shared.txt": (200, {}, RULES),
}


class Crawl(Sender):
    """Fetches what is in `REPLIES`, for a crawler."""

    def __init__(self, agent: str, asked: list[str]) -> None:
        self._agent = agent
        self._asked = asked

    @property
    def agent(self) -> str:
        return self._agent

    async def send(self, fetch: access.Fetch, request: access.Request) -> None:
        self._asked.append(request.url)
        status, headers, body = REPLIES[request.url]
        fetch.response(status, headers, body, now=NOW)


class CrawlInTurns(Crawl):
    async def send(self, fetch: access.Fetch, request: access.Request) -> None:
        await asyncio.sleep(0)
        await super().send(fetch, request)


class Time:
    """A clock that goes as it is set."""

    def __init__(self) -> None:
        self.now = float(NOW)

    def robots(self, store: Path | None = None, deadline: float = 60.0) -> Robots:
        profile = access.Profile.GOOGLE
        return Robots(BlockingWaits(), lambda: self.now, profile, store, "test", deadline, MEMORY_BYTES_MAX)


def outcome(entry: Entry) -> str:
    return entry.answer.outcome or ""


def test_what_was_checked_for_one_crawler_decides_for_no_other() -> None:
    robots, asked = Time().robots(), list[str]()

    def ask(agent: str) -> str:
        return outcome(at_once(robots.entry(SITE, Crawl(agent, asked))))

    assert ask("shut-out") == "redirect disallowed-hop"
    assert ask("let-in") == "successful http 200"
    assert asked == [f"{SITE}/robots.txt", f"{OTHER}/robots.txt", f"{SITE}/robots.txt", f"{OTHER}/shared.txt"]
    # Each crawler has its own, and what needed no check is there for both.
    assert ask("shut-out") == "redirect disallowed-hop"
    assert ask("let-in") == "successful http 200"
    assert at_once(robots.entry(OTHER, Crawl("third", asked))).answer.stance == "rules"
    assert len(asked) == 4
    known = robots.memory.known(SITE, "shut-out")
    assert known is not None and outcome(known) == "redirect disallowed-hop"
    assert robots.memory.known(SITE, "third") is None


def test_crawlers_that_ask_at_once_have_each_their_own() -> None:
    async def run() -> list[Entry]:
        robots = Robots(_AsyncioWaits(), lambda: NOW, access.Profile.GOOGLE, None, "test", 60.0, MEMORY_BYTES_MAX)
        crawls = [CrawlInTurns(agent, []) for agent in ("shut-out", "let-in", "shut-out", "let-in")]
        return await asyncio.gather(*(robots.entry(SITE, it) for it in crawls))

    assert [outcome(it) for it in asyncio.run(run())] == ["redirect disallowed-hop", "successful http 200"] * 2


def test_a_store_does_not_decide_for_a_crawler_that_it_does_not_have(tmp_path: Path) -> None:
    first, second, asked = Time().robots(tmp_path / "store"), Time().robots(tmp_path / "store"), list[str]()
    assert outcome(at_once(first.entry(SITE, Crawl("let-in", asked)))) == "successful http 200"
    store = access.Store(tmp_path / "store")
    known = store.knowledge(SITE, at=NOW, profile="google")
    # The copy is there in case a fetch fails.
    assert known is not None and known.seen_at is None and known.copy_seen_at == NOW
    assert known.answer(now=NOW, profile="google").is_due(now=NOW)
    assert outcome(at_once(second.entry(SITE, Crawl("shut-out", asked)))) == "redirect disallowed-hop"
    assert asked.count(f"{SITE}/robots.txt") == 2 and asked.count(f"{OTHER}/robots.txt") == 1
    # A profile that does not ask about redirects counts the same attempt for all.
    known = store.knowledge(SITE, at=NOW, profile="cautious")
    assert known is None or known.seen_at is not None


def test_a_clock_that_goes_back_lengthens_no_answer() -> None:
    time, asked = Time(), list[str]()
    robots = time.robots()

    def ask() -> Entry:
        return at_once(robots.entry(OTHER, Crawl("let-in", asked)))

    ask()
    time.now = NOW + 86_399
    ask()
    assert len(asked) == 1
    time.now = NOW - 1
    ask()
    assert len(asked) == 2


class CrawlForEver(Crawl):
    async def send(self, fetch: access.Fetch, request: access.Request) -> None:
        self._asked.append(request.url)
        await asyncio.Event().wait()


def in_a_loop(waits: Any, store: Path | None = None) -> Robots:
    return Robots(waits(), lambda: NOW, access.Profile.GOOGLE, store, "test", 60.0, MEMORY_BYTES_MAX)


async def asked_for(asked: list[str], number: int = 1) -> None:
    while len(asked) < number:
        await asyncio.sleep(0)


each_loop = pytest.mark.parametrize("waits", [_AsyncioWaits, _AnyioWaits])


@each_loop
def test_fifty_requests_share_one_fetch_though_its_own_is_cancelled(waits: Any) -> None:
    robots, asked = in_a_loop(waits), list[str]()

    async def run() -> None:
        first = asyncio.ensure_future(robots.entry(OTHER, CrawlForEver("let-in", asked)))
        await asked_for(asked)
        others = [asyncio.ensure_future(robots.entry(OTHER, CrawlInTurns("let-in", asked))) for _ in range(50)]
        for _ in range(10):
            await asyncio.sleep(0)
        # One that only waits is cancelled, too.
        others.pop().cancel()
        assert asked == [f"{OTHER}/robots.txt"]
        first.cancel()
        assert {outcome(it) for it in await asyncio.gather(*others)} == {"successful http 200"}

    asyncio.run(run())
    assert asked == [f"{OTHER}/robots.txt"] * 2
    # Nothing is left of an event loop that has ended.
    assert vars(robots)["_sessions"] == {}


def test_fifty_threads_share_one_fetch() -> None:
    robots, asked, all_wait = Time().robots(), list[str](), Barrier(50)

    class Late(Crawl):
        async def send(self, fetch: access.Fetch, request: access.Request) -> None:
            await super().send(fetch, request)
            # The others have asked, or find what this one has put into the memory.
            if len(self._asked) == 1:
                raise OSError("this one fails")

    def ask() -> str:
        all_wait.wait()
        try:
            return outcome(at_once(robots.entry(OTHER, Late("let-in", asked))))
        except OSError:
            return "failed"

    with ThreadPoolExecutor(50) as threads:
        found = [threads.submit(ask) for _ in range(50)]
        outcomes = [it.result() for it in found]
    assert sorted(set(outcomes)) == ["failed", "successful http 200"] and outcomes.count("failed") == 1
    assert asked == [f"{OTHER}/robots.txt"] * 2


@each_loop
def test_an_unchecked_redirect_answers_only_about_a_redirect(waits: Any, tmp_path: Path) -> None:
    """OTHER is asked for because of a redirect, and by a request that needs its rules, which are elsewhere."""
    robots, store, asked = in_a_loop(waits, tmp_path / "store"), access.Store(tmp_path / "store"), list[str]()
    third = "https://third.example"
    replies: dict[str, tuple[int, dict[str, str], bytes]] = {
        f"{SITE}/robots.txt": (302, {"Location": f"{OTHER}/shared.txt"}, b""),
        f"{OTHER}/robots.txt": (302, {"Location": f"{third}/rules.txt"}, b""),
        f"{OTHER}/shared.txt": (200, {}, RULES),
        f"{third}/robots.txt": (200, {}, b"User-agent: *\nDisallow: /"),
        f"{third}/rules.txt": (200, {}, RULES),
    }

    async def run() -> None:
        is_let_go = asyncio.Event()

        class Held(Crawl):
            async def send(self, fetch: access.Fetch, request: access.Request) -> None:
                self._asked.append(request.url)
                if request.url == f"{third}/rules.txt":
                    await is_let_go.wait()
                if request.url == f"{third}/robots.txt":
                    # The unchecked one is not stored.
                    assert store.knowledge(OTHER, at=NOW, profile="google") is None
                status, headers, body = replies[request.url]
                fetch.response(status, headers, body, now=NOW)

        site = asyncio.ensure_future(robots.entry(SITE, Held("let-in", asked)))
        # The flight about the redirect has followed that of OTHER, unchecked.
        await asked_for(asked, 3)
        assert asked == [f"{SITE}/robots.txt", f"{OTHER}/robots.txt", f"{third}/rules.txt"]
        left, other = (asyncio.ensure_future(robots.entry(OTHER, Held("let-in", asked))) for _ in range(2))
        for _ in range(10):
            await asyncio.sleep(0)
        # The next flight is not for a request that has gone.
        left.cancel()
        is_let_go.set()
        assert outcome(await site) == "successful http 200"
        assert outcome(await other) == "redirect disallowed-hop"

    asyncio.run(run())
    assert asked.count(f"{third}/robots.txt") == 1


def test_a_lease_that_comes_after_its_request_is_released(tmp_path: Path) -> None:
    store, asked = access.Store(tmp_path / "store"), list[str]()
    robots, is_acquiring, go_on = in_a_loop(_AsyncioWaits, tmp_path / "store"), Event(), Event()

    class Slow:
        def __getattr__(self, name: str) -> Any:
            if name == "acquire":
                is_acquiring.set()
                assert go_on.wait(60)
            return getattr(store, name)

    vars(robots)["_store"] = Slow()

    async def run() -> None:
        task = asyncio.ensure_future(robots.entry(OTHER, Crawl("let-in", asked)))
        await asyncio.to_thread(is_acquiring.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()

    # The loop ends after its threads.
    asyncio.run(run())
    assert store.acquire(OTHER, holder="other", now=NOW, seconds=60) is not None
    assert asked == []


def test_a_store_that_fails_is_reported_once_and_left_out(tmp_path: Path) -> None:
    robots, asked, failed = Time().robots(tmp_path / "store"), list[str](), list[str]()

    class Broken:
        def __getattr__(self, name: str) -> Any:
            raise access.StoreError(name)

    class Told(Crawl):
        def store_failed(self, error: access.StoreError) -> None:
            failed.append(str(error))

    vars(robots)["_store"] = Broken()
    for _ in range(2):
        assert outcome(at_once(robots.entry(OTHER, Told("let-in", asked)))) == "successful http 200"
    assert (asked, failed) == ([f"{OTHER}/robots.txt"], ["knowledge"])


def test_a_session_refuses_an_event_that_it_does_not_know() -> None:
    session = _Session(60)
    assert session.is_idle and session.poll() is None
    ticket = session.ask(OTHER, "caller")
    begins = session.poll()
    assert ticket is not None and begins is not None and begins[1] == "caller"
    for event in ("", "ended", "Woken"):
        with pytest.raises(ValueError, match="unknown event"):
            session.step(begins[0], event, 0.0)
    assert session.step(begins[0], "woken", float("nan")) == ("read", 0.0)
    # An unknown flight has landed.
    assert session.step(99, "woken", -1.0) == ("out-of-time", 0.0) and session.land(99) == []
    assert session.ask_about_hop(99, SITE, None) is None
    assert session.land(begins[0]) == ["caller"] and session.is_idle
    with pytest.raises(access.AuthorityError):
        session.ask("mailto:a@b.example", None)


@pytest.mark.parametrize("is_over", [False, True])
@each_loop
def test_a_fetch_in_one_event_loop_holds_up_no_other(
    waits: type[_AsyncioWaits | _AnyioWaits], is_over: bool
) -> None:
    robots = Robots(waits(), lambda: NOW, access.Profile.GOOGLE, None, "test", 60.0, MEMORY_BYTES_MAX)
    asked, answered = list[str](), list[str]()

    async def left() -> asyncio.Task[Entry]:
        task = asyncio.ensure_future(robots.entry(SITE, CrawlForEver("let-in", asked)))
        while not asked:
            await asyncio.sleep(0)
        return task

    async def ask() -> None:
        entries = (robots.entry(SITE, CrawlInTurns("let-in", answered)) for _ in range(3))
        assert {outcome(it) for it in await asyncio.gather(*entries)} == {"successful http 200"}

    loop = asyncio.new_event_loop()
    try:
        task = loop.run_until_complete(left())
        if is_over:
            loop.close()
        with ThreadPoolExecutor() as threads:
            threads.submit(asyncio.run, ask()).result()
    finally:
        loop.close()
    assert not task.done()
    # One fetch in each loop.
    assert asked == [f"{SITE}/robots.txt"]
    assert answered == [f"{SITE}/robots.txt", f"{OTHER}/robots.txt", f"{OTHER}/shared.txt"]


def test_those_that_wait_for_a_lease_hold_no_thread(tmp_path: Path) -> None:
    """As many as there are threads wait for other processes; a fetch whose lease is there ends all the same."""
    store = access.Store(tmp_path / "store")
    sites = [f"https://{number}.example" for number in range(3)]
    leases = [store.acquire(it, holder="other", now=NOW, seconds=60) for it in sites]
    profile = access.Profile.RFC9309
    robots = Robots(_AsyncioWaits(), lambda: NOW, profile, tmp_path / "store", "test", 60.0, MEMORY_BYTES_MAX)

    async def run() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        waiting = [asyncio.ensure_future(robots.entry(it, Crawl("let-in", []))) for it in sites]
        await asyncio.sleep(0)
        assert outcome(await robots.entry(OTHER, Crawl("let-in", []))) == "successful http 200"
        assert not any(it.done() for it in waiting)
        for site, lease in zip(sites, leases):
            REPLIES[f"{site}/robots.txt"] = 404, {}, b""
            assert lease is not None
            store.release(lease)
        assert [outcome(it) for it in await asyncio.gather(*waiting)] == ["error http 404"] * 3

    asyncio.run(run())


def test_what_was_put_before_the_lease_was_granted_is_not_fetched(tmp_path: Path) -> None:
    first, second, asked = Time().robots(tmp_path / "store"), Time().robots(tmp_path / "store"), list[str]()
    store = access.Store(tmp_path / "store")

    class Late:
        """A store into which another process puts what it sees after the first look."""

        def __getattr__(self, name: str) -> Any:
            if name == "acquire":
                at_once(first.entry(OTHER, Crawl("let-in", asked)))
            return getattr(store, name)

    vars(second)["_store"] = Late()
    assert outcome(at_once(second.entry(OTHER, Crawl("let-in", asked)))) == "successful http 200"
    assert asked == [f"{OTHER}/robots.txt"]


@pytest.mark.parametrize("deadline", [5.0, 60.0, float("inf")])
def test_the_lease_of_a_process_that_is_killed_ends(deadline: float, tmp_path: Path) -> None:
    store = access.Store(tmp_path / "store")

    class Killed(Crawl):
        async def send(self, fetch: access.Fetch, request: access.Request) -> None:
            assert store.acquire(OTHER, holder="other", now=NOW + 14, seconds=60) is None
            assert store.acquire(OTHER, holder="other", now=NOW + 15, seconds=60) is not None
            await super().send(fetch, request)

    robots = Time().robots(tmp_path / "store", deadline)
    assert at_once(robots.entry(OTHER, Killed("let-in", []))).answer.stance == "rules"


def test_the_lease_of_a_slow_fetch_is_renewed(tmp_path: Path) -> None:
    store = access.Store(tmp_path / "store")
    lease = store.acquire(OTHER, holder="slow", now=NOW, seconds=15)
    assert lease is not None
    store._renew(lease)
    with closing(sqlite3.connect(tmp_path / "store")) as file:
        while file.execute("SELECT until FROM lease").fetchone() == (NOW + 15,):
            sleep(0.1)
        assert file.execute("SELECT holder FROM lease").fetchone() == ("slow",)
    store.release(lease)
    assert store.acquire(OTHER, holder="other", now=NOW, seconds=60) is not None


def test_a_fetch_reads_acquires_renews_reads_again_and_puts(tmp_path: Path) -> None:
    robots, store, called = Time().robots(tmp_path / "store"), access.Store(tmp_path / "store"), list[str]()

    class Recorded:
        def __getattr__(self, name: str) -> Any:
            called.append(name)
            return getattr(store, name)

    vars(robots)["_store"] = Recorded()
    at_once(robots.entry(OTHER, Crawl("let-in", [])))
    assert called == ["knowledge", "acquire", "_renew", "knowledge", "put"]


def test_a_wait_for_another_process_has_the_time_of_a_fetch(tmp_path: Path) -> None:
    store, time, asked = access.Store(tmp_path / "store"), Time(), list[str]()
    assert store.acquire(OTHER, holder="other", now=NOW, seconds=60) is not None
    robots, crawl = time.robots(tmp_path / "store", deadline=0.001), Crawl("let-in", asked)

    def clock() -> float:
        time.now += 1
        return time.now

    # After some looks the lease of the other has expired; by then the time is over.
    robots.clock = clock
    assert at_once(robots.entry(OTHER, crawl)).answer.stance == "defer"
    assert asked == []


def test_an_answer_that_has_expired_stays_with_its_crawler(tmp_path: Path) -> None:
    time, asked = Time(), list[str]()
    robots, store = time.robots(tmp_path / "store", deadline=0.001), access.Store(tmp_path / "store")
    at_once(robots.entry(SITE, Crawl("let-in", asked)))
    time.now += 2 * 86_400
    assert store.acquire(SITE, holder="other", now=time.now, seconds=60) is not None
    assert at_once(robots.entry(SITE, Crawl("let-in", asked))).agent == "let-in"
    assert robots.memory.known(SITE, "let-in") and not robots.memory.known(SITE, "shut-out")
    assert len(asked) == 3


def test_a_question_about_a_redirect_soon_stops_waiting_for_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other process may be waiting for this one."""
    store, time, asked = access.Store(tmp_path / "store"), Time(), list[str]()
    assert store.acquire(OTHER, holder="other", now=NOW, seconds=3600) is not None
    monkeypatch.setattr(_drive, "time", SimpleNamespace(monotonic=lambda: time.now))

    class Waits(BlockingWaits):
        async def sleep(self, seconds: float) -> None:
            time.now += seconds

    robots = time.robots(tmp_path / "store")
    robots.waits = Waits()
    assert outcome(at_once(robots.entry(SITE, Crawl("shut-out", asked)))) == "successful http 200"
    assert asked == [f"{SITE}/robots.txt", f"{OTHER}/shared.txt"]
    assert time.now == pytest.approx(NOW + 10, abs=0.001)


FORK = """
import os, signal, sys, threading
import httpx
from verger import access
from verger.gate.httpx import GateTransport

store = sys.argv[1] or None
parent, is_asked, go_on = os.getpid(), threading.Event(), threading.Event()

def answer(request):
    if os.getpid() == parent and request.url.host == "slow.example":
        is_asked.set()
        go_on.wait()
    return httpx.Response(200, text="User-agent: *\\nCrawl-delay: 0.001\\nDisallow: /private/")

transport = GateTransport("ExampleBot", httpx.MockTransport(answer), store=store)
client = httpx.Client(transport=transport)
client.get("https://known.example/page")
thread = threading.Thread(target=client.get, args=("https://slow.example/page",))
thread.start()
is_asked.wait()
child = os.fork()
if child == 0:
    # It is ended where it waits for ever.
    signal.alarm(60)
    try:
        names = ["known", "other"] if store else ["known", "other", "slow"]
        for name in names:
            assert client.get(f"https://{name}.example/page").status_code == 200
        if store:
            now = transport.gate.clock()
            assert access.Store(store).knowledge("https://other.example", at=now) is not None
    except BaseException as error:
        print(repr(error), flush=True)
        os._exit(1)
    os._exit(0)
print(os.waitpid(child, 0)[1])
go_on.set()
thread.join()
"""


@pytest.mark.parametrize("has_store", [False, True])
def test_a_gate_begins_anew_in_a_forked_process(
    script: Callable[..., str], has_store: bool, tmp_path: Path
) -> None:
    store = str(tmp_path / "store") if has_store else ""
    assert script(f"import sys\nsys.argv = ['', {store!r}]\n{FORK}") == "0\n"
