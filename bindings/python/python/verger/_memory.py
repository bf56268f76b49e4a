"""Remember what was learned about authorities, within a memory limit."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from verger import access
from verger._verger import Crawler, ProductToken

Agent = str | ProductToken | Crawler | tuple[str | ProductToken, ...]

MEMORY_BYTES_MAX: Final = 512 << 20
"""Default of `memory_bytes_max`, in bytes. `verger.access.Client` has the same default."""

AGENTS_MAX = 100
"""Maximum number of policies kept for an authority. A crawl may rotate its `User-Agent` headers."""

ENTRY_BYTES = 1536
"""Size of the Python objects of an entry, in bytes, in addition to the size that the compiled module reports."""

POLICY_BYTES = 128
"""Size of a further policy with its key, in bytes."""


class Policies:
    """An answer compiled for several crawlers, each under its own key."""

    def __init__(self, answer: access.Answer) -> None:
        self.answer = answer
        self.on_change: Callable[[], None] | None = None
        self._policies: dict[object, tuple[access.AccessPolicy, int]] = {}

    @property
    def bytes(self) -> int:
        return sum(data for _, data in list(self._policies.values()))

    def policy(self, key: object, agent: Callable[[], Agent]) -> access.AccessPolicy:
        """Return the policy for a key, and compile it for the crawler that `agent` returns if it is missing."""
        kept = self._policies.get(key)
        if kept is not None:
            return kept[0]
        policy = access.AccessPolicy(self.answer, agent())
        if len(self._policies) >= AGENTS_MAX:
            self._policies.clear()
        self._policies[key] = policy, POLICY_BYTES + policy.__sizeof__()
        if self.on_change is not None:
            self.on_change()
        return policy


class Entry:
    """Knowledge about an authority, and the answer derived from it."""

    def __init__(
        self, knowledge: access.Knowledge, answer: access.Answer, made_at: float, agent: Agent | None = None
    ) -> None:
        self.knowledge = knowledge
        self.policies = Policies(answer)
        self.made_at = made_at
        self.agent = agent
        """The only crawler that the entry is valid for, because redirects were checked for it. `None` if no redirect
        had to be checked."""
        self.is_checked = True
        """Whether redirects were checked, if the profile requires it."""
        # The answer and the knowledge share one body, so it is counted once.
        self._own = ENTRY_BYTES + knowledge.__sizeof__()

    @property
    def answer(self) -> access.Answer:
        return self.policies.answer

    @property
    def bytes(self) -> int:
        return self._own + self.policies.bytes


Key = str | tuple[str, Agent]
"""An authority, or an authority and the crawler for which redirects were checked."""


class Memory:
    """Entries by authority, or by authority and crawler, limited to `bytes_max` bytes.

    The least recently used entries are dropped first. The most recently used entry is kept even if it exceeds the limit
    alone, because otherwise its robots.txt would be fetched again for every request.
    """

    def __init__(self, bytes_max: int) -> None:
        if bytes_max < 0:
            raise ValueError(f"memory_bytes_max is {bytes_max}: expected 0 or more bytes")
        self._bytes_max = bytes_max
        self.bytes = 0
        self._lock = threading.Lock()
        self._entries: OrderedDict[Key, Entry] = OrderedDict()
        self._counted: dict[Key, int] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key) -> Entry | None:
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
            return entry

    def known(self, authority: str, agent: Agent) -> Entry | None:
        """Return the entry that is valid for a crawler, even if it has expired."""
        entries = self.get(authority), self.get((authority, agent))
        there = (entry for entry in entries if entry is not None)
        return max(there, key=lambda it: it.knowledge.seen_at or 0, default=None)

    def current(self, authority: str, agent: Agent, now: float, profile: access.Profile) -> Entry | None:
        """Return the entry that is valid for a crawler now."""
        for entry in self.get(authority), self.get((authority, agent)):
            if entry is None:
                continue
            # If the clock was set back, derive the answer again.
            if entry.made_at <= now < min(entry.answer.holds_until, entry.answer.ask_again_at):
                return entry
            answer = entry.knowledge.answer(now=now, profile=profile)
            if not answer.is_due(now=now):
                entry = Entry(entry.knowledge, answer, now, entry.agent)
                self.keep(authority, entry)
                return entry
        return None

    def keep(self, authority: str, entry: Entry) -> None:
        key = authority if entry.agent is None else (authority, entry.agent)
        entry.policies.on_change = lambda: self._count(key, entry)
        with self._lock:
            self._entries[key] = entry
            self._entries.move_to_end(key)
        self._count(key, entry)

    def _count(self, key: Key, entry: Entry) -> None:
        with self._lock:
            if self._entries.get(key) is not entry:
                return
            data = entry.bytes
            self.bytes += data - self._counted.get(key, 0)
            self._counted[key] = data
            while self.bytes > self._bytes_max and len(self._entries) > 1:
                forgotten, _ = self._entries.popitem(last=False)
                self.bytes -= self._counted.pop(forgotten)
