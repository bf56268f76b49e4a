"""Check on random input that all interfaces agree, or raise only documented exceptions.

    cargo xtask python --fuzz 600
"""

from __future__ import annotations

import json
import pickle
import sys
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import atheris

import verger

CASES = Path(__file__).resolve().parent.parent / "tmp" / "cases.jsonl"

DIALECTS = list(verger.Dialect)
OPTIONS = list(verger.ReadingOption)
ROWS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
BODIES = [b"", *(b64decode(row["robots_base64"]) for row in ROWS if "robots_base64" in row)]
URLS = [b64decode(ask["url_base64"]) for row in ROWS for ask in row.get("asks", [])]
AGENTS = ["FooBot", "*", ["FooBot", "a"], verger.Crawler("gptbot"), verger.ProductToken("a")]
DOCUMENTED = (verger.ProductTokenError, verger.TargetError, UnicodeEncodeError, TypeError, ValueError)


def outcome(call: Callable[[], object]) -> object:
    try:
        return call()
    except DOCUMENTED as error:
        return type(error)


def some_text(data: atheris.FuzzedDataProvider) -> object:
    match data.ConsumeIntInRange(0, 3):
        case 0:
            return data.ConsumeBytes(200)
        case 1:
            return data.ConsumeUnicode(100)
        case 2:
            return bytearray(data.ConsumeBytes(100))
        case _:
            return data.ConsumeUnicodeNoSurrogates(100)


def changed(data: atheris.FuzzedDataProvider, case: bytes) -> bytes:
    """Replace some bytes of a case."""
    start = data.ConsumeIntInRange(0, len(case))
    end = data.ConsumeIntInRange(start, len(case))
    return case[:start] + data.ConsumeBytes(data.ConsumeIntInRange(0, 60)) + case[end:]


@atheris.instrument_func
def law(sample: bytes) -> None:
    data = atheris.FuzzedDataProvider(sample)
    dialect = data.PickValueInList(DIALECTS)
    options = [option for option in OPTIONS if data.ConsumeIntInRange(0, 7) == 0]
    url = changed(data, data.PickValueInList(URLS)) if data.ConsumeBool() else some_text(data)
    agent = some_text(data) if data.ConsumeBool() else data.PickValueInList(AGENTS)
    body = changed(data, data.PickValueInList(BODIES))
    robots = verger.parse(body, dialect, options=options)
    outcomes = {
        outcome(lambda: verger.allowed(body, agent, url, dialect, options=options)),
        outcome(lambda: verger.verdict(body, agent, url, dialect, options=options).allowed),
        outcome(lambda: robots.allowed(url, agent=agent)),
        outcome(lambda: robots.policy(agent).allowed(url)),
        outcome(lambda: robots.verdict(url, agent=agent).allowed),
        outcome(lambda: robots.explain(url, agent=agent).verdict.allowed),
        outcome(lambda: robots.policy(agent).check_many([url])[0]),
    }
    assert len(outcomes) == 1, outcomes
    again = pickle.loads(pickle.dumps(robots))
    assert again == robots
    assert hash(again) == hash(robots)
    assert robots.rules == tuple(rule for group in robots.groups for rule in group.rules)
    for look in ("records", "sitemaps", "licenses", "host", "clean_params", "diagnostics", "warnings"):
        repr(getattr(robots, look))
    for ask in (robots.pacing, robots.content_signal, robots.content_usage, robots.noindex):
        repr(outcome(lambda ask=ask: ask(agent)))


if __name__ == "__main__":
    atheris.Setup(sys.argv, law)
    atheris.Fuzz()
