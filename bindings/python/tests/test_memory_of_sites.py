"""What is kept about sites is bounded by its bytes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from verger import access
from verger._memory import AGENTS_MAX, ENTRY_BYTES, Entry, Memory

NOW = 1_800_000_000
LARGE = b"User-agent: *\n" + b"".join(b"Disallow: /private/%d/*.html$\n" % n for n in range(15_000))


def entry(body: bytes = b"User-agent: *\nDisallow: /private/\n") -> Entry:
    fetch = access.Fetch("https://example.com/")
    fetch.response(200, {"ETag": '"1"'}, body, now=NOW)
    return Entry(fetch.knowledge, fetch.knowledge.answer(now=NOW), NOW)


def test_an_entry_counts_its_body_once_and_each_policy() -> None:
    large = entry(LARGE)
    assert len(LARGE) < large.bytes < len(LARGE) + 2 * ENTRY_BYTES
    before = large.bytes
    policy = large.policies.policy("a", lambda: "a")
    one = large.bytes - before
    assert one > policy.__sizeof__() > len(LARGE) // 2
    large.policies.policy("a", lambda: "a")
    assert large.bytes == before + one
    large.policies.policy("b", lambda: "b")
    assert large.bytes == pytest.approx(before + 2 * one, rel=0.01)


def test_policies_of_many_agents_are_forgotten() -> None:
    small = entry()
    small.policies.policy(0, lambda: "a")
    one = small.policies.bytes
    for key in range(AGENTS_MAX + 1):
        small.policies.policy(key, lambda: "a")
    assert small.policies.bytes == one


def test_what_was_not_used_for_longest_is_forgotten() -> None:
    size = entry().bytes
    memory = Memory(3 * size)
    for name in "abc":
        memory.keep(name, entry())
    assert len(memory) == 3 and memory.bytes == 3 * size
    assert memory.get("a") is not None
    memory.keep("d", entry())
    assert [name for name in "abcd" if memory.get(name)] == ["a", "c", "d"]
    memory.keep("d", entry())
    assert len(memory) == 3 and memory.bytes == 3 * size


def test_a_policy_that_is_made_later_is_counted() -> None:
    memory, large, small = Memory(900_000), entry(LARGE), entry()
    memory.keep("small", small)
    memory.keep("large", large)
    assert len(memory) == 2
    large.policies.policy("a", lambda: "a")
    # The one that is in use stays, though it is larger than the bound.
    assert len(memory) == 1 and memory.get("large") is large
    assert memory.bytes == large.bytes > 900_000
    # One that is forgotten is counted no more.
    small.policies.policy("a", lambda: "a")
    assert memory.bytes == large.bytes
    memory.keep("other", entry())
    assert memory.get("large") is None and memory.bytes == entry().bytes


@pytest.mark.parametrize(("number", "body"), [(5_000, "small"), (60, "LARGE")])
def test_the_count_is_what_the_process_takes(script: Callable[..., str], number: int, body: str) -> None:
    text = """
import gc, os, sys
sys.path.insert(0, HERE)
from test_memory_of_sites import LARGE, entry
from verger._memory import Memory

small = b"User-agent: *\\nDisallow: /private/\\n"

def resident():
    gc.collect()
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def fill(memory, numbers, body):
    for nth in numbers:
        name = f"https://site-{nth:06}.example.com"
        kept = entry(body + b"# %d" % nth)
        memory.keep(name, kept)
        kept.policies.policy(None, lambda: "ExampleBot")

# The first half is kept, so that the second one cannot lie where something was freed.
memory = Memory(1 << 40)
fill(memory, range(NUMBER), BODY)
before, counted = resident(), memory.bytes
fill(memory, range(NUMBER, 2 * NUMBER), BODY)
print((resident() - before) / (memory.bytes - counted))
"""
    if not Path("/proc/self/statm").exists():
        pytest.skip("the memory of a process is read from /proc")
    here = repr(str(Path(__file__).parent))
    text = text.replace("HERE", here).replace("NUMBER", str(number)).replace("BODY", body)
    assert 0.8 < float(script(text)) < 1.1


def test_a_negative_limit_is_rejected() -> None:
    with pytest.raises(ValueError, match="expected 0 or more bytes"):
        Memory(-1)
