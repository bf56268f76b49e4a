"""What is known about authorities, in bounded memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from verger import access
from verger._verger import Crawler, ProductToken

Agent = str | ProductToken | Crawler | tuple[str | ProductToken, ...]

MEMORY_BYTES_MAX: Final = 512 << 20
"""The default of `memory_bytes_max`, in bytes: that of `verger.access.Client`."""

AGENTS_MAX = 100
"""Policies that are kept for an authority: a crawl may rotate its headers."""

ENTRY_BYTES = 1536
"""What the Python objects of an entry take, beside what the compiled part says of itself."""

POLICY_BYTES = 128
"""The same for a policy after the first, with its key."""


class Policies:
    """An answer compiled for crawlers, by the key under which each was asked for."""

    def __init__(self, answer: access.Answer) -> None:
        self.answer = answer
        self.on_change: Callable[[], None] | None = None
        """Called when `bytes` has changed."""
        self._policies: dict[object, tuple[access.AccessPolicy, int]] = {}

    @property
    def data(self) -> int:
        """The memory that the policies take."""
        return sum(data for _, data in list(self._policies.values()))

    def policy(self, key: object, agent: Callable[[], Agent]) -> access.AccessPolicy:
        """The policy of a key; where there is none yet, `agent` names its crawler."""
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
    """What is known about an authority, and what follows."""

    def __init__(
        self, knowledge: access.Knowledge, answer: access.Answer, made_at: float, agent: Agent | None = None
    ) -> None:
        self.knowledge = knowledge
        self.policies = Policies(answer)
        self.made_at = made_at
        """The time of the answer."""
        self.agent = agent
        """The crawler for which redirects on the way were checked, and for which alone it counts; `None` where no
        redirect was to be checked."""
        self.is_checked = True
        """Whether the redirects on the way were checked, where the profile asks for that."""
        # The body of the answer is that of the knowledge, and is counted once.
        self._own = ENTRY_BYTES + knowledge.__sizeof__()

    @property
    def answer(self) -> access.Answer:
        return self.policies.answer

    @property
    def data(self) -> int:
        """The memory that it takes."""
        return self._own + self.policies.bytes


Key = str | tuple[str, Agent]
"""An authority, or an authority with the crawler for which redirects were checked."""


class Memory:
    """Entries by authority, and by crawler where they count for one, in at most so many bytes: those that were
    not used for longest are forgotten. The one that was used last is kept, however large it is: its site would
    be asked for each request.
    """

    def __init__(self, bytes_max: int) -> None:
        if bytes_max < 0:
            raise ValueError(f"{bytes_max} is no number of bytes")
        self._bytes_max = bytes_max
        self.bytes = 0
        """What is taken."""
        # Held for a few instructions.
        self._lock = threading.Lock()
        self._entries: OrderedDict[Key, Entry] = OrderedDict()
        self._counted: dict[Key, int] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key) -> Entry | None:
        """The entry of a key, which is used now."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
            return entry

    def keep(self, authority: str, entry: Entry) -> None:
        """Keeps an entry in place of an earlier one."""
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
