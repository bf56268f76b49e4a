"""The scenarios of the repository's testdata/access, which `cargo xtask python` writes as JSON Lines: what
servers say at which time, and the answer of each profile."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator

import pytest
from test_cases import Json, tables

from verger import access

PROFILES = tuple(map(str, access.Profile))

REQUESTS_MAX = 60
"""More than any profile sends for one file."""


class Replay:
    """A scenario under one profile, against the web that it describes."""

    def __init__(self, scenario: Json, profile: str) -> None:
        self.url, self.zero, self.profile = scenario["url"], scenario["time_zero"], profile
        self.web: dict[str, Json] = {}
        self.known = access.Knowledge()
        self.of_hops: dict[str, access.Knowledge] = {}
        self.now = self.zero

    def moment(self, moment: Json) -> tuple[access.Answer, access.Attempt | None]:
        """The answer, and the attempt where there was one."""
        self.now = self.zero + moment["at"]
        self.web.update(moment["web"])
        is_due = self.answer(self.known, moment["rest_is_up"]).is_due(now=self.now)
        attempt = None
        if moment["fetch"] == "always" or (moment["fetch"] == "due" and is_due):
            fetch = access.Fetch(
                self.url, profile=self.profile, knowledge=self.known, jitter=moment["jitter"]
            )
            attempt = self.ended(fetch, checks_hops=True)
            self.known = fetch.knowledge
        return self.answer(self.known, moment["rest_is_up"]), attempt

    def answer(self, known: access.Knowledge, rest_is_up: bool = False) -> access.Answer:
        return known.answer(now=self.now, profile=self.profile, rest_of_site_is_up=rest_is_up)

    def ended(self, fetch: access.Fetch, *, checks_hops: bool) -> access.Attempt:
        for _ in range(REQUESTS_MAX):
            action = fetch.action
            if isinstance(action, access.Attempt):
                return action
            if isinstance(action, access.Request):
                self.reply(fetch, action)
            elif checks_hops:
                fetch.hop(self.hop_verdict(action.url))
            else:
                fetch.hop(access.HopVerdict.UNKNOWN)
        raise AssertionError("the fetch does not end")

    def hop_verdict(self, url: str) -> access.HopVerdict:
        """What the robots.txt of the URL's own authority says, which is fetched where it is due."""
        authority = access.authority(url)
        known = self.of_hops.get(authority, access.Knowledge())
        if self.answer(known).is_due(now=self.now):
            fetch = access.Fetch(url, profile=self.profile, knowledge=known)
            self.ended(fetch, checks_hops=False)
            known = self.of_hops[authority] = fetch.knowledge
        return self.answer(known).hop_verdict(url, agent="*")

    def reply(self, fetch: access.Fetch, request: access.Request) -> None:
        """Gives the fetch what the server says; one that says nothing has no name in the DNS."""
        reply = self.web.get(request.url, {"failure": "dns"})
        if "failure" in reply:
            fetch.failure(reply["failure"], now=self.now)
        elif "ftp" in reply:
            fetch.ftp_reply(reply["ftp"], now=self.now)
        elif "ftp_file_base64" in reply:
            fetch.ftp_file(b64decode(reply["ftp_file_base64"]), now=self.now)
        else:
            status, body = reply["status"], b64decode(reply["body_base64"])
            if is_unchanged(dict(request.conditions), dict(reply["headers"])):
                status, body = 304, b""
            fetch.response(status, [(name, value) for name, value in reply["headers"]], body, now=self.now)


def is_unchanged(conditions: dict[str, str], headers: dict[str, str]) -> bool:
    pairs = (("if-none-match", "etag"), ("if-modified-since", "last-modified"))
    return any(asked in conditions and conditions[asked] == headers.get(name) for asked, name in pairs)


def stated(answer: access.Answer, expected: Json, zero: int) -> Json:
    """The answer, as far as a scenario says something."""
    found = {
        "stance": str(answer.stance),
        "result": answer.result,
        "ask_again": answer.ask_again_at - zero,
        "holds_until": answer.holds_until - zero,
        "outcome": answer.what,
        "clause": answer.clause,
        "result_clause": answer.result_clause,
    }
    always = ("stance", "result", "ask_again")
    return {key: it if key in always or expected[key] is not None else None for key, it in found.items()}


def faults(scenario: Json, profile: str) -> Iterator[str]:
    replay = Replay(scenario, profile)
    for moment in scenario["moments"]:
        answer, attempt = replay.moment(moment)
        at = f"{scenario['id']} at {moment['at']} s under {profile}"
        expected = moment["answers"].get(profile)
        if expected is not None and stated(answer, expected, replay.zero) != expected:
            yield f"{at}: {stated(answer, expected, replay.zero)}, not {expected}"
        requests = [hop.url for hop in attempt.hops] if attempt else []
        if moment["requests"] not in (None, requests):
            yield f"{at}: requested {requests}"
        warnings = [it.split()[0] for it in attempt.warnings] if attempt else []
        if moment["warnings"] not in (None, warnings):
            yield f"{at}: warned {warnings}"
        for question, effect in moment["verdicts"].items():
            agent, url = question.split(" ", 1)
            found = access.AccessPolicy(answer, agent).decide(url).effect
            if found != effect:
                yield f"{at}: {question}: {found}"


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_answers_every_scenario(profile: str) -> None:
    scenarios = tables()["scenario"]
    found = [fault for scenario in scenarios for fault in faults(scenario, profile)]
    assert not found, "\n".join(found)
    answers = sum(profile in it["answers"] for scenario in scenarios for it in scenario["moments"])
    assert answers > 100
    print(f"{profile}: {answers} answers in {len(scenarios)} scenarios")


def test_every_url_has_its_robots_txt() -> None:
    assert tables()["location"]
    for location in tables()["location"]:
        url = location["url"]
        if location["error"] is not None:
            with pytest.raises(access.AuthorityError) as caught:
                access.authority(url)
            assert str(caught.value).startswith(location["error"]), location["id"]
            continue
        action = access.Fetch(url).action
        assert isinstance(action, access.Request) and action.url == location["robots"], location["id"]
        for other in location["applies_to"]:
            assert access.authority(other) == access.authority(url), (location["id"], other)
        for other in location["not_applied_to"]:
            assert authority_or_none(other) != access.authority(url), (location["id"], other)


def authority_or_none(url: str) -> str | None:
    try:
        return access.authority(url)
    except access.AuthorityError:
        return None
