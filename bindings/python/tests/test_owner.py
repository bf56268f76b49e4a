"""`verger.owner` answers what the command prints with `--json`."""

from __future__ import annotations

import itertools
import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import verger
from verger import owner
from verger.access import AuthorityError, Fetch, Store, StoreError

LINES = (
    "User-agent: *",
    "User-agent: GPTBot\nUser-agent: ExampleBot",
    "Disallow: /",
    "Disallow: /private*\nAllow: /private/x$",
    "Disalow: b\n\nSitemap: /s.xml",
)
MADE = ["\n".join(lines).encode() for lines in itertools.permutations(LINES, 3)][::2]
ODD = [
    b"",
    b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /\xff\xfe\n",
    b"User-agent: *\rDisallow: /a\rCrawl-delay: x",
    b"<html><body>not found</body></html>",
    b"User-agent: Foo Bar\nDisallow: /\xc2\x9b\nNoindex: /",
]
BODIES = [*MADE, *ODD]
AGENTS = ("gptbot", "ExampleBot", "googlebot-news", "@ai-train")


def printed(*arguments: str) -> list[dict[str, Any]]:
    """The lines of JSON that the command prints."""
    command = [sys.executable, "-m", "verger", *arguments]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    assert done.returncode in (0, 1), done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(params=range(len(BODIES)))
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """Two files, one body and the next."""
    first: int = request.param
    files = tmp_path / "old.txt", tmp_path / "new.txt"
    for nth, file in enumerate(files, first):
        file.write_bytes(BODIES[nth % len(BODIES)])
    yield files


@pytest.mark.parametrize("dialect", list(verger.Dialect))
def test_who_and_diff_are_those_of_the_command(
    pair: tuple[Path, Path], dialect: verger.Dialect
) -> None:
    old, new = pair
    options = ["--json", "--dialect", dialect.value, *(f"--agent={it}" for it in AGENTS)]
    rows = owner.who(old.read_bytes(), agents=AGENTS, dialect=dialect)
    assert rows == printed("who", *options, str(old))
    changes = owner.diff(old.read_bytes(), new.read_bytes(), agents=AGENTS, dialect=dialect)
    assert changes == printed("diff", *options, str(old), str(new))


def test_without_agents_they_are_about_all(pair: tuple[Path, Path]) -> None:
    old, new = pair
    assert owner.who(old.read_bytes()) == printed("who", "--json", str(old))
    changes = owner.diff(old.read_bytes(), new.read_bytes())
    assert changes == printed("diff", "--json", str(old), str(new))


def test_lint_is_that_of_the_command(pair: tuple[Path, Path]) -> None:
    file, _ = pair
    [found] = printed("lint", "--json", "--site", "https://example.com", str(file))
    assert owner.lint(file.read_bytes(), name=str(file), site="https://example.com/") == found
    settings = '[lint]\ndeny = ["misspelt-key"]\nallow = ["empty-file"]\n'
    (file.parent / "verger.toml").write_text(settings)
    [found] = printed("lint", "--json", str(file))
    assert owner.lint(file.read_bytes(), name=str(file), settings=settings) == found


def test_parse_is_that_of_the_command(pair: tuple[Path, Path]) -> None:
    file, _ = pair
    [held] = printed("parse", "--json", str(file))
    assert owner.parse(file.read_bytes(), name=str(file)) == held
    as_said = "--dialect=google", "--agent=gptbot", "--reading=lenient-other-records"
    [held] = printed("parse", "--json", *as_said, str(file))
    options = ["lenient-other-records"]
    body = file.read_bytes()
    assert owner.parse(body, name=str(file), agent="gptbot", dialect="google", options=options) == held


def test_history_is_that_of_the_command(tmp_path: Path) -> None:
    path, url = tmp_path / "seen.db", "https://example.com/"
    store = Store(path)
    for now, body in enumerate((b"User-agent: *\nDisallow: /a\n", b"User-agent: *\n"), 1_700_000_000):
        fetch = Fetch(url)
        fetch.response(200, [("Content-Type", "text/plain")], body, now=now)
        lease = store.acquire(url, holder="test", now=now, seconds=60)
        assert lease and store.put(lease, fetch)
    options = ["history", "--json", "--store", str(path)]
    assert owner.history(store, url) == printed(*options, url)
    assert len(owner.history(store, url)) == 2
    assert owner.history(store, url, lines=True) == printed(*options, "--diff", url)
    since = printed(*options, "--since", "@1700000001", url)
    assert owner.history(store, url, since=1_700_000_001) == since
    assert len(owner.history(store, url, until=1_700_000_001)) == 1
    assert owner.history(store, "http://elsewhere.example/") == []


