"""Files, policies, verdicts and values."""

from __future__ import annotations

import copy
import json
import operator
import pickle
import signal
import sys
from _thread import interrupt_main
from datetime import time, timezone
from itertools import chain, repeat
from typing import Any, cast

import pytest

import verger
from verger import Dialect, Effect, NamedBy, Preference, ReadingOption, Reason, Rule, Signal, access

BODY = """\
User-agent: *
Disallow: /private/
Allow: /private/press/
Crawl-delay: 2.5
Request-rate: 1/10 0800-1159
Visit-time: 0600-0845
Content-Signal: search=yes, ai-train=no
Content-Usage: train-ai=n
Content-Usage: /open/ train-ai=y

User-agent: GPTBot
Disallow: /
Sitemap: https://example.com/sitemap.xml
Host: www.example.com:8080
Clean-param: ref&sid /shop/
License: https://example.com/license.xml
"""


def test_a_verdict_says_what_decided() -> None:
    policy = verger.parse(BODY).policy("ExampleBot")
    verdict = policy.verdict("https://example.com/private/x")
    assert (verdict.effect, verdict.reason, verdict.line) == (Effect.DISALLOW, Reason.RULE, 2)
    assert not verdict.allowed
    assert not verdict
    assert verdict.rule == Rule(Effect.DISALLOW, "/private/", 2)
    assert verdict.group == verger.AppliedGroup(1, NamedBy.STAR)
    assert str(verdict) == "disallowed, line 2: Disallow: /private/ (group at line 1, *)"
    assert repr(verdict) == f"<Verdict {verdict}>"
    assert policy.verdict("/private/press/x").line == 3
    assert str(policy.verdict("/elsewhere")) == "allowed, no rule matches (group at line 1, *)"
    assert policy.verdict("/robots.txt").reason is Reason.ROBOTS_TXT
    nothing = verger.parse("User-agent: other\nDisallow: /").verdict("/", agent="ExampleBot")
    assert (nothing.reason, nothing.group, nothing.rule) == (Reason.NO_GROUP, None, None)
    assert str(nothing) == "allowed, no group applies to the crawler"


def test_verdicts_are_made_for_pattern_matching() -> None:
    policy = verger.parse(BODY).policy("ExampleBot")

    def told(url: str) -> str:
        match policy.verdict(url):
            case verger.Verdict("allow", "no-rule"):
                return "nothing is said"
            case verger.Verdict(Effect.ALLOW):
                return "go on"
            case verger.Verdict(line=line, rule=Rule(pattern=pattern)):
                return f"line {line} forbids {pattern}"
            case _:
                return "never"

    assert told("/x") == "nothing is said"
    assert told("/private/press/x") == "go on"
    assert told("/private/x") == "line 2 forbids /private/"


def test_names_are_strings() -> None:
    assert Dialect("google") is Dialect.GOOGLE
    assert str(Dialect.GOOGLE) == "google" == Dialect.GOOGLE.value
    assert Dialect.GOOGLE == str("google")
    assert f"{Effect.ALLOW}" == "allow"
    assert verger.parse("", "google").dialect is Dialect.GOOGLE
    assert [str(it) for it in Dialect] == ["rfc9309", "google", "draft2019", "koster1996"]


def test_what_else_a_file_says() -> None:
    robots = verger.parse(BODY)
    assert robots.body == BODY.encode()
    assert [group.user_agents for group in robots.groups] == [("*",), ("GPTBot",)]
    assert robots.groups[0].rules == robots.rules[:2]
    assert str(robots.rules[1]) == "Allow: /private/press/"
    assert robots.sitemaps == ("https://example.com/sitemap.xml",)
    assert robots.licenses == ("https://example.com/license.xml",)
    assert robots.host == verger.Host("www.example.com", 8080, None, 14)
    assert robots.clean_params == (verger.CleanParam(("ref", "sid"), "/shop/", 15),)
    signal = robots.content_signal("ExampleBot")
    assert (signal.search, signal.ai_train, signal.ai_input) == (Signal.YES, Signal.NO, None)
    assert signal.pairs[1] == verger.SignalPair("ai-train", "no", Signal.NO, 7)
    assert [it.path for it in robots.content_usage("ExampleBot")] == [None, "/open/"]
    preferences = robots.preferences("/open/x", agent="ExampleBot")
    assert preferences and preferences.train_ai is Preference.YES
    assert robots.preferences("/private/x", agent="ExampleBot") is None
    delay = next(it for it in robots.records if it.kind == "crawl-delay")
    assert (delay.key, delay.value, delay.line) == ("Crawl-delay", "2.5", 4)
    assert robots.noindex("ExampleBot") == ()


