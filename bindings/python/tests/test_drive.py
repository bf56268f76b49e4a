"""What drives fetches for the HTTP clients of others: memory, the store, crawlers, clocks, forks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from verger import access
from verger._drive import Robots, Sender, at_once
from verger._memory import MEMORY_BYTES_MAX, Entry
from verger.gate._blocking import BlockingWaits
from verger.gate.aiohttp import _AsyncioWaits  # pyright: ignore[reportPrivateUsage]

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

    deadline = 60.0

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

    def robots(self, store: Path | None = None) -> Robots:
        profile = access.Profile.GOOGLE
        return Robots(BlockingWaits(), lambda: self.now, profile, store, "test", MEMORY_BYTES_MAX)


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
    known = robots.known(SITE, "shut-out")
    assert known is not None and outcome(known) == "redirect disallowed-hop"
    assert robots.known(SITE, "third") is None


def test_crawlers_that_ask_at_once_have_each_their_own() -> None:
    async def run() -> list[Entry]:
        robots = Robots(_AsyncioWaits(), lambda: NOW, access.Profile.GOOGLE, None, "test", MEMORY_BYTES_MAX)
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


def test_a_wait_for_another_process_has_the_time_of_a_fetch(tmp_path: Path) -> None:
    store, time, asked = access.Store(tmp_path / "store"), Time(), list[str]()
    assert store.acquire(OTHER, holder="other", now=NOW, seconds=60) is not None
    robots, crawl = time.robots(tmp_path / "store"), Crawl("let-in", asked)

    def clock() -> float:
        time.now += 1
        return time.now

    # After some looks the lease of the other has expired; by then the time is over.
    robots.clock = clock
    crawl.deadline = 0.001
    assert at_once(robots.entry(OTHER, crawl)).answer.stance == "defer"
    assert asked == []


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