def test_facts_that_are_put_are_in_the_history(tmp_path: Path) -> None:
    path, url, now = tmp_path / "seen.db", "https://example.com/", 1_700_000_000
    store = Store(path)
    fetch = Fetch(url)
    fetch.response(200, [], b"", now=now)
    lease = store.acquire(url, holder="test", now=now, seconds=60)
    assert lease is not None
    head = {"text": "GET /robots.txt HTTP/1.1\r\nCookie: secret\r\n\r\n"}
    wrong_ones: list[Any] = [[{"peer": "nowhere"}], {}, [object()]]
    for wrong in wrong_ones:
        with pytest.raises((ValueError, TypeError)):
            store.put(lease, fetch, facts=wrong)
    assert store.put(lease, fetch, facts=[{"peer": "192.0.2.1", "request": head}])
    seen = owner.history(store, url, facts=True)
    assert seen == printed("history", "--json", "--facts", "--store", str(path), url)
    facts = seen[0]["hops"][0]["facts"]
    assert (facts["peer"], facts["response"]) == ("192.0.2.1", None)
    assert facts["request"]["text"] == "GET /robots.txt HTTP/1.1\r\nCookie: [6 bytes removed]\r\n\r\n"


def test_a_history_of_a_store_that_fails_is_an_exception(tmp_path: Path) -> None:
    path, url = tmp_path / "seen.db", "https://example.com/"
    store = Store(path)
    assert owner.history(store, url) == []
    with closing(sqlite3.connect(path)) as database:
        tables = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
        for (table,) in database.execute(tables).fetchall():
            database.execute(f'drop table "{table}"')
    with pytest.raises(StoreError, match="no such table"):
        owner.history(store, url)


def test_what_cannot_be_asked_is_an_exception() -> None:
    with pytest.raises(verger.ProductTokenError):
        owner.who("", agents=["no token/1"])
    with pytest.raises(ValueError, match="`@nothing` is neither a purpose nor an operator"):
        owner.diff("", "", agents=["@nothing"])
    with pytest.raises(ValueError, match=r"`@ai-trian` is neither .* did you mean `@ai-train`\?"):
        owner.who("", agents=["@ai-trian"])
    with pytest.raises(ValueError, match="@openai"):
        owner.parse("", agent="@openai")
    with pytest.raises(TypeError):
        owner.who("", agents="gptbot")
    with pytest.raises(ValueError, match="there is no lint"):
        owner.lint("", settings='[lint]\nallow = ["no-lint"]')
    with pytest.raises(AuthorityError):
        owner.lint("", site="mailto:x")
    with pytest.raises(ValueError, match="not a response head"):
        owner.page("", "/", head="<!doctype html>")
    with pytest.raises(verger.TargetError, match="`x`"):
        owner.page("", "x")
    with pytest.raises(verger.ProductTokenError):
        owner.page("", "/", agents=["a/1"])
    with pytest.raises(ValueError, match="invalid time"):
        owner.page("", "/", at=-1)
    with pytest.raises(TypeError):
        owner.page("", "/", head="HTTP/1.1 200", html=["<p>"])  # type: ignore[arg-type]


def test_a_page_is_read_as_it_came() -> None:
    # UTF-16, as the head says. Without it, there are no elements.
    html = "<meta name=googlebot content='unavailable_after: 2030-01-01'>".encode("utf-16-le")
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-16le\r\n"
    question: dict[str, Any] = {"agents": ["googlebot"], "html": memoryview(html), "head": head}
    states = [owner.page("", "/", at=at, **question)[0]["page"]["state"] for at in (1.8e9, 1893456001.5)]
    assert states == ["indexable", "not-indexed"]
    [row] = owner.page("", "/", agents=["googlebot"], head="HTTP/1.1 200 OK", html=html)
    assert row["page"]["directives"] == []
    # A `str` is decoded already, whatever the head says.
    [row] = owner.page("", "/", head="HTTP/1.1 200 OK\nContent-Type: text/html; charset=utf-16", html=html.decode("utf-16-le"))
    assert len(row["page"]["directives"]) == 1
    [row] = owner.page("", "/", head="HTTP/1.1 200 OK\nContent-Type: text/html")
    assert row["page"]["reason"] == "html-not-given"
    [row] = owner.page("", "/", html=b"\x1f\x8b\x08\x00")
    assert row["page"]["reason"] == "html-compressed"


def test_each_crawler_is_judged_as_its_operator_reads_unless_a_dialect_is_given() -> None:
    agents = ["googlebot", "gptbot"]
    rows = owner.who("", agents=agents)
    assert [row["dialect"] for row in rows] == ["google", "rfc9309"]
    rows = owner.who("", agents=agents, dialect="rfc9309")
    assert [row["dialect"] for row in rows] == ["rfc9309", "rfc9309"]
