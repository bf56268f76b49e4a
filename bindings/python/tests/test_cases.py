"""The cases of the repository's testdata/, which `cargo xtask python` writes as JSON Lines: the package is
held to the same table as the engine."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from base64 import b64decode
from collections import defaultdict
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

import verger
from verger import Dialect, owner
from verger.access import Store

CASES = Path(__file__).resolve().parent.parent / "tmp" / "cases.jsonl"

OPTIONS = {
    "other-records-lenient": "lenient-other-records",
    "lenient-lines": "lenient-lines",
    "ignore-allow": "ignore-allow",
    "bridge": "bridge-encodings",
    "comma-agents": "comma-agents",
}

# A request target or an absolute URL, without what is escaped before it is sent.
SENT = re.compile(rb"(/|[A-Za-z][A-Za-z0-9+.-]*://)[!-~]*")

Json = dict[str, Any]


@cache
def tables() -> dict[str, list[Json]]:
    if not CASES.exists():
        pytest.skip(f"NOT RUN: {CASES} is not there; `cargo xtask cases` prints it")
    found: dict[str, list[Json]] = defaultdict(list)
    with CASES.open(encoding="utf-8") as lines:
        for line in lines:
            row: Json = json.loads(line)
            found[row["kind"]].append(row)
    return found


def data(base64: str) -> bytes:
    return b64decode(base64)


def words(verdict: verger.Verdict) -> str:
    return f"{verdict.effect} {verdict.line or verdict.reason}"


def group_words(group: verger.AppliedGroup | None) -> str | None:
    if group is None:
        return None
    return f"{group.line} {'named' if group.named_by == 'token' else 'star'}"


def answer(
    body: bytes, agents: list[str], url: bytes, dialect: str, options: list[Any]
) -> tuple[str, str | None]:
    """The verdict and the group, in the words of the case files. Every interface of the package gives it."""
    try:
        robots = verger.parse(body, Dialect(dialect), options=options)
        policy = robots.policy(agents)
        verdict = policy.verdict(url)
        explained = policy.explain(url)
        one_pass = verger.verdict(body, agents, url, Dialect(dialect), options=options)
        allowed = verger.allowed(body, agents, url, Dialect(dialect), options=options)
    except (verger.ProductTokenError, verger.TargetError, ValueError):
        return "error", None
    same = {
        policy.allowed(url),
        robots.allowed(url, agent=agents),
        allowed,
        bool(verdict),
        *policy.check_many([url]),
    }
    assert same == {verdict.allowed}, (body, agents, url, dialect)
    assert one_pass == robots.verdict(url, agent=agents) == verdict == policy.verdicts([url])[0]
    assert explained.verdict == verdict
    assert explained.as_dict()["allowed"] == verdict.allowed
    return words(verdict), group_words(verdict.group)


def failures_of(case: Json) -> list[str]:
    body = data(case["robots_base64"])
    options = [OPTIONS[case["option"]]] if case["option"] else []
    failures: list[str] = []
    for ask in case["asks"]:
        url = data(ask["url_base64"])
        for dialect, expected in ask["verdicts"].items():
            got, group = answer(body, ask["agents"], url, dialect, options)
            group_expected = ask["groups"].get(dialect, group)
            if (got, group) != (expected, group_expected):
                failures.append(
                    f"{case['id']} in {dialect}: {ask['agents']} {url!r}: expected {expected}, "
                    f"{group_expected}; got {got}, {group}"
                )
    return failures


def test_every_case_is_answered_as_stated(capsys: pytest.CaptureFixture[str]) -> None:
    cases = tables()["case"]
    failures = [failure for case in cases for failure in failures_of(case)]
    assert not failures, "\n".join(failures)
    asked = sum(len(ask["verdicts"]) for case in cases for ask in case["asks"])
    assert asked > 1000
    with_option = sum(1 for case in cases if case["option"])
    with capsys.disabled():
        print(f"\ncorpus: {asked} answers in {len(cases)} cases; {with_option} of them with an option")


@pytest.mark.parametrize("dialect", list(Dialect))
def test_every_url_has_a_target_or_has_none_as_stated(dialect: Dialect) -> None:
    for target in tables()["target"]:
        url = data(target["url_base64"])
        robots = verger.parse("", dialect)
        policy = robots.policy("x")
        other = None if target["cannot_be_asked"] else target["other"]
        asked: list[Callable[[], object]] = [
            partial(verger.allowed, "", "x", url, dialect),
            partial(robots.allowed, url, agent="x"),
            partial(robots.explain, url, agent="x"),
            partial(policy.allowed, url),
        ]
        if (target["google"] if dialect == "google" else other) is None:
            for ask in asked:
                with pytest.raises(verger.TargetError):
                    ask()
            assert policy.check_many([url], strict=False) == [None]
        else:
            assert all(ask() for ask in asked), target["id"]
            assert policy.check_many([url]) == [True], target["id"]


def test_every_token_is_accepted_or_refused_as_stated() -> None:
    for token in tables()["token"]:
        text = token["text"]
        try:
            assert verger.ProductToken(text).is_identifier == token["identifier"], token["id"]
        except verger.ProductTokenError as error:
            assert not token["identifier"], token["id"]
            if token["likely"]:
                assert error.likely == token["likely"], token["id"]
        try:
            accepted = bool(verger.parse("").policy(text))
        except verger.ProductTokenError:
            accepted = False
        assert accepted == token["accepted"], token["id"]


def replaced(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def test_every_listing_is_enumerated_as_stated() -> None:
    for listing in tables()["listing"]:
        for dialect in listing["dialects"]:
            robots = verger.parse(data(listing["robots_base64"]), dialect)
            if listing["groups"]:
                groups = [
                    {
                        "agents": [replaced(it) for it in group.user_agents],
                        "rules": [
                            f"{rule.effect} {replaced(rule.pattern)}".rstrip() for rule in group.rules
                        ],
                    }
                    for group in robots.groups
                ]
                assert groups == listing["groups"], listing["id"]
                rules = [rule for group in robots.groups for rule in group.rules]
                assert list(robots.rules) == rules, listing["id"]
            if listing["sitemaps"]:
                assert list(robots.sitemaps) == list(dict.fromkeys(listing["sitemaps"])), listing["id"]


def shown(window: verger.DayWindow) -> str:
    return f"{window.first:%H%M}-{window.last:%H%M}"


def shown_rate(rate: verger.RequestRate) -> str:
    text = f"{rate.requests}/{rate.seconds}s"
    return f"{text} {shown(rate.window)}" if rate.window else text


def shown_clean_param(it: verger.CleanParam) -> str:
    return " ".join(["&".join(it.parameters), *([it.path] if it.path else [])])


def shown_preferences(it: verger.Preferences) -> str:
    letters = {"yes": "y", "no": "n"}
    pairs = (("ai-use", it.ai_use), ("search", it.search), ("train-ai", it.train_ai))
    return ", ".join(f"{key}={letters[value]}" for key, value in pairs if value != "unknown")


def stated(value: Json) -> list[str]:
    """What the package reads, in the words of the case files."""
    robots = verger.parse(data(value["robots_base64"]))
    agent = value["agent"] or "*"
    pacing = robots.pacing(agent)
    match value["field"]:
        case "crawl-delay":
            delay = pacing.crawl_delay
            return [f"{delay.seconds:g}"] if delay else []
        case "request-rate":
            return [shown_rate(it) for it in pacing.request_rates]
        case "visit-time":
            return [shown(it.window) for it in pacing.visit_times]
        case "sitemap":
            return list(robots.sitemaps)
        case "license":
            return list(robots.licenses)
        case "host":
            host = robots.host
            if host is None:
                return []
            scheme = f"{host.scheme}://" if host.scheme else ""
            return [f"{scheme}{host.name}:{host.port}" if host.port else f"{scheme}{host.name}"]
        case "clean-param":
            return [shown_clean_param(it) for it in robots.clean_params]
        case "noindex":
            return [it.pattern for it in robots.noindex(agent)]
        case "content-signal":
            pairs = robots.content_signal(agent).pairs
            return [", ".join(f"{it.key.lower()}={it.signal or it.value}" for it in pairs)] if pairs else []
        case "content-usage":
            preferences = robots.preferences(value["target"] or "/", agent=agent)
            text = shown_preferences(preferences) if preferences else ""
            return [text] if text else []
        case field:
            raise AssertionError(f"no test reads {field}")


def test_every_value_is_read_as_stated() -> None:
    assert tables()["value"]
    for value in tables()["value"]:
        assert stated(value) == value["expect"], value["id"]


def answered(case: Json, folder: Path) -> list[Json]:
    """What the package answers to a question of a site's owner."""
    body, agents = data(case["robots_base64"]), case["agents"]
    dialect = case["dialect"] and Dialect(case["dialect"])
    limits = {"max_states": case["max_states"]} if case["max_states"] else {}
    match case["question"]:
        case "who":
            return owner.who(body, agents=agents, dialect=dialect, **limits)
        case "diff":
            new = data(case["new_base64"])
            return owner.diff(body, new, agents=agents, dialect=dialect, **limits)
        case "lint":
            return [owner.lint(body, site=case["site"], settings=case["settings"])]
        case "parse":
            return [owner.parse(body, agent=next(iter(agents), None), dialect=dialect)]
        case "page":
            head, html = case["head"], case["html"]
            return owner.page(body, case["url"], agents=agents, head=head, html=html, dialect=dialect)
        case "explain":
            return [verger.parse(body, dialect).explain(case["url"], agent=agents[0]).as_dict()]
        case "history":
            path = folder / f"{case['id']}.db"
            command = [sys.executable, "-m", "verger", "store", "import", "--store", str(path), "-"]
            subprocess.run(command, input=case["export"].encode(), capture_output=True, check=True)
            times = {"since": case["since"], "until": case["until"]}
            details = {"lines": case["with_lines"], "facts": case["with_facts"]}
            return owner.history(Store(path), case["url"], **details, **times)
        case question:
            raise AssertionError(f"no test asks {question}")


def test_every_preference_about_a_use_of_content_is_stated() -> None:
    assert tables()["preference"]
    for case in tables()["preference"]:
        if len(case["agents"]) > 1:
            continue  # The command and the library explain one name.
        for dialect in case["dialects"]:
            robots = verger.parse(data(case["robots_base64"]), Dialect(dialect))
            stated = robots.explain(case["url"], agent=case["agents"][0]).preferences
            words = [case["search"], case["ai_input"], case["ai_train"]]
            assert (stated is None) == (not case["values"]), case["id"]
            if stated:
                assert [stated["search"], stated["ai_input"], stated["ai_train"]] == words, case["id"]
                values = [f"{it['line']} {it['kind']} {it['key']}={it['value']}" for it in stated["values"]]
                assert values == case["values"], case["id"]


def test_every_question_of_an_owner_is_answered_as_stated(tmp_path: Path) -> None:
    assert tables()["answer"]
    for case in tables()["answer"]:
        expected = [json.loads(line) for line in case["expect"].splitlines()]
        assert answered(case, tmp_path) == expected, case["id"]