def test_the_pacing_has_lines_and_combines_by_time_of_day() -> None:
    pacing = verger.parse(BODY).policy("ExampleBot").pacing
    delay = pacing.crawl_delay
    assert delay == verger.CrawlDelay(2500, 4)
    assert delay and delay.seconds == 2.5
    (rate,) = pacing.request_rates
    assert (rate.requests, rate.seconds, rate.interval_milliseconds) == (1, 10, 10_000)
    assert (rate.window, rate.line) == (verger.DayWindow(time(8), time(11, 59)), 5)
    assert pacing.visit_times == (verger.VisitTime(verger.DayWindow(time(6), time(8, 45)), 6),)
    assert pacing.wait_milliseconds(time(9, tzinfo=timezone.utc)) == 10_000
    assert pacing.wait_milliseconds(time(12)) == 2500
    assert pacing.is_welcome_at(time(8, 45)) and not pacing.is_welcome_at(time(8, 46))
    assert pacing
    none = verger.parse(BODY).pacing("GPTBot")
    assert not none and none.wait_milliseconds(time(9)) == 0
    assert none == verger.parse("").pacing("x") != pacing


def test_findings_have_their_clauses() -> None:
    robots = verger.parse(b"\xef\xbb\xbfUser-agent: *\nDisalow: /a\nno colon\nDisallow: /\n")
    kinds = [it.kind for it in robots.diagnostics]
    assert kinds == ["byte-order-mark-skipped", "misspelt-key-ignored", "no-separator"]
    assert robots.diagnostics[1].line == 2
    assert robots.diagnostics[1].clause == "V-16"
    html = verger.parse("<!DOCTYPE html><html><body>")
    assert [it.kind for it in html.warnings] == [it.kind for it in html.warnings if it.message]
    assert html.warnings


def test_an_explanation_names_the_rules_and_the_dialects() -> None:
    robots = verger.parse("User-agent: *\n\nDisallow: /a\nAllow: /\n")
    explained = robots.policy("x").explain("/a")
    assert explained == robots.explain("/a", agent="x")
    assert [(it.line, it.decides) for it in explained.candidates] == [(3, True), (4, False)]
    assert explained.candidates[1].why == "line 3 is more specific"
    (other,) = explained.others
    assert (other.dialect, other.effect) == (Dialect.KOSTER1996, Effect.ALLOW)
    assert other.clause == "K96-3.2-1"
    assert explained.as_dict()["schema"] == "verger.check/1"
    assert str(explained).splitlines()[0] == str(explained.verdict)


def test_options_change_the_reading() -> None:
    body = "User-agent: *\nDisalow: /\n"
    assert verger.allowed(body, "x", "/")
    assert not verger.allowed(body, "x", "/", options=["lenient-lines"])
    robots = verger.parse(body, options=[ReadingOption.LENIENT_LINES])
    assert robots.options == {ReadingOption.LENIENT_LINES}
    assert robots != verger.parse(body)
    assert pickle.loads(pickle.dumps(robots)) == robots
    with pytest.raises(ValueError, match="expected one of"):
        verger.parse(body, options=["lenient"])  # type: ignore[list-item]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_everything_is_pickled_hashed_and_compared(protocol: int) -> None:
    robots = verger.parse(BODY, "draft2019")
    verdict = robots.verdict("/private/x", agent="a")
    for it in (
        robots,
        robots.policy("a"),
        robots.policy(["a", "b"]),
        robots.policy("*"),
        robots.policy(verger.Crawler("gptbot")),
        verdict,
        robots.verdict("/x", agent="a"),
        robots.groups,
        robots.records,
        robots.explain("/private/x", agent="a"),
        robots.pacing("ExampleBot"),
        robots.pacing("GPTBot"),
        robots.content_signal("ExampleBot"),
        verger.Crawler("gptbot"),
        verger.ProductToken("GPTBot"),
        Dialect.GOOGLE,
    ):
        again: object = pickle.loads(pickle.dumps(it, protocol))
        assert again == it
        assert hash(again) == hash(it)
        assert type(again) is type(it)
    again = pickle.loads(pickle.dumps(verdict, protocol))
    assert isinstance(again, verger.Verdict)
    assert again.rule == verdict.rule and str(again) == str(verdict)
    for error in (
        verger.ProductTokenError("m", "t", "l"),
        verger.TargetError("m", "u", 3),
        verger.UnknownCrawlerError("n", ["a"]),
    ):
        same = pickle.loads(pickle.dumps(error, protocol))
        assert (vars(same), str(same)) == (vars(error), str(error))


