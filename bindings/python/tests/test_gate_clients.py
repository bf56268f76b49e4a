"""The gate before each HTTP client, over servers on the loopback."""

from __future__ import annotations

import asyncio
import errno
import gzip
import pickle
import socket
import threading
import zlib
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, cast

import aiohttp
import aiohttp.abc
import gate_clients
import httpx
import pytest
import requests
from gate_clients import ASYNC_CLIENTS, CLIENTS, Client, Reply, Site, VirtualTime
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3 import Retry
from urllib3.exceptions import EmptyPoolError

import verger
from verger import access
from verger._shortage import is_of_site
from verger.gate import Denied, GateError, LongWait, Unavailable, Undecided, _blocking
from verger.gate._gate import Taken
from verger.gate.aiohttp import GateMiddleware
from verger.gate.httpx import AsyncGateTransport, GateTransport
from verger.gate.httpx import failure_of as httpx_failure_of
from verger.gate.requests import GateAdapter
from verger.gate.requests import failure_of as requests_failure_of

PRIVATE = b"User-agent: *\nDisallow: /private/\n"

each_client = pytest.mark.parametrize("client", CLIENTS)
each_async_client = pytest.mark.parametrize("client", ASYNC_CLIENTS)


@pytest.fixture
def site() -> Iterator[Site]:
    with gate_clients.site() as found:
        yield found


@pytest.fixture
def other() -> Iterator[Site]:
    with gate_clients.site() as found:
        yield found


@each_client
def test_what_is_denied_is_not_sent(client: type[Client], site: Site) -> None:
    site.has_robots(PRIVATE)
    allowed, denied = client().get([f"{site.url}/page", f"{site.url}/private/x"])
    assert allowed == 200
    assert isinstance(denied, Denied) and isinstance(denied, verger.Error)
    assert denied.url == f"{site.url}/private/x"
    assert (denied.reason, denied.line) == (verger.Reason.RULE, 2)
    assert denied.decision.verdict is not None and not denied.decision.allowed
    assert str(denied).startswith(f"{site.url}/private/x: disallowed, line 2: Disallow: /private/")
    assert site.asked == ["/robots.txt", "/page"]
    assert [it["user-agent"] for it in site.headers] == [gate_clients.USER_AGENT] * 2
    assert site.headers[0]["accept-encoding"] == "identity"


@each_client
def test_each_redirect_is_asked_about(client: type[Client], site: Site, other: Site) -> None:
    other.has_robots(PRIVATE)
    site.redirects = {"/go": "/on", "/on": f"{other.url}/away", "/no": f"{other.url}/private/x"}
    other.redirects = {"/away": f"{other.url}/private/y"}
    got = client().get([f"{site.url}/no", f"{site.url}/go"])
    assert [it.url for it in got if isinstance(it, Denied)] == [
        f"{other.url}/private/x",
        f"{other.url}/private/y",
    ]
    assert site.asked == ["/robots.txt", "/no", "/go", "/on"]
    assert other.asked == ["/robots.txt", "/away"]


@each_client
def test_statuses_mean_what_the_profile_says(
    client: type[Client], site: Site, other: Site
) -> None:
    page = [f"{site.url}/private/x"]
    assert client().get(page) == [200]
    site.has_robots(PRIVATE, 503)
    (closed,) = client().get(page)
    assert isinstance(closed, Denied)
    assert (closed.reason, closed.line) == (access.Stance.CLOSED, None)
    assert closed.decision.answer.outcome == "error http 503"
    other.has_robots(PRIVATE)
    site.has_robots(b"", 301, Location=f"{other.url}/robots.txt")
    (by_rule,) = client().get(page)
    assert isinstance(by_rule, Denied) and by_rule.line == 2


@each_client
def test_a_server_that_cannot_be_reached_is_closed(client: type[Client]) -> None:
    with socket.socket() as taken:
        # Bound, and listening to nothing: nothing else can answer there.
        taken.bind(("127.0.0.1", 0))
        (got,) = client().get([f"http://127.0.0.1:{taken.getsockname()[1]}/"])
    assert isinstance(got, Unavailable) and isinstance(got, Denied) and got.__cause__ is not None
    assert (got.reason, got.decision.answer.outcome) == (access.Stance.CLOSED, "failed connect")
    assert got.retry_at == got.decision.answer.ask_again_at


