"""Scrapy: the parser by Scrapy's own tests, and crawls of the hostile origin."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import tarfile
import threading
import time
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from typing import Any

import gate_clients
import origin
import pytest
from scrapy import signals

from verger import access
from verger._shortage import is_of_site
from verger.scrapy import RobotParser, agent_of, failure_of

CRAWL = Path(__file__).with_name("crawl.py")

NOT_PUBLIC = ("link-local", "ipv6-loopback", "mapped-address", "nat64", "decimal-address")
"""Redirects to addresses that are not public: Scrapy has no address guard, and would connect."""

READ_OTHERWISE = {
    "gzip-bomb": "Scrapy drops a body that is too long once decoded, so that nothing is known",
    "brotli-bomb": "Scrapy drops a body that is too long once decoded, so that nothing is known",
    "chunk-extension": "Twisted refuses the trailer",
    "chunked-and-control": "Twisted reads the coding as chunked",
    "chunked-twice": "Twisted reads the coding as chunked",
    "chunked-folded": "Twisted reads the coding as chunked",
}
"""Rows where Scrapy's downloader hands on another reply than was sent."""


FTP_ROWS = ("usual", "pasv-only", "530", "user-550", "pass-553", "type-550", "pasv-550", "550")
"""Rows in which Twisted's client always ends. It has no time limit, and in some others waits for ever."""

FTP_READ_OTHERWISE = {"ftp-530": "closed"}
"""Rows where Scrapy does not hand on which reply came, and their stance; the table opens this one."""


@pytest.fixture(scope="module")
def behaviours() -> Iterator[dict[str, origin.Behaviour]]:
    with origin.running() as found:
        yield found


def crawls(*asked: dict[str, Any]) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(CRAWL)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    assert len(found) == len(asked), done.stderr
    return found


def page(behaviour: origin.Behaviour, path: str = "") -> str:
    return behaviour.url.replace("robots.txt", path)


def shown_by_scrapy(it: origin.Behaviour) -> bool:
    ends = it.wire in ("answers", "breaks", "resets", "refuses", "explodes")
    ends = ends or it.name in ("body-endless", "body-endless-line", "redirect-endless-body")
    return it.url.startswith("http:") and ends and not any(name in it.name for name in NOT_PUBLIC)


def wrong_rows(shown: list[origin.Behaviour], profile: str, crawl: dict[str, Any]) -> list[str]:
    """The rows that differ from the table. Which failure it was, Scrapy cannot always say."""
    wrong: list[str] = []
    for it in shown:
        url, expected = page(it, "page"), it.expected[profile]
        stance, outcome, _ = crawl["answers"][url]
        outcomes = expected.outcomes
        is_right = stance == expected.stance and (
            outcome in outcomes or (outcome.startswith("failed") and outcomes[0].startswith("failed"))
        )
        if not is_right:
            wrong.append(it.name)
        assert (crawl["became"][url] == "allowed") == (stance in ("rules", "open")), it.name
    return wrong


def test_every_row_of_the_table_that_scrapy_can_fetch(
    behaviours: dict[str, origin.Behaviour],
) -> None:
    shown = [it for it in behaviours.values() if shown_by_scrapy(it)]
    assert len(shown) > 100
    crawl = crawls({"urls": [page(it, "page") for it in shown]})[0]
    assert sorted(wrong_rows(shown, "rfc9309", crawl)) == sorted(READ_OTHERWISE)


def test_every_profile_decides_as_the_table_says(behaviours: dict[str, origin.Behaviour]) -> None:
    names = ("status-", "redirect", "html", "location-", "max-age")
    shown = [
        it
        for it in behaviours.values()
        if shown_by_scrapy(it) and it.wire == "answers" and it.name.startswith(names)
    ]
    assert len(shown) > 50
    urls = [page(it, "page") for it in shown]
    profiles = origin.PROFILES[1:]
    found = crawls(*({"urls": urls, "settings": {"VERGER_PROFILE": it}} for it in profiles))
    for profile, crawl in zip(profiles, found):
        assert wrong_rows(shown, profile, crawl) == [], profile


def test_rules_decide_and_stats_have_the_reason(behaviours: dict[str, origin.Behaviour]) -> None:
    usual, broken = behaviours["usual"], behaviours["status-503"]
    urls = [page(usual, "page"), page(usual, "private/x"), page(broken, "page")]
    crawl = crawls({"urls": urls})[0]
    assert crawl["became"] == {
        urls[0]: "allowed",
        urls[1]: "Forbidden by robots.txt: disallowed, line 2: Disallow: /private/ (group at line 1, *)",
        urls[2]: "Forbidden by robots.txt: disallowed: the stance is closed, "
        + access_fact(crawl["became"][urls[2]]),
    }
    stats = crawl["stats"]
    assert stats["robotstxt/forbidden"] == 2
    assert stats["robotstxt/forbidden/rule"] == stats["robotstxt/forbidden/closed"] == 1
    assert stats["robotstxt/outcome/successful http 200"] == 1
    assert stats["robotstxt/outcome/error http 503"] == 1
    assert stats["robotstxt/request_count"] == stats["robotstxt/response_count"] == 2
    # Scrapy has the signal from 2.18 on.
    parsed = ["closed", "rules"] if hasattr(signals, "robots_parsed") else []
    assert sorted(crawl["parsed"]) == parsed


