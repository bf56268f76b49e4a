"""`verger.compat.protego` is Protego to its users: its interface, and its own tests."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from datetime import time
from typing import Any

import originals
import protego
import pytest

from verger import Dialect
from verger.compat.protego import Protego, RequestRate, VisitTime

BODY = """
User-agent: *
Disallow: /private/
Allow: /private/press/
Crawl-delay: 2.5
Request-rate: 1/10m 0800-1200
Visit-time: 0600-0845

user agent: ExampleBot
disalow /x
Sitemap: https://example.com/sitemap.xml
Host: WWW.example.com:8080
"""


def test_its_own_tests_pass_but_for_those_that_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    ran, failed = originals.run("protego", originals.protego_tests(), "rfc9309")
    originals.assert_as_listed(failed, "protego.txt")
    assert ran > 4000
    with capsys.disabled():
        print(f"\nProtego: {ran - len(failed)} of its own {ran} tests pass")


def test_the_interface_has_what_the_original_has() -> None:
    def public(of: object) -> set[str]:
        return {name for name in dir(of) if not name.startswith("_")}

    assert public(Protego) == public(protego.Protego)
    assert RequestRate._fields == protego.RequestRate._fields
    assert VisitTime._fields == protego.VisitTime._fields
    robots = Protego.parse(content=BODY)
    assert robots.can_fetch(url="/private/press/", user_agent="x")
    assert robots.crawl_delay(user_agent="x") == 2.5


def test_values_are_those_of_the_group_that_applies() -> None:
    robots = Protego.parse(BODY)
    assert not robots.can_fetch("https://example.com/private/x", "OtherBot/1.0")
    assert robots.request_rate("*") == RequestRate(1, 600, time(8), time(12))
    assert robots.visit_time("*") == VisitTime(time(6), time(8, 45))
    assert robots.crawl_delay("examplebot") is None
    assert robots.request_rate("examplebot") is None
    assert robots.visit_time("examplebot") is None
    assert isinstance(robots.sitemaps, Iterator)
    assert list(robots.sitemaps) == ["https://example.com/sitemap.xml"] == list(robots.sitemaps)
    assert robots.preferred_host == "WWW.example.com:8080"
    assert Protego.parse("").preferred_host is None
    assert Protego().can_fetch("/", "x") and not list(Protego().sitemaps)


@pytest.mark.parametrize(
    ("agent", "allowed"),
    [
        ("ExampleBot", False),
        ("examplebot/2.0", False),
        ("Mozilla/5.0 (compatible; ExampleBot/1.0; +https://example.com/bot)", False),
        ("ExampleBot2/1.0", False),
        ("MyExampleBot", True),
        ("Example", True),
        ("", True),
        ("1.0", True),
        ("UnicödeBöt", True),
    ],
)
def test_an_agent_is_any_text(agent: str, allowed: bool) -> None:
    robots = Protego.parse(BODY)
    assert robots.can_fetch("/x", agent) is allowed
    assert robots.can_fetch("/private/x", agent) is not allowed
    assert robots.can_fetch("/x", agent) is allowed


def test_the_longest_name_of_a_header_counts() -> None:
    robots = Protego.parse("User-agent: bot\nDisallow: /a\n\nUser-agent: examplebot\nDisallow: /b\n")
    assert robots.can_fetch("/a", "examplebot bot") and not robots.can_fetch("/b", "examplebot bot")


@pytest.mark.parametrize("url", ["", "x", "http:", "#f", "?q", "mailto:x", "//h/x", "/\0", "*", "a b"])
def test_a_url_is_any_text(url: str) -> None:
    assert not Protego.parse("User-agent: *\nDisallow: /").can_fetch(url, "x")
    assert Protego.parse("").can_fetch(url, "x")


def test_content_that_is_no_text_is_refused_as_there() -> None:
    content: Any
    for content in (b"User-agent: *", None, 1):
        with pytest.raises(TypeError) as theirs:
            protego.Protego.parse(content)
        with pytest.raises(TypeError) as ours:
            Protego.parse(content)
        assert str(ours.value) == str(theirs.value)


def test_the_dialect_is_a_choice() -> None:
    body = "User-agent: *\nDisallow: /\nAllow: /a/index.html\n"
    assert not Protego.parse(body).can_fetch("/a/", "x")
    assert Protego.parse(body, dialect="google").can_fetch("/a/", "x")
    assert Protego.parse(body, dialect=Dialect.GOOGLE).can_fetch("/a/", "x")
    assert not Protego.parse(body, dialect="koster1996").can_fetch("/a/index.html", "x")
    wrong: Any = "mine"
    with pytest.raises(ValueError, match="mine"):
        Protego.parse(body, dialect=wrong)


class Mine(Protego):
    """As a user would, with an initialiser that takes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0


def test_it_can_be_extended_and_pickled() -> None:
    mine = Mine.parse(BODY)
    assert isinstance(mine, Mine) and mine.asked == 0
    again: Protego = pickle.loads(pickle.dumps(mine))
    assert not again.can_fetch("/private/x", "x")


def test_memory_does_not_grow_with_the_agents() -> None:
    robots = Protego.parse(BODY)
    for nth in range(2000):
        assert not robots.can_fetch("/private/", f"bot{nth}")
    assert len(robots._reading._policies) < 300  # pyright: ignore[reportPrivateUsage]