def test_what_differs_is_not_equal() -> None:
    robots = verger.parse(BODY)
    assert robots != verger.parse(BODY, "google")
    assert robots != verger.parse(BODY + "#")
    assert robots.policy("a") != robots.policy("b")
    assert robots.policy("a") == verger.Policy(verger.parse(BODY.encode()), "A")
    assert robots.policy("a") != robots
    assert robots.policy("a").robots == robots
    assert verger.ProductToken("gptbot") == verger.ProductToken("GPTBot")
    assert verger.Crawler("gptbot") != verger.Crawler("googlebot")
    assert robots.verdict("/private/x", agent="a") != robots.verdict("/x", agent="a")


def test_nothing_can_be_changed_or_extended() -> None:
    robots = verger.parse(BODY)
    for it in (robots, robots.policy("a"), robots.verdict("/", agent="a"), robots.pacing("a")):
        with pytest.raises(AttributeError):
            it.line = 1  # type: ignore[misc,union-attr,unused-ignore]
    with pytest.raises(TypeError):
        type("Mine", (verger.RobotsTxt,), {})


def test_sizes_count_the_memory_of_the_compiled_part() -> None:
    assert sys.getsizeof(verger.parse(BODY)) > len(BODY)
    assert sys.getsizeof(verger.parse(BODY * 10)) > 10 * len(BODY)


def test_verdicts_and_policies_need_no_tree() -> None:
    robots = verger.parse(BODY)
    size = sys.getsizeof(robots)
    policy = robots.policy("ExampleBot")
    one_pass = verger.verdict(BODY, "ExampleBot", "/private/x")
    assert one_pass == policy.verdict("/private/x") == robots.verdict("/private/x", agent="ExampleBot")
    assert str(one_pass) == "disallowed, line 2: Disallow: /private/ (group at line 1, *)"
    assert robots.allowed("/x", agent="ExampleBot") and policy.explain("/x").verdict
    assert hash(pickle.loads(pickle.dumps(robots))) == hash(robots)
    assert sys.getsizeof(robots) == sys.getsizeof(policy.robots) == size
    assert robots.groups
    assert sys.getsizeof(robots) == sys.getsizeof(policy.robots) > size + len(BODY)
    assert policy.verdict("/private/x") == one_pass == robots.verdict("/private/x", agent="ExampleBot")
    bridged = verger.parse(b"\xff\xfe/\0", options=["bridge-encodings"])
    assert bridged.body == b"/" and bridged == verger.parse(b"/", options=["bridge-encodings"])


def test_many_urls_at_once() -> None:
    policy = verger.parse(BODY).policy("ExampleBot")
    urls: list[str | bytes | bytearray | memoryview] = ["/a", b"/private/x"]
    urls += [bytearray(b"/private/press/"), memoryview(b"/private/")]
    assert policy.check_many(urls) == [True, False, True, False]
    assert policy.check_many(iter(urls)) == [True, False, True, False]
    assert policy.verdicts(urls) == [policy.verdict(url) for url in urls]
    assert policy.check_many([]) == []
    many = [f"/private/{nth}" if nth % 3 else "/x" for nth in range(10_000)]
    assert policy.check_many(many) == [nth % 3 == 0 for nth in range(10_000)]
    with pytest.raises(verger.TargetError) as caught:
        policy.check_many([*many, "no URL"])
    assert (caught.value.index, caught.value.url) == (10_000, "no URL")
    assert policy.check_many(["/a", "no URL"], strict=False) == [True, None]
    assert policy.verdicts(["no URL"], strict=False) == [None]


def test_agents_are_tokens_several_in_order_or_known_crawlers() -> None:
    robots = verger.parse("User-agent: Googlebot\nDisallow: /\nUser-agent: *\nAllow: /")
    assert not robots.allowed("/x", agent=["Googlebot-News", "Googlebot"])
    assert robots.allowed("/x", agent="Googlebot-News")
    assert not robots.allowed("/x", agent=verger.Crawler("Googlebot-News"))
    assert not robots.allowed("/x", agent=verger.ProductToken("googlebot"))
    assert not robots.allowed("/x", agent=("x", verger.ProductToken("googlebot")))
    assert robots.policy("x").agent == ("x",)
    assert robots.policy("*").agent == ("*",)
    assert robots.policy(verger.Crawler("gptbot")).agent == verger.Crawler("gptbot")
    with pytest.raises(verger.ProductTokenError) as caught:
        robots.policy("Googlebot/2.1")
    assert (caught.value.text, caught.value.likely) == ("Googlebot/2.1", "Googlebot")
    assert str(caught.value) == "`Googlebot/2.1` is not a product token: use `Googlebot`"