@each_client
@pytest.mark.parametrize("trickle", ["head", "body"])
def test_a_server_that_trickles_has_its_time_and_no_more(
    client: type[Client], trickle: Any, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_blocking, "GRACE_SECONDS", 0.1)
    site.trickle = trickle
    got = client(deadline=2).get([f"{site.url}/{number}" for number in range(5)], at_once=True)
    assert [it.decision.answer.outcome for it in got if isinstance(it, Denied)] == ["failed timeout"] * 5
    assert site.asked == ["/robots.txt"]
    # Nothing goes on behind the scenes.
    assert site.is_left.wait(60)


@each_client
def test_redirects_share_the_time_of_a_fetch(client: type[Client], site: Site) -> None:
    time = VirtualTime()

    def reply() -> Reply:
        time.now += 40
        return 301, {"Location": f"/robots.txt?{len(site.asked)}"}, b""

    site.robots = reply
    (closed,) = client(time, deadline=60).get([f"{site.url}/page"])
    assert isinstance(closed, Denied)
    assert closed.decision.answer.outcome == "failed timeout"
    assert len(site.asked) == 2


@pytest.mark.parametrize(("status", "outcome"), [(404, "error http 404"), (200, "failed timeout")])
def test_the_status_of_an_error_counts_though_its_page_does_not_end(status: int, outcome: str) -> None:
    taken, fetch = Taken(), access.Fetch("https://example.com/")
    assert taken.begin(status, []) and taken.take(b"User-agent: *")
    taken.break_off(access.Failure.TIMEOUT)
    taken.give(fetch, 1_800_000_000)
    assert isinstance(fetch.action, access.Attempt) and fetch.action.outcome == outcome


@each_client
def test_the_time_of_another_fetch_is_not_of_this_one(client: type[Client], site: Site, other: Site) -> None:
    time = VirtualTime()

    def later(reply: Reply) -> Callable[[], Reply]:
        def robots() -> Reply:
            time.now += 40
            return reply

        return robots

    site.robots = later((301, {"Location": f"{other.url}/shared.txt"}, b""))
    other.robots = later((404, {}, b""))
    assert client(time, deadline=60, profile="google").get([f"{site.url}/page"]) == [200]
    assert (site.asked, other.asked) == (["/robots.txt", "/page"], ["/robots.txt", "/shared.txt"])


@each_client
@pytest.mark.parametrize("name", ["a" * 64 + ".example", "a..example"])
def test_a_name_that_is_none_is_a_failure(client: type[Client], site: Site, name: str) -> None:
    site.has_robots(b"", 301, Location=f"http://{name}/robots.txt")
    got = client().get([f"{site.url}/a", f"{site.url}/b"])
    assert [type(it) for it in got] == [Unavailable, Unavailable]
    assert site.asked == ["/robots.txt"]


def test_what_cannot_be_sent_is_no_failure_of_a_site() -> None:
    for codec, expected in (("latin-1", False), ("idna", True)):
        assert is_of_site(UnicodeEncodeError(codec, "\u0431", 0, 1, "no")) == expected


class Several(Exception):
    """An `ExceptionGroup`, which Python 3.10 does not have."""

    def __init__(self, *exceptions: Exception) -> None:
        self.exceptions = exceptions


def no_file(kind: type[Exception], code: int = errno.EMFILE) -> Exception:
    """What an HTTP client raises where this machine cannot open a socket."""
    error, cause, group = kind("no connection"), OSError("all of them"), Several(OSError(), OSError(code, "files"))
    cause.__context__, error.__cause__ = group, cause
    return error


