"""`verger.compat.robotparser` is `urllib.robotparser` to its users: its interface, its fetch, and its own tests."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import socket
import urllib.error
import urllib.request
import urllib.robotparser
from base64 import b64decode
from collections.abc import Callable, Iterator
from email.message import Message
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any
from urllib.response import addinfourl

import originals
import pytest

from verger import Dialect
from verger.compat import robotparser
from verger.compat.robotparser import RequestRate, RobotFileParser

BODY = """\
User-agent: *
Crawl-delay: 1.2
Request-rate: 3/15
Request-rate: 1/60 0800-1200
Disallow: /private/
Allow: /private/press/

User-agent: ExampleBot
Disallow:
Sitemap: https://example.com/sitemap.xml
"""

CASES = Path(__file__).resolve().parents[4] / "shared/cases/cpython-robotparser-2025.jsonl"


def parsed(text: str, **options: Any) -> RobotFileParser:
    parser = RobotFileParser(**options)
    parser.parse(text.splitlines())
    return parser


@pytest.mark.parametrize("dialect", ["rfc9309", "koster1996"])
def test_its_own_tests_pass_but_for_those_that_are_listed(
    dialect: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if hasattr(urllib.robotparser.RobotFileParser(), "groups"):
        pytest.skip("NOT RUN: the lists are those of the tests before Python 3.13.14 and 3.14.5")
    ran, failed = originals.run("robotparser", originals.robotparser_tests(), dialect)
    originals.assert_as_listed(failed, f"robotparser-{dialect}.txt")
    assert ran > 50
    with capsys.disabled():
        print(f"\nurllib.robotparser in {dialect}: {len(failed)} of its own {ran} tests have something that fails")


def text_of(case: dict[str, Any], key: str) -> str:
    """A text of a case; where it is not UTF-8 it is in base64."""
    text: str | None = case[key]
    return b64decode(case[f"{key}_b64"]).decode("utf-8", "surrogateescape") if text is None else text


def test_the_cases_of_the_rewrite_are_answered_but_for_those_that_are_listed() -> None:
    if not CASES.exists():
        pytest.skip(f"NOT RUN: {CASES} is not there")
    failed: set[str] = set()
    for line in CASES.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        url = text_of(case, "url")
        if parsed(text_of(case, "robots")).can_fetch(case["agents"][0], url) is not case["expected"]:
            failed.add(f"{case['test']} {ascii(url)}")
    originals.assert_as_listed(failed, "robotparser-2025.txt")


def test_the_interface_has_what_the_original_has() -> None:
    def public(of: object) -> set[str]:
        return {name for name in dir(of) if not name.startswith("_")}

    original = urllib.robotparser.RobotFileParser()
    assert public(RobotFileParser()) == (public(original) | {"dialect"}) - {"groups"}
    parser = parsed(BODY)
    assert parser.can_fetch(useragent="x", url="/private/press/")
    assert parser.crawl_delay(useragent="x") == 2
    assert parser.request_rate(useragent="x") == RequestRate(requests=3, seconds=15)
    assert parser.site_maps() == ["https://example.com/sitemap.xml"] == parser.sitemaps
    parser.set_url(url="https://example.com:8080/robots.txt?x")
    assert (parser.host, parser.path) == ("example.com:8080", "/robots.txt")
    parser.set_url(urllib.request.Request("https://example.com/robots.txt"))
    assert (parser.host, parser.path) == ("example.com", "/robots.txt")


def test_nothing_may_be_fetched_before_a_file_is_read() -> None:
    parser = RobotFileParser("https://example.com/robots.txt")
    assert parser.mtime() == 0
    assert not parser.can_fetch("x", "/")
    assert (parser.crawl_delay("x"), parser.request_rate("x"), parser.site_maps()) == (None, None, None)
    parser.modified()
    assert parser.mtime() > 0 and parser.can_fetch("x", "/")


def test_flags_that_a_user_sets_hold() -> None:
    parser = parsed("User-agent: *\nDisallow: /x")
    parser.allow_all = True
    assert parser.can_fetch("a", "/x")
    parser.disallow_all = True
    assert not parser.can_fetch("a", "/y")


@pytest.mark.parametrize(
    "lines",
    [BODY.splitlines(), BODY.splitlines(keepends=True), iter(BODY.splitlines()), BODY, BODY.split("\n")],
)
def test_lines_come_with_or_without_their_ends(lines: Any) -> None:
    parser = RobotFileParser()
    parser.parse(lines)
    assert not parser.can_fetch("x", "/private/a")
    assert parser.can_fetch("examplebot/1.0 (crawler)", "/private/a")
    parser.parse([])
    assert parser.can_fetch("x", "/private/a") and parser.site_maps() is None


@pytest.mark.parametrize("lines", [[b"User-agent: *"], [1], None])
def test_lines_that_are_no_texts_are_refused_as_there(lines: Any) -> None:
    for parser in (urllib.robotparser.RobotFileParser(), RobotFileParser()):
        with pytest.raises((TypeError, AttributeError)):
            parser.parse(lines)


def test_the_rules_are_those_of_the_dialect() -> None:
    body = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /*.gif\n"
    assert parsed(body).can_fetch("x", "/a/b") and not parsed(body).can_fetch("x", "/c.gif")
    old = parsed(body, dialect="koster1996")
    assert old.dialect is Dialect.KOSTER1996
    assert not old.can_fetch("x", "/a/b") and old.can_fetch("x", "/c.gif")


def test_the_text_has_the_groups() -> None:
    parser = parsed(BODY)
    star = "User-agent: *\nCrawl-delay: 2\nRequest-rate: 3/15\nDisallow: /private/\nAllow: /private/press/"
    mine = "User-agent: ExampleBot\nAllow: "
    assert str(parser) == f"{star}\n\n{mine}"
    assert [entry.useragents for entry in parser.entries] == [["*"], ["ExampleBot"]]
    assert parser.default_entry is None
    old = parsed(BODY, dialect="koster1996")
    assert str(old) == f"{mine}\n\n{star}"
    assert old.default_entry and old.default_entry.delay == 2
    assert str(RobotFileParser()) == ""


def test_many_groups_are_each_there_once() -> None:
    parser = parsed("".join(f"User-agent: bot{nth}\nDisallow: /\n\n" for nth in range(5_000)))
    assert len(parser.entries) == 5_000


def test_it_can_be_pickled() -> None:
    again: RobotFileParser = pickle.loads(pickle.dumps(parsed(BODY)))
    assert not again.can_fetch("x", "/private/a")


class Handler(BaseHTTPRequestHandler):
    """Answers with the status that the path begins with."""

    def do_GET(self) -> None:
        status = int(self.path.split("/")[1])
        self.send_response(status)
        if status in (301, 302):
            self.send_header("Location", "/200/robots.txt")
        self.end_headers()
        if status == 200:
            self.wfile.write(b"User-agent: *\r\nDisallow: /private/\xff\rSitemap: /s\xff\n")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize(
    ("status", "disallow_all", "allow_all"),
    [
        (200, False, False),
        (301, False, False),
        (401, True, False),
        (403, True, False),
        (404, False, True),
        (410, False, True),
        (429, False, True),
        (500, True, False),
        (503, True, False),
    ],
)
def test_a_status_means_what_it_does_there(
    status: int, disallow_all: bool, allow_all: bool, origin: str
) -> None:
    parser = RobotFileParser(f"{origin}/{status}/robots.txt")
    parser.read()
    assert (parser.disallow_all, parser.allow_all) == (disallow_all, allow_all)
    assert parser.can_fetch("x", "/open") is not disallow_all
    assert (parser.mtime() > 0) is (status in (200, 301))
    original = urllib.robotparser.RobotFileParser(f"{origin}/{status}/robots.txt")
    # What it does with bytes that are not UTF-8, and with 5xx, has changed there.
    if 400 <= status < 500:
        original.read()
        assert original.can_fetch("x", "/open") is parser.can_fetch("x", "/open")


def test_bytes_that_are_no_text_are_read_and_a_later_answer_replaces_an_earlier_one(origin: str) -> None:
    parser = RobotFileParser(f"{origin}/403/robots.txt")
    parser.read()
    parser.set_url(f"{origin}/200/robots.txt")
    parser.read()
    assert parser.can_fetch("x", "/") and not parser.can_fetch("x", "/private/%FFx")
    assert parser.site_maps() == ["/s\udcff"]
    parser.set_url(f"{origin}/503/robots.txt")
    parser.read()
    assert not parser.can_fetch("x", "/")


def test_a_request_has_its_headers(origin: str) -> None:
    parser = RobotFileParser(urllib.request.Request(f"{origin}/404/x", headers={"User-Agent": "ExampleBot"}))
    parser.read()
    assert parser.allow_all


def test_what_the_network_raises_comes_through_and_nothing_is_allowed() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        parser = RobotFileParser(f"http://127.0.0.1:{unused.getsockname()[1]}/robots.txt")
        with pytest.raises(urllib.error.URLError):
            parser.read()
    assert not parser.can_fetch("x", "/")
    with pytest.raises(ValueError, match="unknown url type"):
        RobotFileParser("robots.txt").read()


def _calling(call: Callable[[], object]) -> Callable[..., object]:
    def urlopen(*_: object, **__: object) -> object:
        return call()

    return urlopen


@pytest.mark.parametrize("cut", [False, True])
def test_a_coded_file_is_decoded_or_nothing_is_allowed(tmp_path: Path, cut: bool, monkeypatch: Any) -> None:
    data = gzip.compress(b"User-agent: *\nDisallow: /private/\n")[: -4 if cut else None]
    reply = addinfourl(io.BytesIO(data), Message(), "https://example.com/robots.txt", 200)
    reply.headers["Content-Encoding"] = "gzip"
    monkeypatch.setattr(urllib.request, "urlopen", _calling(lambda: reply))
    parser = RobotFileParser("https://example.com/robots.txt")
    if cut:
        with pytest.raises(ValueError, match="cannot be decoded"):
            parser.read()
    else:
        parser.read()
    assert parser.can_fetch("x", "/open") is not cut
    assert not parser.can_fetch("x", "/private/x")


def test_a_server_that_hangs_is_left_in_time(monkeypatch: Any) -> None:
    monkeypatch.setattr(robotparser, "READ_SECONDS", 0.0)
    over = Event()
    monkeypatch.setattr(urllib.request, "urlopen", _calling(lambda: over.wait(60)))
    parser = RobotFileParser("https://example.com/robots.txt")
    with pytest.raises(TimeoutError):
        parser.read()
    over.set()
    assert not parser.can_fetch("x", "/")