def test_a_known_crawler_is_asked_about_by_its_tokens() -> None:
    # `kangaroo-bot` is a name of the registry, and no token: the crawler looks up `Kangaroo`.
    robots = verger.parse("User-agent: kangaroo-bot\nDisallow: /\n\nUser-agent: *\nDisallow: /a\n")
    for name, expected in [("kangaroo-bot", [True, False]), ("adsbot-google", [True, True])]:
        crawler = verger.Crawler(name)
        urls = ["/", "/a"]
        assert [robots.allowed(url, agent=crawler) for url in urls] == expected
        assert [robots.policy(crawler).allowed(url) for url in urls] == expected
        assert [robots.explain(url, agent=crawler).verdict.allowed for url in urls] == expected


def test_the_registry() -> None:
    crawlers = verger.crawlers()
    assert len(crawlers) > 200
    news = verger.Crawler("googlebot-news")
    assert news in crawlers
    assert [str(it) for it in news.tokens] == ["Googlebot-News", "Googlebot"]
    assert (news.name, news.operator, news.honours_star) == ("googlebot-news", "Google", True)
    purposes = {purpose for crawler in crawlers for purpose in crawler.purposes}
    assert purposes <= set(verger.Purpose)
    assert {crawler.obeys for crawler in crawlers} <= set(verger.Obeys)
    header = "Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)"
    assert verger.Crawler.from_user_agent(header) == verger.Crawler("gptbot")
    assert verger.Crawler.from_user_agent("Mozilla/5.0") is None
    with pytest.raises(verger.UnknownCrawlerError, match="Did you mean") as caught:
        verger.Crawler("gptbott")
    assert "gptbot" in caught.value.suggestions
    assert isinstance(caught.value, LookupError)


def test_classes_name_their_public_place() -> None:
    classes = [getattr(verger, name) for name in verger.__all__]
    classes = [value for value in classes if isinstance(value, type)]
    assert len(classes) > 30
    for value in classes:
        assert value.__module__ == "verger", value
        assert getattr(verger, value.__qualname__) is value
    with pytest.raises(verger.TargetError) as caught:
        verger.allowed("", "FooBot", "no url")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), again.args) == (verger.TargetError, caught.value.args)


def test_a_set_of_agents_has_no_order() -> None:
    robots = verger.parse("User-agent: a\nDisallow: /")
    assert not robots.allowed("/", agent=["a", "b"])
    for agents in ({"a", "b"}, frozenset({"a"}), iter(["a", "b"]), {"a": 1}):
        with pytest.raises(TypeError, match="sequence"):
            robots.policy(cast(Any, agents))


def test_a_url_is_no_body() -> None:
    with pytest.warns(UserWarning, match="not fetched"):
        assert verger.parse("https://example.com/robots.txt\n").allowed("/", agent="a")
    verger.parse("https://example.com/\nUser-agent: *")


def test_missing_values_are_none_among_many() -> None:
    policy = verger.parse("User-agent: *\nDisallow: /a").policy("x")
    urls: list[Any] = ["/a", None, float("nan"), "/b"]
    assert policy.check_many(urls, strict=False) == [False, None, None, True]
    for wrong in (None, 1.5):
        with pytest.raises(TypeError):
            policy.check_many(cast(Any, ["/a", wrong]), strict=wrong is None)


def test_ctrl_c_is_heard_among_many() -> None:
    # All of these iterators are in C, so the interpreter itself handles no signal meanwhile.
    interrupt, rest = map(interrupt_main, [signal.SIGINT]), repeat("/", 100_000)
    with pytest.raises(KeyboardInterrupt):
        verger.parse("").policy("x").check_many(chain(interrupt, rest), strict=False)
    assert operator.length_hint(rest) > 50_000


def test_a_copy_is_the_same_object_and_a_verdict_a_dict() -> None:
    robots = verger.parse("User-agent: *\nDisallow: /a")
    policy = robots.policy("x")
    assert copy.copy(policy) is policy and copy.deepcopy([robots])[0] is robots
    assert json.loads(json.dumps(policy.verdict("/a").as_dict())) == {
        **{"allowed": False, "reason": "rule", "line": 2, "rule": "Disallow: /a"},
        "group": {"line": 1, "named": False},
    }


def test_there_is_one_authority() -> None:
    assert verger.authority("https://H.example:443/x") == access.authority("https://h.example/")
    assert verger.robots_url("https://h.example/x?y") == "https://h.example/robots.txt"
    for url in ("http:///x", "https:h/x", "http:\\h\\x", " http://h/", "/x"):
        for ask in (verger.authority, access.authority, verger.robots_url):
            with pytest.raises(access.AuthorityError):
                ask(url)