def access_fact(message: str) -> str:
    fact = message.partition("closed, ")[2]
    assert "unreachable" in fact and "503" in fact
    return fact


def test_a_hundred_requests_wait_for_one_fetch(behaviours: dict[str, origin.Behaviour]) -> None:
    usual = behaviours["usual"]
    urls = [page(usual, f"page/{number}") for number in range(100)]
    crawl = crawls({"urls": urls})[0]
    assert set(crawl["became"].values()) == {"allowed"} and len(crawl["became"]) == 100
    assert crawl["stats"]["robotstxt/request_count"] == 1


def test_the_crawl_delay_is_kept() -> None:
    with robots_server((200, {}, b"User-agent: *\nCrawl-delay: 1\n")) as url:
        crawl = crawls({"urls": [f"{url}/{number}" for number in range(3)], "is_page": False})[0]
    assert set(crawl["became"].values()) == {"allowed"}
    # Scrapy's own times of sending, of which the last three are those of the pages; where a response is late, that of
    # the next page in the place of its own.
    sent = sorted({at for _, at, _, _ in crawl["slots"][-3:]})
    assert all(later - earlier > 0.99 for earlier, later in zip(sent, sent[1:])), sent
    assert {(delay, jitter) for _, _, delay, jitter in crawl["slots"][1:]} == {(1.0, "0.0")}


def test_an_answer_that_expires_in_the_middle_of_a_crawl_is_fetched_again() -> None:
    hours = {"Cache-Control": "max-age=7200"}
    replies: list[Reply] = [
        (200, {**hours, "ETag": '"one"'}, b"User-agent: *\nDisallow: /private/\n"),
        (304, {**hours, "ETag": '"one"'}, b""),
        (200, hours, b"User-agent: *\nDisallow: /\n"),
        (503, {}, b""),
    ]
    conditions: list[str | None] = []
    zero, hour = 1_800_000_000, 3600
    with robots_server(*replies, conditions=conditions) as url:
        pages = [f"{url}/{number}" for number in range(20)]
        times = [0, hour, 3 * hour, 6 * hour, 30 * hour]
        steps = [{"at": zero + time, "urls": pages} for time in times]
        ended = crawls({"steps": steps})[0]["steps"]
    assert [it["fetches"] for it in ended] == [1, 1, 2, 3, 4]
    assert [it["stance"] for it in ended] == ["rules", "rules", "rules", "rules", "copy"]
    assert [it["outcome"].split()[-1] for it in ended] == ["200", "200", "304", "200", "503"]
    became = [set(it["became"].values()) for it in ended]
    assert became[:3] == [{"allowed"}] * 3
    rule = "disallowed, line 2: Disallow: / (group at line 1, *)"
    assert became[3] == {f"Forbidden by robots.txt: {rule}"}
    assert all(rule in it for it in became[4]) and len(became[4]) == 1
    assert conditions == [None, '"one"', '"one"', None]


@pytest.mark.parametrize("trickle", ["head", "body"])
def test_a_server_that_trickles_has_its_time_and_no_more(trickle: Any) -> None:
    with gate_clients.site() as site:
        site.trickle = trickle
        urls = [f"{site.url}/{number}" for number in range(3)]
        crawl = crawls({"urls": urls, "settings": {"DOWNLOAD_TIMEOUT": 2}})[0]
        assert {outcome for _, outcome, _ in crawl["answers"].values()} == {"failed timeout"}
        assert site.asked == ["/robots.txt"]
        assert site.is_left.wait(60)


def test_redirects_share_the_time_of_a_fetch() -> None:
    replies: list[Reply] = [(301, {"Location": f"/{number}"}, b"") for number in range(3)]
    with robots_server(*replies) as url:
        asked = {"urls": [f"{url}/page"], "settings": {"DOWNLOAD_TIMEOUT": 180}}
        crawl = crawls({**asked, "seconds_downloaded": 100})[0]
    ((_, outcome, _),) = crawl["answers"].values()
    assert outcome == "failed timeout" and crawl["stats"]["robotstxt/request_count"] == 2


def test_files_over_ftp(behaviours: dict[str, origin.Behaviour]) -> None:
    shown = [behaviours[f"ftp-{name}"] for name in FTP_ROWS]
    crawl = crawls({"urls": [page(it, "page") for it in shown]})[0]
    assert sorted(wrong_rows(shown, "rfc9309", crawl)) == sorted(FTP_READ_OTHERWISE)
    for name, stance in FTP_READ_OTHERWISE.items():
        assert crawl["answers"][page(behaviours[name], "page")][0] == stance