class _Lacking(BaseAdapter):
    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def send(self, *given: Any, **named: Any) -> requests.Response:
        raise self.error

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    "error",
    [
        no_file(httpx.ConnectError),
        no_file(httpx.ConnectError, errno.ENFILE),
        httpx.PoolTimeout("no connection is free"),
        no_file(requests.ConnectionError),
        requests.ConnectionError(),
    ],
)
def test_what_this_machine_lacks_is_no_fact_about_a_site(error: Exception, tmp_path: Path) -> None:
    store, url = tmp_path / "store", "https://example.com"
    raised: pytest.ExceptionInfo[Exception]
    if isinstance(error, requests.RequestException):
        if error.__cause__ is None:
            error.__cause__ = EmptyPoolError(cast(Any, None), "no connection is free")
        adapter = GateAdapter("ExampleBot", _Lacking(error), store=store)
        with pytest.raises(type(error)) as raised:
            adapter.send(requests.Request("GET", f"{url}/page").prepare())
    else:

        def refuse(request: httpx.Request) -> httpx.Response:
            raise error

        transport = GateTransport("ExampleBot", httpx.MockTransport(refuse), store=store)
        with pytest.raises(type(error)) as raised:
            transport.handle_request(httpx.Request("GET", f"{url}/page"))
    assert raised.value is error
    kept, now = access.Store(store), 1_800_000_000
    assert kept.knowledge(url, at=now) is None
    assert kept.acquire(url, holder="other", now=now, seconds=60) is not None


def test_aiohttp_says_what_this_machine_lacks(site: Site, other: Site) -> None:
    class Resolver(aiohttp.abc.AbstractResolver):
        async def resolve(self, *_: object, **__: object) -> Any:
            raise OSError(errno.EMFILE, "too many files")

        async def close(self) -> None:
            pass

    gate, asked, go_on = GateMiddleware("ExampleBot"), threading.Event(), threading.Event()
    reply = site.reply

    def hold(path: str) -> Reply:
        if path == "/held":
            asked.set()
            go_on.wait(60)
        return reply(path)

    vars(site)["reply"] = hold

    async def run() -> None:
        connector = aiohttp.TCPConnector(limit=1, resolver=Resolver())
        async with aiohttp.ClientSession(middlewares=[gate], connector=connector) as session:
            with pytest.raises(aiohttp.ClientConnectorError):
                await session.get("http://example.com/page")
            holding = asyncio.ensure_future(session.get(f"{site.url}/held"))
            await asyncio.to_thread(asked.wait, 60)
            # It has the only connection.
            gate.gate.deadline = 0.1
            with pytest.raises(asyncio.TimeoutError):
                await session.get(f"{other.url}/page")
            go_on.set()
            (await holding).close()
            gate.gate.deadline = 60
            async with session.get(f"{other.url}/page") as response:
                assert response.status == 200

    try:
        asyncio.run(run())
    finally:
        go_on.set()


def test_requests_fetches_over_connections_of_its_own_and_once(site: Site) -> None:
    class Keyed(HTTPAdapter):
        """Has what no copy of requests has, and closes it."""

        is_closed = False

        def __init__(self, **named: Any) -> None:
            self.key = "secret"
            super().__init__(**named)

        def send(self, *given: Any, **named: Any) -> requests.Response:
            assert self.key and not self.is_closed
            return super().send(*given, **named)

        def close(self) -> None:
            Keyed.is_closed = True
            super().close()

    retries = Retry(3, status_forcelist=[503], backoff_factor=0)
    adapter = Keyed(pool_connections=1, pool_maxsize=1, pool_block=True, max_retries=retries)
    gate = GateAdapter("ExampleBot", adapter)
    time = VirtualTime()
    time.rules(gate.gate)
    with requests.Session() as session:
        session.mount("http://", gate)
        with session.get(f"{site.url}/page", stream=True):
            # It has the only connection.
            time.now += 86_400
            site.has_robots(b"", 503, Retry_After="0")
            with pytest.raises(Denied) as denied:
                session.get(f"{site.url}/page")
        assert denied.value.decision.answer.outcome == "error http 503"
        assert site.asked == ["/robots.txt", "/page", "/robots.txt"]
        assert (adapter.max_retries, Keyed.is_closed) == (retries, False)


