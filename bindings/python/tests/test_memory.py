"""The memory of a process does not grow with what it has read. Each test is a process of its own.

`VERGER_TEST_ROUNDS=50` makes them fifty times as long: a million parses and more.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="the memory of a process is read from /proc"
)

HEAD = """
import gc, os, pickle, sys, verger

def resident():
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

BODY = b"User-agent: *\\n" + b"".join(b"Disallow: /private/%d/*.html$\\n" % n for n in range(40))

def use(nth):
    robots = verger.parse(BODY + b"# %d" % nth)
    policy = robots.policy("FooBot")
    verdict = policy.verdict("/private/7/x.html")
    assert not verdict and verdict.rule.line == 9
    return robots, policy, verdict

def grows(work, times):
    for nth in range(times // 4):
        work(nth)
    before = resident()
    for nth in range(times):
        work(nth)
    print(resident() - before)
"""

MEGABYTE = 1 << 20
ROUNDS = int(os.environ.get("VERGER_TEST_ROUNDS", "1"))


@pytest.mark.parametrize(
    ("work", "times"),
    [
        ("use", 20_000),
        ("lambda nth: use(nth)[1].check_many(['/private/1/x.html', b'/x'] * 20)", 4_000),
        ("lambda nth: pickle.loads(pickle.dumps(use(nth)))", 4_000),
        ("lambda nth: use(nth)[1].explain('/private/1/x.html')", 1_000),
        ("lambda nth: (lambda r: (r.groups, r.records, r.diagnostics, r.pacing('a')))(use(nth)[0])", 1_000),
        ("lambda nth: verger.parse('\\udcff' * 50).allowed('/\\udcff', agent='FooBot')", 10_000),
    ],
)
def test_memory_is_flat(work: str, times: int, script: Callable[..., str]) -> None:
    assert int(script(f"{HEAD}\ngrows({work}, {times * ROUNDS})")) < 2 * MEGABYTE


def test_memory_is_flat_where_calls_raise(script: Callable[..., str]) -> None:
    work = """
def refused(nth):
    for call in (lambda: use(nth)[1].allowed("no URL"), lambda: use(nth)[0].policy("a/b"),
                 lambda: verger.parse(7), lambda: verger.ProductToken("a/1")):
        try:
            call()
        except (verger.Error, TypeError):
            pass
        else:
            raise AssertionError
grows(refused, 4_000)
"""
    assert int(script(HEAD + work)) < 2 * MEGABYTE
