"""Whatever comes in, a documented answer or a documented exception comes out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import verger
from verger import _verger
from verger.compat.protego import Protego
from verger.compat.robotparser import RobotFileParser

# Made texts may be URLs, which are no mistake here.
pytestmark = pytest.mark.filterwarnings("ignore:the body is a URL")

PIECES = [
    "User-agent: ", "user agent ", "Disallow: ", "Allow:", "Sitemap: ", "Crawl-delay: ", "*", "$", "/",
    "%2F", "%", "\n", "\r", "\r\n", "\0", "#", " ", "\t", ":", "FooBot", "a", "ツ", "\udcff", "\ufeff",
    "?", "https://h.example", "index.html", "\ud800", "Content-Usage: train-ai=n", "Request-rate: 1/5",
]  # fmt: skip

TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
    st.text(max_size=40),
    st.text(st.characters(codec=None), max_size=20),
)
BYTES: st.SearchStrategy[Any] = st.one_of(
    TEXTS,
    st.binary(max_size=60),
    st.binary(max_size=20).map(bytearray),
    st.binary(max_size=20).map(lambda data: memoryview(data)),
)
ANYTHING = st.one_of(BYTES, st.none(), st.integers(), st.lists(TEXTS, max_size=3), st.just(object()))
BODIES = st.one_of(BYTES, TEXTS.map(lambda text: f"User-agent: *\nDisallow: /{text}"))
URLS = st.one_of(BYTES, TEXTS.map(lambda text: "https://h.example/" + text))
AGENTS = st.one_of(
    st.sampled_from(["FooBot", "*", "Googlebot", "a", verger.ProductToken("a"), verger.Crawler("gptbot")]),
    ANYTHING,
)
DIALECTS = st.sampled_from(list(verger.Dialect))

DOCUMENTED = (verger.ProductTokenError, verger.TargetError, TypeError, UnicodeEncodeError, ValueError)


def outcome(call: Any) -> object:
    """What a call answers, or the documented exception that it raises."""
    try:
        return call()
    except DOCUMENTED as error:
        assert not isinstance(error, verger.InternalError)
        return type(error)


@settings(max_examples=600, deadline=None)
@given(BODIES, AGENTS, URLS, DIALECTS)
def test_every_interface_answers_alike_or_raises_what_is_documented(
    body: Any, agent: Any, url: Any, dialect: verger.Dialect
) -> None:
    robots = outcome(lambda: verger.parse(body, dialect))
    one_pass = outcome(lambda: verger.allowed(body, agent, url, dialect))
    if not isinstance(robots, verger.RobotsTxt):
        assert robots is one_pass is UnicodeEncodeError
        return
    outcomes = [
        one_pass,
        outcome(lambda: verger.verdict(body, agent, url, dialect).allowed),
        outcome(lambda: robots.allowed(url, agent=agent)),
        outcome(lambda: robots.policy(agent).allowed(url)),
        outcome(lambda: robots.verdict(url, agent=agent).allowed),
        outcome(lambda: robots.explain(url, agent=agent).verdict.allowed),
        outcome(lambda: robots.policy(agent).check_many([url])[0]),
        outcome(lambda: robots.policy(agent).verdicts([url])[0].allowed),
    ]
    assert len(set(outcomes)) == 1, outcomes
    look_around(robots)


def look_around(robots: verger.RobotsTxt) -> None:
    assert robots.rules == tuple(rule for group in robots.groups for rule in group.rules)
    for record in robots.records:
        assert record.value_bytes in robots.body
    for value in (robots.sitemaps, robots.licenses, robots.clean_params, robots.diagnostics):
        assert isinstance(repr(value), str)
    assert isinstance(repr((robots.host, robots.warnings, robots)), str)
    assert robots.policy("x") == verger.Policy(robots, "x")


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
def test_bytes_come_back_as_they_went_in(body: bytes) -> None:
    robots = verger.parse(body)
    assert robots.body == body
    text = body.decode("utf-8", "surrogateescape")
    assert verger.parse(text) == robots
    for rule in robots.rules:
        assert rule.pattern_bytes in body


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_the_registry_answers_any_text(text: str) -> None:
    found = outcome(lambda: verger.Crawler.from_user_agent(text))
    assert found is None or found is UnicodeEncodeError or isinstance(found, verger.Crawler)
    token = outcome(lambda: verger.ProductToken(text))
    if isinstance(token, verger.ProductToken):
        assert str(token) == text
    try:
        verger.Crawler(text)
    except (verger.UnknownCrawlerError, UnicodeEncodeError) as error:
        assert str(error)


@settings(max_examples=150, deadline=None)
@given(BODIES, st.lists(URLS, max_size=20), DIALECTS)
def test_many_answers_are_the_answers_one_by_one(
    body: Any, urls: list[Any], dialect: verger.Dialect
) -> None:
    robots = outcome(lambda: verger.parse(body, dialect))
    if not isinstance(robots, verger.RobotsTxt):
        return
    policy = robots.policy("FooBot")
    many = outcome(lambda: policy.check_many(urls))
    one_by_one = [outcome(lambda url=url: policy.allowed(url)) for url in urls]
    failures = [it for it in one_by_one if isinstance(it, type)]
    if failures:
        assert many in failures
    else:
        assert many == one_by_one


def test_lone_surrogates_are_bytes_or_an_exception() -> None:
    body = b"User-agent: *\nDisallow: /\xff\n"
    policy = verger.parse(body).policy("x")
    assert not policy.allowed("/\udcff")
    assert not policy.allowed(b"/\xff")
    assert policy.rules[0].pattern == "/\udcff"
    assert policy.rules[0].pattern_bytes == b"/\xff"
    for call in (
        lambda: policy.allowed("/\ud800"),
        lambda: verger.parse("\ud800"),
        lambda: verger.allowed("", "\udc00", "/"),
        lambda: policy.check_many(["/", "/\ud800"]),
        lambda: verger.ProductToken("\ud800"),
    ):
        with pytest.raises(UnicodeEncodeError):
            call()


def test_nul_is_a_byte_like_any_other() -> None:
    google = verger.parse("User-agent: *\nDisallow: /a\0b\nDisallow: /c\n", "google")
    assert google.allowed("/b", agent="x")
    assert not google.allowed("/c\0d", agent="x")
    policy = verger.parse("User-agent: *\nDisallow: /c\n").policy("x")
    assert not policy.allowed("/c\0d")


def test_other_types_are_type_errors() -> None:
    robots = verger.parse("")
    policy = robots.policy("x")
    wrong: list[Any] = [None, 7, 1.5, object(), {}, ["/"]]
    for it in wrong:
        for call in (verger.parse, policy.allowed, policy.verdict, policy.explain, verger.ProductToken):
            with pytest.raises(TypeError):
                call(it)
    for it in [None, 7, "/", b"/", bytearray(b"/"), [7], [None]]:
        with pytest.raises(TypeError):
            policy.check_many(it)  # type: ignore[arg-type]
    for it in [None, 7, b"x", [7], object()]:
        with pytest.raises(TypeError):
            robots.policy(it)  # type: ignore[arg-type]
    with pytest.raises(ValueError):
        robots.policy([])
    with pytest.raises(ValueError, match="'rfc'"):
        verger.parse("", "rfc")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        verger.parse("", 1)  # type: ignore[arg-type]


def test_an_iterator_that_raises_is_heard() -> None:
    def urls() -> Any:
        yield "/"
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        verger.parse("").policy("x").check_many(urls())


def test_large_bodies_are_read_whole_in_google_and_cut_elsewhere() -> None:
    rules = "".join(f"Disallow: /{'x' * 50}\n" for _ in range(20_000))
    body = f"User-agent: *\n{rules}Disallow: /last\n"
    assert len(body) > 1_000_000
    assert not verger.allowed(body, "a", "/last", "google")
    assert verger.allowed(body, "a", "/last")


def test_a_long_list_of_names_is_asked_in_order() -> None:
    names = [f"bot{nth}" for nth in range(10_000)]
    body = "User-agent: bot9999\nDisallow: /\nUser-agent: *\nDisallow:"
    assert not verger.parse(body).allowed("/", agent=names)
    assert verger.parse(body).allowed("/", agent=names[:-1])


def test_a_panic_is_an_exception_and_the_process_goes_on() -> None:
    panic: Any = vars(_verger)["_panic"]
    with pytest.raises(verger.InternalError, match="of this test"):
        panic("of this test")
    assert verger.allowed("", "x", "/")


@settings(max_examples=500, deadline=None)
@given(TEXTS, TEXTS, TEXTS, DIALECTS)
def test_the_interfaces_of_other_parsers_answer_any_text(
    body: str, agent: str, url: str, dialect: verger.Dialect
) -> None:
    try:
        file = Protego.parse(body, dialect=dialect)
        parser = RobotFileParser(dialect=dialect)
        parser.parse(body.split("\n"))
    except UnicodeEncodeError:
        assert outcome(lambda: verger.parse(body)) is UnicodeEncodeError
        return
    robots = verger.parse(body, dialect, options=["lenient-lines", "lenient-other-records"])
    assert isinstance(str(parser), str) and list(file.sitemaps) == list(robots.sitemaps)
    assert file.preferred_host is None or file.preferred_host in body
    for asked in (file, parser):
        asked.crawl_delay(agent)
        asked.request_rate(agent)
    try:
        file.can_fetch(url, agent)
        parser.can_fetch(agent, url)
    except ValueError as error:
        assert isinstance(error, UnicodeEncodeError) or "[" in url or "]" in url