@pytest.mark.parametrize("length", [b"abc", b"-1", b"", b"5, x"])
def test_a_length_that_is_none_is_a_failure(length: bytes) -> None:
    for status, outcome in ((200, "failed protocol"), (404, "error http 404")):
        taken, fetch = Taken(), access.Fetch("https://example.com/")
        assert not taken.begin(status, [(b"Content-Length", length)])
        taken.give(fetch, 1_800_000_000)
        assert isinstance(fetch.action, access.Attempt) and fetch.action.outcome == outcome


def test_what_a_fetch_raises_is_raised_where_it_is_waited_for() -> None:
    def refuse(request: httpx.Request) -> httpx.Response:
        raise RuntimeError("no network here")

    request = httpx.Request("GET", "https://example.com/")
    with pytest.raises(RuntimeError, match="no network here"):
        GateTransport("ExampleBot", httpx.MockTransport(refuse)).handle_request(request)


@each_client
def test_content_codings_are_undone_or_a_failure(client: type[Client], site: Site) -> None:
    page = [f"{site.url}/private/x"]
    site.has_robots(gzip.compress(PRIVATE), Content_Encoding="gzip")
    (by_rule,) = client().get(page)
    assert isinstance(by_rule, Denied) and by_rule.line == 2
    site.has_robots(b"User-agent: *", Content_Encoding="compress")
    (closed,) = client().get(page)
    assert isinstance(closed, Denied)
    assert closed.decision.answer.outcome == "failed content-encoding"


CHAFF = b"".join(b"# %d\n" % number for number in range(4000))
"""Enough that a part of it can be decoded."""


