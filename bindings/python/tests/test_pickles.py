"""Values and exceptions can be pickled and copied."""

from __future__ import annotations

import copy
import dataclasses
import enum
import importlib
import inspect
import pickle
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

import verger
from verger import access, gate

NOW = 1_800_000_000
BODY = b"User-agent: *\nDisallow: /private/\nCrawl-delay: 2\nVisit-time: 0600-0845\n# \xff\n"
MODULES = ("verger", "verger.access", "verger.gate")


def knowledge(*statuses: int, profile: str = "rfc9309") -> access.Knowledge:
    known = access.Knowledge()
    for status in statuses:
        fetch = access.Fetch("https://example.com/", profile=profile, knowledge=known, jitter=-7)
        headers = {"ETag": '"\xe9"', "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"}
        more = {"Retry-After": "90"} if status == 503 else {"Cache-Control": "max-age=7200"}
        fetch.response(status, {**headers, **more}, BODY, now=NOW)
        known = fetch.knowledge
    return known


KNOWN = [knowledge(), knowledge(200), knowledge(404), knowledge(200, 503, 503)]
ANSWERS = [
    *(it.answer(now=NOW) for it in KNOWN),
    KNOWN[1].answer(now=NOW + 86400),
    *(it.answer(now=NOW, profile=profile) for it in KNOWN for profile in access.Profile),
]
DECISIONS = [
    access.AccessPolicy(answer, "ExampleBot").decide(f"https://example.com/{path}")
    for answer in ANSWERS
    for path in ("", "private/x", "robots.txt")
]
ROBOTS = verger.parse(BODY, "koster1996", options=["ignore-allow"])

COMPILED: list[object] = [
    *KNOWN,
    *ANSWERS,
    *DECISIONS,
    *(it.pacing for it in DECISIONS[:6]),
    *(it.answer for it in DECISIONS[:6]),
    ROBOTS,
    ROBOTS.policy("ExampleBot"),
    ROBOTS.verdict("/private/x", agent="ExampleBot"),
    ROBOTS.explain("/private/x", agent="ExampleBot"),
    verger.ProductToken("ExampleBot"),
    verger.Crawler("gptbot"),
]
DENIED = gate.Denied("https://example.com/private/x", DECISIONS[4])
RAISED: list[BaseException] = [
    verger.Error("what"),
    verger.ProductTokenError("what", "a/1", "a"),
    verger.TargetError("what", "url", 3),
    verger.UnknownCrawlerError("name", ["one", "two"]),
    verger.InternalError("what"),
    access.AuthorityError("what"),
    access.ClientError("what"),
    access.StoreError("what"),
    DENIED,
    gate.Unavailable("https://example.com/", DECISIONS[4]),
    gate.GateError("https://example.com/", "what"),
    gate.LongWait("https://example.com/", 1.5, 2.5),
    gate.Undecided("mailto:x", access.AuthorityError("what")),
]
NOT_VALUES = {
    # They hold what is compiled, threads, files or the state of a fetch; an answer is the value of a policy.
    *(access.AccessPolicy, access.AsyncClient, access.Client, access.Fetch, access.Lease, access.Store),
}


def classes() -> Iterator[type[Any]]:
    for module in map(importlib.import_module, MODULES):
        for name in getattr(module, "__all__", ()):
            value = getattr(module, name)
            if inspect.isclass(value) and value.__module__.partition(".")[0] == "verger":
                yield value


def shown(it: Any) -> object:
    """What can be compared: of what has no equality of its own the parts."""
    if isinstance(it, BaseException):
        named = {name: shown(value) for name, value in vars(it).items()}
        return type(it), named, list(map(shown, it.args)), str(it)
    return it


def round_trips() -> list[Callable[[Any], Any]]:
    def pickled(it: Any, protocol: int) -> Any:
        return pickle.loads(pickle.dumps(it, protocol))

    protocols = range(2, pickle.HIGHEST_PROTOCOL + 1)
    return [*(partial(pickled, protocol=it) for it in protocols), copy.copy, copy.deepcopy]


@pytest.mark.parametrize("again", round_trips())
def test_every_value_and_every_exception_is_the_same_again(again: Callable[[Any], Any]) -> None:
    seen: set[type[Any]] = set()
    made: list[Any] = [
        kind(*(field.name for field in dataclasses.fields(kind)))
        for kind in classes()
        if dataclasses.is_dataclass(kind)
    ]
    enums: list[Any] = [it for it in classes() if issubclass(it, enum.Enum)]
    members: list[Any] = [member for it in enums for member in it]
    values: list[Any] = [*COMPILED, *RAISED, *made, *members]
    for it in values:
        same = again(it)
        assert type(same) is type(it) and shown(same) == shown(it), it
        seen.add(it.__class__)
    assert set(classes()) - NOT_VALUES == seen & set(classes())


def test_what_is_known_goes_on_where_it_was_pickled() -> None:
    for known in KNOWN:
        again: access.Knowledge = pickle.loads(pickle.dumps(known))
        for at in (NOW, NOW + 90, NOW + 7200, NOW + 40 * 86400):
            for profile in access.Profile:
                expected = known.answer(now=at, profile=profile)
                assert again.answer(now=at, profile=profile) == expected
        asked = [access.Fetch("https://example.com/", knowledge=it).action for it in (known, again)]
        assert asked[0] == asked[1]


def test_a_damaged_pickle_is_refused() -> None:
    of_answer: Any = ANSWERS[1].__reduce__()
    restore, (parts,) = of_answer
    assert restore(parts) == ANSWERS[1]
    wrong: list[tuple[int, Any]] = [(0, ("none", "V-60")), (0, ("open", "V")), (2, ("none", [])), (5, ("a", "b"))]
    for nth, part in wrong:
        with pytest.raises(ValueError, match="cannot restore Answer: the pickle is malformed"):
            restore((*parts[:nth], part, *parts[nth + 1 :]))
    of_knowledge: Any = KNOWN[1].__reduce__()
    restore, (last, kept, streak) = of_knowledge
    assert restore(last, kept, streak) == KNOWN[1]
    for damaged in ((NOW, "none", None, None), (*last[:2], (1, 1_000_000_000), None)):
        with pytest.raises(ValueError, match="cannot restore Knowledge: the pickle is malformed"):
            restore(damaged, kept, streak)
