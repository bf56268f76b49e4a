"""The machine without IO, and the store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import verger
from verger import access

NOW = 1_800_000_000
HOUR = 3600
FILE = b"User-agent: *\nDisallow: /private/\nCrawl-delay: 2\n"


def fetched(
    status: int,
    body: bytes = b"",
    headers: dict[str, str] | None = None,
    *,
    knowledge: access.Knowledge | None = None,
    profile: str = "rfc9309",
    now: int = NOW,
) -> access.Knowledge:
    fetch = access.Fetch("https://example.com/page", profile=profile, knowledge=knowledge)
    assert isinstance(fetch.action, access.Request)
    fetch.response(status, headers or {}, body, now=now)
    assert isinstance(fetch.action, access.Attempt)
    return fetch.knowledge


@pytest.mark.parametrize(
    ("status", "profile", "stance", "result"),
    [
        (200, "rfc9309", "rules", "successful"),
        (404, "rfc9309", "open", "unavailable"),
        (403, "rfc9309", "open", "unavailable"),
        (403, "koster1996", "closed", "unavailable"),
        (403, "cautious", "closed", "unavailable"),
        (429, "rfc9309", "closed", "unreachable"),
        (503, "rfc9309", "closed", "unreachable"),
        (503, "koster1996", "defer", "unreachable"),
    ],
)
def test_a_status_means_what_the_profile_says(
    status: int, profile: str, stance: str, result: str
) -> None:
    answer = fetched(status, FILE, profile=profile).answer(now=NOW, profile=profile)
    assert (answer.stance, answer.result, answer.profile) == (stance, result, profile)
    policy = access.AccessPolicy(answer, "ExampleBot")
    assert policy.allowed("https://example.com/") == (stance in ("rules", "open"))
    assert policy.allowed("https://example.com/private/x") == (stance == "open")
    assert policy.allowed("https://example.com/robots.txt")


def test_before_the_first_attempt_and_after_expiry_it_defers() -> None:
    nothing = access.Knowledge().answer(now=NOW)
    assert (nothing.stance, nothing.result, nothing.is_due(now=NOW)) == ("defer", None, True)
    knowledge = fetched(200, FILE, {"Cache-Control": "max-age=7200"})
    answer = knowledge.answer(now=NOW)
    assert answer.holds_until == answer.ask_again_at == NOW + 2 * HOUR
    assert knowledge.answer(now=NOW + 2 * HOUR - 1).stance == "rules"
    assert knowledge.answer(now=NOW + 2 * HOUR).stance == access.Stance.DEFER


def test_the_last_good_copy_is_used_while_the_server_fails() -> None:
    good = fetched(200, FILE)
    later = NOW + 25 * HOUR
    failed = fetched(500, b"", knowledge=good, now=later)
    answer = failed.answer(now=later)
    assert (answer.stance, failed.failures, answer.body) == ("copy", 1, FILE)
    decision = access.AccessPolicy(answer, "ExampleBot").decide("https://example.com/private/x")
    assert (decision.allowed, decision.effect) == (False, "disallow")
    assert decision.verdict is not None and decision.verdict.line == 2
    assert decision.pacing.crawl_delay is not None and decision.pacing.crawl_delay.seconds == 2


def test_a_request_is_conditional_and_a_304_confirms_the_copy() -> None:
    good = fetched(200, FILE, {"ETag": '"one"'})
    fetch = access.Fetch("https://example.com/", knowledge=good)
    assert fetch.action == access.Request(
        "https://example.com/robots.txt", (("if-none-match", '"one"'),)
    )
    fetch.response(304, [], b"", now=NOW + 5)
    assert fetch.knowledge.copy_seen_at == NOW + 5
    assert fetch.knowledge.answer(now=NOW + 5).body == FILE


def test_redirects_are_followed_and_asked_about() -> None:
    fetch = access.Fetch("https://example.com/", profile="google")
    location = {"location": "https://other.example/r.txt"}
    fetch.response(301, location, b"", now=NOW)
    assert fetch.action == access.HopQuestion("https://other.example/r.txt")
    other = fetched(200, b"User-agent: *\nDisallow: /r.txt\n", profile="google")
    answer = other.answer(now=NOW, profile="google")
    verdict = answer.hop_verdict("https://other.example/r.txt", agent="ExampleBot")
    assert verdict is access.HopVerdict.DISALLOWED
    fetch.hop(verdict)
    attempt = fetch.action
    assert isinstance(attempt, access.Attempt)
    assert attempt.outcome == "redirect disallowed-hop"
    assert attempt.hops == (access.Hop("https://example.com/robots.txt", "http 301"),)
    assert fetch.knowledge.answer(now=NOW, profile="google").stance == "open"


def test_a_policy_decides_about_urls_as_they_are_requested(tmp_path: Path) -> None:
    fetch = access.Fetch("https://example.com/", profile="google")
    fetch.response(200, {}, b"User-agent: *\nDisallow: /a%20b\n", now=NOW)
    policy = access.AccessPolicy(fetch.knowledge.answer(now=NOW, profile="google"), "ExampleBot")
    lease = access.Store(tmp_path / "store").acquire("https://example.com", holder="a", now=NOW, seconds=60)
    assert lease is not None
    access.Store(tmp_path / "store").put(lease, fetch)
    client = access.Client("ExampleBot/1.0 (+https://example.com)", profile="google", store=tmp_path / "store")

    def past(url: str) -> bool:
        return client.decide("ExampleBot", url, at=NOW).allowed

    def decided(url: str) -> bool:
        return policy.decide(url).allowed

    asks: list[Callable[[str], bool]] = [policy.allowed, decided, past]
    for allowed in asks:
        assert not allowed("https://example.com/a b")
        assert allowed("https://example.com/a")
        with pytest.raises(access.AuthorityError):
            allowed("https://example.com:99999/a")
    for allowed in asks[:2]:
        with pytest.raises(verger.TargetError):
            allowed("no URL")


def test_headers_of_any_client_are_taken() -> None:
    pairs: list[tuple[bytes, list[bytes]]] = [(b"Location", [b"/a"]), (b"bad name", [b"x"])]
    for headers in ({"Location": "/a"}, [("location", b"/a")], pairs, [("location", "/a"), ("x", "a\nb")]):
        fetch = access.Fetch("https://example.com/")
        fetch.response(302, headers, b"", now=NOW)
        assert fetch.action == access.Request("https://example.com/a", ())


def test_failures_and_ftp() -> None:
    for failure in access.Failure:
        fetch = access.Fetch("https://example.com/")
        fetch.failure(failure, now=NOW)
        attempt = fetch.action
        assert isinstance(attempt, access.Attempt)
        assert attempt.outcome == f"failed {failure}"
        assert attempt.is_about_the_site == (failure != "address-refused")
    fetch = access.Fetch("ftp://example.com/")
    fetch.ftp_file(FILE, now=NOW)
    assert fetch.knowledge.answer(now=NOW).stance == "rules"
    fetch = access.Fetch("ftp://example.com/")
    fetch.ftp_reply(550, now=NOW)
    assert fetch.knowledge.answer(now=NOW).stance == "open"


def test_what_comes_out_of_turn_is_an_error() -> None:
    fetch = access.Fetch("https://example.com/")
    with pytest.raises(ValueError, match="not ended"):
        _ = fetch.knowledge
    with pytest.raises(ValueError, match="no question about a redirect is pending"):
        fetch.hop("allowed")
    with pytest.raises(ValueError, match="transport failure"):
        fetch.failure("lunch", now=NOW)
    with pytest.raises(TypeError):
        fetch.response(200, [], 7, now=NOW)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected seconds since 1970"):
        fetch.response(200, [], b"", now=float("nan"))
    fetch.response(200, [], FILE, now=NOW)
    with pytest.raises(ValueError, match="no request is pending"):
        fetch.response(200, [], FILE, now=NOW)
    with pytest.raises(ValueError):
        access.Fetch("https://example.com/", profile="none")
    with pytest.raises(access.AuthorityError):
        access.Fetch("no URL")


def test_a_long_body_is_cut_at_the_limit() -> None:
    line = b"Disallow: /" + b"a" * 88 + b"\n"
    knowledge = fetched(200, b"User-agent: *\n" + line * 6000)
    body = knowledge.answer(now=NOW).body
    assert body is not None and 511_900 < len(body) <= 512_000 and body.endswith(b"\n")
    assert access.BODY_BYTES_WANTED == 512_001


def test_a_store_is_shared_and_read_at_any_time(tmp_path: Path) -> None:
    url = "https://example.com/page"
    store, other = access.Store(tmp_path / "store"), access.Store(str(tmp_path / "store"))
    assert store.knowledge(url, at=NOW) is None
    lease = store.acquire(url, holder="one", now=NOW, seconds=60)
    assert lease is not None
    assert (lease.authority, lease.until) == ("https://example.com", NOW + 60)
    assert other.acquire(url, holder="two", now=NOW, seconds=60) is None
    fetch = access.Fetch(url)
    fetch.response(200, {}, FILE, now=NOW)
    assert store.put(lease, fetch) == 1
    known = other.knowledge(url, at=NOW + 1)
    assert known is not None and known.answer(now=NOW + 1).body == FILE
    assert other.knowledge(url, at=NOW - 1) is None
    again = other.acquire(url, holder="two", now=NOW, seconds=60)
    assert again is not None
    refused = access.Fetch(url)
    refused.failure("address-refused", now=NOW)
    assert other.put(again, refused) is None
    with pytest.raises(access.StoreError):
        access.Store(tmp_path / "none" / "store")
