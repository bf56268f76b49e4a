"""Threads and processes share what was read, and ask side by side."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

import pytest

import verger

T = TypeVar("T")

BODY = "User-agent: *\n" + "".join(f"Disallow: /private/{nth}$\n" for nth in range(100))
LONG_BODY = "User-agent: *\n" + "".join(f"Disallow: /{nth}/*/x$\n" for nth in range(200_000))


def test_sixteen_threads_share_a_file_and_a_policy() -> None:
    robots = verger.parse(BODY)
    policy = robots.policy("FooBot")
    urls = [f"/private/{nth}" for nth in range(200)]
    expected = [nth >= 100 for nth in range(200)]

    def ask(_thread: int) -> bool:
        for _ in range(30):
            one_by_one = [policy.allowed(url) for url in urls]
            own = verger.parse(BODY)
            if not (
                one_by_one
                == policy.check_many(urls)
                == [bool(verdict) for verdict in policy.verdicts(urls)]
                == [own.allowed(url, agent="FooBot") for url in urls]
                == expected
                and own == robots
                and hash(own) == hash(robots)
            ):
                return False
        return True

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(ask, range(16))) == [True] * 16


def test_threads_that_need_the_tree_at_once_have_one() -> None:
    for body in (BODY, BODY * 10):
        expected = verger.parse(body)
        asked = (expected.groups, expected.records, expected.sitemaps, repr(expected))
        robots = verger.parse(body)
        start = threading.Barrier(8)

        def ask(nth: int, robots: verger.RobotsTxt = robots, start: threading.Barrier = start) -> object:
            start.wait()
            policy = robots.policy("FooBot")
            looks = (
                lambda: robots.groups,
                lambda: robots.records,
                lambda: robots.sitemaps,
                lambda: repr(robots),
            )
            return looks[nth % 4](), policy.pacing.crawl_delay, policy.allowed("/private/1")

        with ThreadPoolExecutor(8) as pool:
            assert list(pool.map(ask, range(8))) == [(asked[nth % 4], None, False) for nth in range(8)]


def test_a_list_may_change_while_it_is_asked_about() -> None:
    policy = verger.parse(BODY).policy("FooBot")
    urls = [f"/private/{nth}" for nth in range(20_000)]
    ends = threading.Event()

    def change() -> None:
        while not ends.is_set():
            urls[:] = [f"/private/{nth}" for nth in range(20_000)]

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(20):
            assert policy.check_many(urls)[:101] == [False] * 100 + [True]
    finally:
        ends.set()
        thread.join()


def runs_beside(work: Callable[[], object]) -> bool:
    """Whether another thread runs before `work` has returned, which is one call of the compiled part.

    The interpreter takes the lock from no thread meanwhile: the time after which it would is longer than
    any test. So the other thread runs only where the call lets go of the lock itself.
    """
    ran: list[bool] = []
    begins = threading.Event()

    def other() -> None:
        begins.wait()
        ran.append(True)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=other)
        # Returns once the other thread waits.
        thread.start()
        begins.set()
        work()
        has_run = bool(ran)
    finally:
        sys.setswitchinterval(interval)
    thread.join()
    return has_run


def runs_beside_at_last(work: Callable[[T], object], given: Callable[[int], T]) -> bool:
    """The same, tried again and given more: on a busy machine a short call returns before the turn of the other."""
    more = (1 << min(attempt // 4, 4) for attempt in range(60))
    return any(runs_beside(partial(work, given(times))) for times in more)


@pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="there is no lock to let go of"
)
def test_long_calls_let_go_of_the_lock() -> None:
    def body(times: int) -> str:
        return LONG_BODY * times

    bridged = [verger.ReadingOption.BRIDGE_ENCODINGS]
    assert runs_beside_at_last(lambda text: verger.parse(text, options=bridged), body)
    assert runs_beside_at_last(lambda text: verger.allowed(text, "FooBot", "/", "google"), body)
    assert runs_beside_at_last(lambda text: verger.verdict(text, "FooBot", "/", "google"), body)

    def robots(times: int) -> verger.RobotsTxt:
        return verger.parse(body(times), "google")

    assert runs_beside_at_last(lambda robots: robots.policy("FooBot"), robots)
    assert runs_beside_at_last(lambda robots: robots.allowed("/", agent="FooBot"), robots)
    assert runs_beside_at_last(lambda robots: robots.verdict("/", agent="FooBot"), robots)

    def urls(times: int) -> list[str]:
        return [f"/{nth}/a/{'y/' * 50}" for nth in range(20_000)] * times

    policy = robots(1).policy("FooBot")
    assert runs_beside_at_last(policy.check_many, urls)
    assert runs_beside_at_last(policy.verdicts, urls)


@pytest.mark.skipif(
    not getattr(sys, "_is_gil_enabled", lambda: True)(), reason="there is no lock to let go of"
)
def test_short_calls_keep_the_lock() -> None:
    policy = verger.parse(BODY).policy("FooBot")
    assert not any(runs_beside(lambda: policy.allowed("/")) for _ in range(10))
    # However long the body: it is kept, and read when it is asked about.
    assert not any(runs_beside(lambda: verger.parse(LONG_BODY)) for _ in range(10))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_process_asks_on(script: Callable[..., str]) -> None:
    printed = script("""
import os, sys, warnings, verger
warnings.simplefilter("ignore", DeprecationWarning)
policy = verger.parse("User-agent: *\\nDisallow: /private").policy(verger.Crawler("gptbot"))
def ask():
    again = verger.parse("User-agent: *\\nDisallow: /private").policy(verger.Crawler("gptbot"))
    return [policy.check_many(["/private", "/x"] * 5000) == [False, True] * 5000, again == policy]
assert all(ask())
child = os.fork()
if child == 0:
    os._exit(0 if all(ask()) else 1)
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status), *ask())
""")
    assert printed.split() == ["0", "True", "True"]


def ask_in_process(policy: verger.Policy) -> tuple[int, list[verger.Verdict]]:
    return hash(policy), policy.verdicts(["/private/1", "/private/100", "/robots.txt"])


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_policies_and_verdicts_travel_between_processes(method: str) -> None:
    policy = verger.parse(BODY).policy(["FooBot", "BarBot"])
    with multiprocessing.get_context(method).Pool(2) as pool:
        answers = pool.map(ask_in_process, [policy] * 4)
    assert answers == [ask_in_process(policy)] * 4