def test_crawls_share_a_store(behaviours: dict[str, origin.Behaviour], tmp_path: Path) -> None:
    settings = {"VERGER_STORE": str(tmp_path / "store")}
    asked = {"urls": [page(behaviours["usual"], "page")], "settings": settings}
    first, second = crawls(asked)[0], crawls(asked)[0]
    assert first["stats"]["robotstxt/request_count"] == 1
    assert "robotstxt/request_count" not in second["stats"]
    assert second["answers"] == first["answers"]
    store = access.Store(tmp_path / "store")
    known = store.knowledge(behaviours["usual"].url, at=time.time())
    assert known is not None and known.answer(now=time.time()).stance == "rules"


def test_obeying_can_be_left_out(behaviours: dict[str, origin.Behaviour]) -> None:
    urls = [page(behaviours["usual"], "private/x")]
    crawl = crawls({"urls": urls, "settings": {"ROBOTSTXT_OBEY": False}})[0]
    assert crawl["became"] == {urls[0]: "allowed"} and crawl["stats"] == {}


Reply = tuple[int, dict[str, str], bytes]


class _Robots(BaseHTTPRequestHandler):
    replies: list[Reply]
    conditions: list[str | None]

    def do_GET(self) -> None:
        self.conditions.append(self.headers["If-None-Match"])
        is_last = len(self.replies) == 1
        status, headers, body = self.replies[0] if is_last else self.replies.pop(0)
        self.send_response(status)
        for name, value in {"Content-Type": "text/plain", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def robots_server(
    *replies: Reply, conditions: list[str | None] | None = None
) -> Generator[str, None, None]:
    """A server whose robots.txt is each reply once, and the last one for ever; `conditions` gets the
    `If-None-Match` of each request."""
    named = {"replies": [*replies], "conditions": [] if conditions is None else conditions}
    handler = type("Handler", (_Robots,), named)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_the_agent_is_a_token_or_looked_up() -> None:
    assert agent_of("ExampleBot") == agent_of(b"ExampleBot/1.0 (+https://example.com)") == "ExampleBot"
    assert agent_of("Mozilla/5.0 (compatible; ExampleBot/1.0; +https://e.example)") == "ExampleBot"
    assert agent_of("*") == agent_of("") == "*"
    known = agent_of("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)")
    assert str(known) == "googlebot"


def test_the_parser_reads_bodies() -> None:
    parser = RobotParser.from_crawler(None, b"User-agent: ExampleBot\nDisallow: /a\nCrawl-delay: 0.5")
    assert not parser.allowed("https://example.com/a", "ExampleBot/1.0")
    assert parser.allowed("https://example.com/b", b"ExampleBot/1.0")
    assert parser.crawl_delay("ExampleBot/1.0") == 0.5
    assert parser.crawl_delay("OtherBot") is None
    assert not parser.allowed("no URL", "ExampleBot")


def test_exceptions_are_failures() -> None:
    from twisted.internet import error

    # Their constructors have no types.
    kinds: list[tuple[Any, str]] = [
        (error.DNSLookupError, "dns"),
        (error.TCPTimedOutError, "timeout"),
        (error.ConnectionRefusedError, "connect"),
        (error.ConnectionLost, "reset"),
    ]
    for kind, failure in kinds:
        assert failure_of(kind()) == failure
    assert failure_of(zlib.error()) == "content-encoding"
    assert failure_of(ValueError()) == "reset"
    assert failure_of(UnicodeError("label too long")) == "dns"
    # This machine could open no socket.
    lacking: Any = error.ConnectBindError
    assert not is_of_site(lacking(errno.EMFILE)) and is_of_site(lacking(errno.ECONNREFUSED))


INTERFACE = """
import pytest
from tests.test_robotstxt_interface import BaseRobotParserTest
from verger.scrapy import RobotParser

class TestVerger(BaseRobotParserTest):
    def setup_method(self):
        super()._setUp(RobotParser)

    def test_order_based_precedence(self):
        pytest.skip("The most specific rule decides, as in Scrapy's default parser.")
"""


def test_scrapys_own_tests_of_parsers_pass(tmp_path: Path) -> None:
    # They are in the source archive alone.
    python = [sys.executable, "-m"]
    fetch = ["pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", str(tmp_path)]
    subprocess.run([*python, *fetch, f"scrapy=={version('scrapy')}"], check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    (source,) = (it for it in tmp_path.iterdir() if it.is_dir())
    (tmp_path / "test_ours.py").write_text(INTERFACE)
    done = subprocess.run(
        [*python, "pytest", "-q", "-p", "no:cacheprovider", "test_ours.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(source), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"[68] passed, 1 skipped", done.stdout), done.stdout