@each_client
def test_a_body_that_ends_early_in_its_coding_is_a_failure(client: type[Client], site: Site) -> None:
    encoded = gzip.compress(PRIVATE + CHAFF)
    for body in (encoded[: len(encoded) // 2], encoded[:-1], encoded + b"\x1f\x8b\x08"):
        site.has_robots(body, Content_Encoding="gzip")
        (closed,) = client().get([f"{site.url}/page"])
        assert isinstance(closed, Denied)
        assert closed.decision.answer.outcome == "failed content-encoding"
    # Whatever follows a whole body is no part of it.
    site.has_robots(encoded + b"more", Content_Encoding="gzip")
    assert client().get([f"{site.url}/page"]) == [200]


@each_client
def test_all_members_of_gzip_are_one_file(client: type[Client], site: Site) -> None:
    site.has_robots(gzip.compress(CHAFF) + gzip.compress(PRIVATE), Content_Encoding="x-gzip")
    (by_rule,) = client().get([f"{site.url}/private/x"])
    assert isinstance(by_rule, Denied) and by_rule.line == 4002


def attempt(status: int, coding: str, body: bytes) -> tuple[str, bytes | None]:
    """What a body in a coding is for a fetch."""
    taken, fetch = Taken(), access.Fetch("https://example.com/")
    if taken.begin(status, [(b"Content-Encoding", coding.encode())]):
        for at in range(0, len(body), 1000):
            if not taken.take(body[at : at + 1000]):
                break
    taken.give(fetch, 1_800_000_000)
    assert isinstance(fetch.action, access.Attempt)
    return fetch.action.outcome, fetch.action.body


def test_what_is_made_of_content_codings() -> None:
    successful, failed = "successful http 200", ("failed content-encoding", None)
    encoded, bomb = zlib.compress(PRIVATE), gzip.compress(b"#" * 99_999_999)
    raw = encoded[2:-4]
    # One block that is not compressed (RFC 8878).
    zstd = b"\x28\xb5\x2f\xfd\x20" + bytes([len(PRIVATE)]) + (len(PRIVATE) << 3 | 1).to_bytes(3, "little") + PRIVATE
    for coding, body in (
        ("deflate", encoded),
        ("deflate", raw),
        ("Identity", PRIVATE),
        ("", PRIVATE),
        (" GZip ,", gzip.compress(PRIVATE)),
        ("gzip, deflate", zlib.compress(gzip.compress(PRIVATE))),
        ("zstd", zstd),
        ("none", PRIVATE),
        ("utf-8, gzip", gzip.compress(PRIVATE)),
        ("gzip", gzip.compress(PRIVATE) + b"\0" * 512),
        ("gzip", gzip.compress(PRIVATE) + b"\x1f\x8b"),
        ("deflate", encoded + b"\r\n"),
        ("deflate", raw + b"\0"),
    ):
        assert attempt(200, coding, body) == (successful, PRIVATE)
    for coding in ("gzip", "br"):
        assert attempt(200, coding, b"") == (successful, b"")
    outcome, cut = attempt(200, "gzip", bomb)
    assert outcome == successful and cut is not None and len(cut) <= access.BODY_BYTES_WANTED
    # After more members without content than are read, rules may follow.
    assert attempt(200, "gzip", gzip.compress(b"") * 50_000) == failed
    assert attempt(407, "", b"") == ("failed connect", None)
    for coding, body in (("gzip", PRIVATE), ("deflate", encoded[:-1]), ("gzip, gzip", encoded), ("br", encoded)):
        assert attempt(200, coding, body) == failed
        # The status of an error counts, whatever its page.
        assert attempt(404, coding, body)[0] == "error http 404"


@pytest.mark.parametrize("coding", ["", "gzip"])
def test_a_body_that_a_transport_has_read_already_is_taken(coding: str, site: Site) -> None:
    # Its content is decoded then, and its header still there.
    fields = {"Content-Encoding": coding} if coding else {}
    sent = gzip.compress(PRIVATE) if coding else PRIVATE

    def answer(request: httpx.Request) -> httpx.Response:
        response = httpx.Response(200, headers=fields, content=sent)
        assert response.is_stream_consumed
        return response

    request = httpx.Request("GET", "https://example.com/private/x")
    with pytest.raises(Denied) as denied:
        GateTransport("ExampleBot", httpx.MockTransport(answer)).handle_request(request)
    assert denied.value.line == 2

    class Reading(HTTPAdapter):
        def send(self, *given: Any, **named: Any) -> requests.Response:
            response = super().send(*given, **named)
            assert response.content == PRIVATE
            return response

    site.has_robots(sent, 200, Content_Encoding=coding or "identity")
    with requests.Session() as session:
        session.mount("http://", GateAdapter("ExampleBot", Reading()))
        with pytest.raises(Denied) as denied:
            session.get(f"{site.url}/private/x")
    assert denied.value.line == 2


def test_aiohttp_sends_nothing_of_a_session_for_a_robots_txt(site: Site, other: Site) -> None:
    site.has_robots(b"", 301, Location=f"{other.url}/robots.txt", Set_Cookie="robots=1; Path=/")
    other.has_robots(PRIVATE)
    own = {"Authorization": "Bearer secret", "X-Key": "secret", "Range": "bytes=0-9"}

    async def run() -> None:
        jar = aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(
            middlewares=[GateMiddleware("ExampleBot")],
            headers=own,
            cookies={"session": "secret"},
            cookie_jar=jar,
        ) as session:
            async with session.get(f"{site.url}/page") as response:
                assert response.status == 200
            assert session.connector is not None and not session.connector.closed
            assert [it.key for it in jar] == ["session"]

    asyncio.run(run())
    assert (site.asked, other.asked) == (["/robots.txt", "/page"], ["/robots.txt"])
    for sent in (site.headers[0], other.headers[0]):
        assert "secret" not in "".join(sent.values()) and "range" not in sent
    assert site.headers[1]["authorization"] == "Bearer secret"


def test_aiohttp_asks_about_a_task_that_begins_during_a_fetch(site: Site) -> None:
    site.has_robots(PRIVATE)
    began: list[asyncio.Task[Any]] = []

    async def run() -> None:
        async def ask() -> Any:
            with pytest.raises(Denied):
                await session.get(f"{site.url}/private/x")

        async def begin(request: Any, handler: Any) -> Any:
            if not began:
                began.append(asyncio.create_task(ask()))
            return await handler(request)

        middlewares: Any = [GateMiddleware("ExampleBot"), begin]
        async with aiohttp.ClientSession(middlewares=middlewares) as session:
            async with session.get(f"{site.url}/page"):
                await began[0]

    asyncio.run(run())
    assert site.asked == ["/robots.txt", "/page"]


@pytest.mark.filterwarnings("ignore:(The 'proxy_auth' parameter|BasicAuth) is deprecated")
@pytest.mark.parametrize("name", ["proxy_auth", "proxy_headers"])
def test_aiohttp_fetches_through_the_proxy_of_the_request(site: Site, name: str) -> None:
    expected = "Basic Y3Jhd2xlcjpzZWNyZXQ="

    async def run() -> None:
        auth = aiohttp.BasicAuth("crawler", "secret")
        named: Any = {name: auth if name == "proxy_auth" else {"Authorization": expected}}
        async with aiohttp.ClientSession(middlewares=[GateMiddleware("ExampleBot")]) as session:
            async with session.get("http://example.com/page", proxy=site.url, **named) as response:
                assert response.status == 200

    asyncio.run(run())
    assert site.asked == ["http://example.com/robots.txt", "http://example.com/page"]
    assert [it.get("proxy-authorization") for it in site.headers] == [expected] * 2


@each_client
def test_a_hundred_requests_wait_for_one_fetch(client: type[Client], site: Site) -> None:
    site.has_robots(PRIVATE)
    urls = [f"{site.url}/{'private/' if number % 2 else ''}{number}" for number in range(100)]
    got = client().get(urls, at_once=True)
    assert got.count(200) == 50 and sum(isinstance(it, Denied) for it in got) == 50
    assert site.asked.count("/robots.txt") == 1 and len(site.asked) == 51


@each_client
def test_delays_are_kept(client: type[Client], site: Site) -> None:
    site.has_robots(b"User-agent: *\nCrawl-delay: 2\nDisallow: /private/\n")
    time, urls = VirtualTime(), [f"{site.url}/{path}" for path in ("a", "b", "private/x", "c")]
    got = client(time).get(urls)
    assert [it if it == 200 else type(it) for it in got] == [200, 200, Denied, 200]
    assert time.slept == [2.0, 2.0]
    time = VirtualTime()
    assert client(time, keep_delays=False).get(urls)[::3] == [200, 200]
    assert time.slept == []
    site.has_robots(b"User-agent: *\nRequest-rate: 1/5\n")
    client(time).get(urls[:2])
    assert time.slept == [5.0]


@each_client
def test_a_long_wait_fails(client: type[Client], site: Site) -> None:
    site.has_robots(b"User-agent: *\nCrawl-delay: 2\n")
    time = VirtualTime()
    first, second = client(time, longest_wait=1.5).get([f"{site.url}/a", f"{site.url}/b"])
    assert first == 200 and time.slept == []
    assert isinstance(second, LongWait) and not isinstance(second, Denied)
    assert (second.url, second.longest, second.seconds) == (f"{site.url}/b", 1.5, 2.0)
    assert site.asked == ["/robots.txt", "/a"]


@each_client
def test_without_a_wait_only_what_would_wait_is_refused(client: type[Client], site: Site) -> None:
    site.has_robots(b"User-agent: *\nCrawl-delay: 2\n")
    gate = client(VirtualTime(), longest_wait=0)
    first, second = gate.get([f"{site.url}/a", f"{site.url}/b"])
    assert first == 200 and isinstance(second, LongWait) and second.seconds == 2.0


@each_client
def test_a_least_delay_counts_beside_that_of_the_site(
    client: type[Client], site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "verger.gate")
    for asked, kept, slept in ((b"2", True, 3.0), (b"2", False, 3.0), (b"5", True, 5.0)):
        site.has_robots(b"User-agent: *\nCrawl-delay: " + asked + b"\n")
        time = VirtualTime()
        gate = client(time, keep_delays=kept, least_delay=3)
        assert gate.get([f"{site.url}/a", f"{site.url}/b"]) == [200, 200]
        assert time.slept == [slept]
    assert "a request is held for 5.000 s" in caplog.text


@each_client
def test_a_site_that_closes_is_logged(
    client: type[Client], site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "verger.gate")
    site.has_robots(b"", 503)
    client().get([f"{site.url}/a", f"{site.url}/b"])
    [record] = [it for it in caplog.records if it.name == "verger.gate"]
    assert record.getMessage().startswith(f"{site.url}: closed: ")


def test_a_name_that_does_not_resolve_is_the_same_for_all_clients() -> None:
    def led_to(error: Exception, by: Exception) -> Exception:
        error.__cause__ = by
        return error

    by = socket.gaierror(socket.EAI_NONAME, "unknown")
    assert httpx_failure_of(led_to(httpx.ConnectError("x"), by)) == "dns"
    assert httpx_failure_of(led_to(httpx.ConnectError("x"), OSError())) == "connect"
    failed = led_to(requests.exceptions.ConnectionError(), led_to(OSError(), by))
    assert requests_failure_of(failed) == "dns"
    assert requests_failure_of(led_to(requests.exceptions.ProxyError(), by)) == "connect"


@each_client
def test_the_rules_are_asked_again_after_a_wait(client: type[Client], site: Site) -> None:
    site.has_robots(b"User-agent: *\nCrawl-delay: 2\n", Cache_Control="max-age=60")
    time = VirtualTime()

    def change() -> None:
        time.now += 7 * 86400
        site.has_robots(b"User-agent: *\nDisallow: /\n")

    time.on_sleep = change
    first, second = client(time).get([f"{site.url}/a", f"{site.url}/b"])
    assert first == 200 and isinstance(second, Denied)
    assert site.asked == ["/robots.txt", "/a", "/robots.txt"]


@each_client
def test_a_delay_that_has_changed_counts_from_then_on(client: type[Client], site: Site) -> None:
    site.has_robots(b"User-agent: *\nCrawl-delay: 70\n", Cache_Control="max-age=60")
    time = VirtualTime()

    def change() -> None:
        site.has_robots(b"User-agent: *\nCrawl-delay: 100\n")

    time.on_sleep = change
    assert client(time).get([f"{site.url}/a", f"{site.url}/b"]) == [200, 200]
    assert time.slept == [70.0, 30.0]
    assert site.asked == ["/robots.txt", "/a", "/robots.txt", "/b"]


@each_client
def test_processes_share_a_store(client: type[Client], site: Site, tmp_path: Path) -> None:
    site.has_robots(PRIVATE)
    options: dict[str, Any] = {"store": tmp_path / "store"}
    for _ in range(2):
        (got,) = client(**options).get([f"{site.url}/private/x"])
        assert isinstance(got, Denied) and got.line == 2
    assert site.asked == ["/robots.txt"]


@each_client
def test_sites_whose_robots_lead_to_each_other_are_decided(
    client: type[Client], site: Site, other: Site
) -> None:
    # The profile asks about hops; two fetches that ask about each other's site must not wait for ever.
    both = threading.Barrier(2)

    def leads_to(target: str) -> Callable[[], Reply]:
        is_first = [True]

        def reply() -> Reply:
            if is_first.pop() if is_first else False:
                both.wait()
            return 302, {"Location": f"{target}/elsewhere"}, b""

        return reply

    site.robots, other.robots = leads_to(other.url), leads_to(site.url)
    got = client(profile="google").get([f"{site.url}/a", f"{other.url}/a"], at_once=True)
    assert got == [200, 200]


def test_a_url_without_robots_is_undecided() -> None:
    request = httpx.Request("GET", "mailto:ExampleBot@example.com")
    with pytest.raises(Undecided, match="^mailto:") as raised:
        GateTransport("ExampleBot").handle_request(request)
    assert isinstance(raised.value.error, access.AuthorityError)
    assert isinstance(raised.value, GateError)


def test_a_message_shows_no_password() -> None:
    for url, shown in (
        ("https://user:secret@example.com/a@b", "https://example.com/a@b"),
        ("https://example.com/a?b=//c@d", "https://example.com/a?b=//c@d"),
        ("mailto:a@example.com", "mailto:a@example.com"),
    ):
        for error in LongWait(url, 1.5, 2.5), Undecided(url, access.AuthorityError("no host")):
            assert error.url == url
            assert str(error).startswith(f"{shown}: ") and "secret" not in repr(error)
            assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("gate", [GateTransport, AsyncGateTransport, GateAdapter, GateMiddleware])
def test_what_is_wrong_with_the_arguments_is_raised_at_once(gate: Any) -> None:
    with pytest.raises(verger.ProductTokenError):
        gate("ExampleBot/1.0")
    with pytest.raises(ValueError):
        gate("ExampleBot", profile="none such")
    for wrong in ({"deadline": 0}, {"deadline": float("nan")}, {"longest_wait": -1}, {"least_delay": -1}, {"memory_bytes_max": -1}):
        with pytest.raises(ValueError):
            gate("ExampleBot", **wrong)


@each_async_client
def test_a_fetch_that_is_cancelled_is_begun_again(client: Any, site: Site) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def reply() -> Reply:
        if not asked.is_set():
            asked.set()
            go_on.wait(60)
        return 200, {}, PRIVATE

    site.robots = reply

    async def use(send: Callable[[str], Awaitable[int]]) -> None:
        first = asyncio.ensure_future(send(f"{site.url}/a"))
        await asyncio.to_thread(asked.wait, 60)
        second = asyncio.ensure_future(send(f"{site.url}/b"))
        # It waits for the fetch of the first.
        for _ in range(10):
            await asyncio.sleep(0)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        assert await second == 200
        go_on.set()

    try:
        asyncio.run(client().talk(use))
    finally:
        go_on.set()
    assert site.asked == ["/robots.txt", "/robots.txt", "/b"]


class _LookedAt(VirtualTime):
    """Time that says when a gate looks at it."""

    def __init__(self) -> None:
        self.is_looked_at = threading.Event()
        super().__init__()

    @property
    def now(self) -> float:
        self.is_looked_at.set()
        return 1_800_000_000.0

    @now.setter
    def now(self, now: float) -> None:
        pass


@each_async_client
def test_a_request_that_is_cancelled_leaves_no_lease(client: Any, site: Site, tmp_path: Path) -> None:
    store, time = access.Store(tmp_path / "store"), _LookedAt()
    theirs = store.acquire(site.url, holder="other", now=time.now, seconds=60)
    assert theirs is not None
    time.is_looked_at.clear()

    async def use(send: Callable[[str], Awaitable[int]]) -> None:
        waiting = asyncio.ensure_future(send(f"{site.url}/a"))
        # A thread waits for the lease of the other.
        await asyncio.to_thread(time.is_looked_at.wait, 60)
        waiting.cancel()
        for _ in range(10):
            await asyncio.sleep(0)
        store.release(theirs)
        with pytest.raises(asyncio.CancelledError):
            await waiting

    before = set(threading.enumerate())
    asyncio.run(client(time, store=tmp_path / "store").talk(use))
    # The thread that acquired may end after the event loop.
    for thread in set(threading.enumerate()) - before:
        thread.join()
    assert store.acquire(site.url, holder="third", now=time.now, seconds=60) is not None
    assert site.asked == []


def test_a_session_of_requests_is_pickled_with_its_gate(site: Site) -> None:
    site.has_robots(PRIVATE)
    adapter = GateAdapter(verger.Crawler("gptbot"), HTTPAdapter(pool_maxsize=3), longest_wait=2)
    with requests.Session() as session:
        session.mount("http://", adapter)
        assert session.get(f"{site.url}/page").status_code == 200
        again: requests.Session = pickle.loads(pickle.dumps(session))
    with again:
        copy = again.get_adapter(site.url)
        assert isinstance(copy, GateAdapter) and copy.gate is not adapter.gate
        assert copy.gate.agent == verger.Crawler("gptbot")
        assert again.get(f"{site.url}/page").status_code == 200
        with pytest.raises(Denied):
            again.get(f"{site.url}/private/x")
    # The copy knows nothing of the site: it asks itself.
    assert site.asked == ["/robots.txt", "/page"] * 2


def test_no_http_client_is_imported_with_the_package(script: Callable[..., str]) -> None:
    found = script(
        "import sys, verger, verger.access, verger.gate\n"
        "print(sorted({'httpx', 'requests', 'aiohttp', 'anyio', 'scrapy'} & set(sys.modules)))"
    )
    assert found.strip() == "[]"
