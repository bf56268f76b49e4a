"""Drives `verger.access.Fetch` with the HTTP client of another package: what is known about authorities, one
fetch of each however many requests wait for it, the store, and the questions about redirects.

What suspends is given from outside, so that the same code serves asyncio, Twisted and threads. Where nothing
suspends, since all waiting blocks the thread, `at_once` runs it.
"""

from __future__ import annotations

import copy
import os
import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from verger import access
from verger._memory import Entry, Memory
from verger._verger import Crawler, Pacing, ProductToken

if TYPE_CHECKING:
    from typing_extensions import Self

Agent = str | ProductToken | Crawler | tuple[str | ProductToken, ...]

_R = TypeVar("_R")

# Longer than a fetch may take with the default deadline, so that what it saw can be stored.
_LEASE_SECONDS = 90
_LEASE_POLL_SECONDS = 0.25
_LEASE_POLLS_MAX = 2 * int(_LEASE_SECONDS / _LEASE_POLL_SECONDS)


def at_once(coroutine: Coroutine[Any, Any, _R]) -> _R:
    """The result of a coroutine that never suspends."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: _R = end.value
        return result
    coroutine.close()
    raise AssertionError("a coroutine suspended where all waiting blocks")


def wait_seconds(pacing: Pacing, now: float) -> float:
    """The delay between two requests that a site asks for at a time."""
    if not pacing:
        return 0.0
    return pacing.wait_milliseconds(datetime.fromtimestamp(now, timezone.utc).time()) / 1000


class Landing(Protocol):
    """The end of a fetch, for which others wait."""

    def set(self) -> object: ...
    async def wait(self) -> object: ...


class Waits(Protocol):
    """How one kind of program waits."""

    def landing(self) -> Landing: ...
    async def blocking(self, call: Callable[..., _R], *arguments: object) -> _R:
        """What a call returns that may block."""
        ...


class Sender(ABC):
    """How robots.txt files are fetched on behalf of a request."""

    @property
    @abstractmethod
    def agent(self) -> Agent:
        """The crawler for which redirects are checked."""

    def for_one_fetch(self) -> Self:
        """A sender for one fetch, whose requests share the time that it may take."""
        return copy.copy(self)

    @abstractmethod
    async def send(self, fetch: access.Fetch, request: access.Request) -> None:
        """Sends `request`, and gives what came to `fetch`."""

    async def fetched(self, attempt: access.Attempt, entry: Entry) -> None:
        """A fetch has ended."""

    def store_failed(self, error: access.StoreError) -> None:
        """The store cannot be used; the fetch goes on without it."""


class _Flight:
    """A fetch on the way."""

    def __init__(self, landing: Landing) -> None:
        self.landing = landing
        self.entry: Entry | None = None


class Robots:
    """What is known about authorities, and the fetches on the way."""

    def __init__(
        self,
        waits: Waits,
        clock: Callable[[], float],
        profile: access.Profile,
        store: access.Store | None,
        holder: str,
        memory_bytes_max: int,
    ) -> None:
        self.clock = clock
        self._waits = waits
        self._profile = profile
        self._store = store
        self._holder = f"{holder}, process {os.getpid()}"
        # Held for a few instructions, and never while something is awaited.
        self._lock = threading.Lock()
        self._memory = Memory(memory_bytes_max)
        self._flights: dict[str, _Flight] = {}
        self._waits_for: dict[str, str] = {}

    def known(self, authority: str) -> Entry | None:
        """What is in memory about an authority, whether it is still good or not."""
        return self._memory.get(authority)

    async def entry(self, authority: str, sender: Sender, depth: int = 0) -> Entry:
        """What is known, after a fetch where one is due: one for all requests that wait for it."""
        while True:
            with self._lock:
                entry = self._current(authority)
                if entry is not None:
                    return entry
                flight = self._flights.get(authority)
                is_ours = flight is None
                if flight is None:
                    flight = self._flights[authority] = _Flight(self._waits.landing())
            if is_ours:
                return await self._fly(authority, flight, sender, depth)
            await flight.landing.wait()
            # What asked about no hop answers a question about a hop alone. Where a fetch was broken off,
            # the next one that waited begins another.
            if flight.entry is not None and (flight.entry.is_checked or depth):
                return flight.entry

    def _current(self, authority: str) -> Entry | None:
        """What is known, where it is still good."""
        entry = self._memory.get(authority)
        if entry is None:
            return None
        now = self.clock()
        if now < min(entry.answer.holds_until, entry.answer.ask_again_at):
            return entry
        answer = entry.knowledge.answer(now=now, profile=self._profile)
        if answer.is_due(now=now):
            return None
        entry = Entry(entry.knowledge, answer)
        self._memory.keep(authority, entry)
        return entry

    async def _fly(self, authority: str, flight: _Flight, sender: Sender, depth: int) -> Entry:
        try:
            flight.entry = await self._find_out(authority, sender, depth)
        finally:
            with self._lock:
                del self._flights[authority]
            flight.landing.set()
        return flight.entry

    async def _find_out(self, authority: str, sender: Sender, depth: int) -> Entry:
        before = self.known(authority)
        knowledge = before.knowledge if before else access.Knowledge()
        store, lease = self._store, None
        if store is not None:
            try:
                knowledge, lease = await self._waits.blocking(
                    self._known_or_lease, store, authority, knowledge
                )
            except access.StoreError as error:
                sender.store_failed(error)
            else:
                if lease is None:
                    return self._follows(authority, knowledge, is_checked=True)
        fetch = access.Fetch(
            authority,
            profile=self._profile,
            knowledge=knowledge,
            jitter=random.randint(-100, 100),
        )
        try:
            attempt, is_checked = await self._drive(fetch, authority, sender, depth)
        except BaseException:
            if store is not None and lease is not None:
                # At once: a task that is cancelled cannot always await.
                with suppress(access.StoreError):
                    store.release(lease)
            raise
        if store is not None and lease is not None:
            try:
                if is_checked:
                    await self._waits.blocking(store.put, lease, fetch)
                else:
                    await self._waits.blocking(store.release, lease)
            except access.StoreError as error:
                sender.store_failed(error)
        entry = self._follows(authority, fetch.knowledge, is_checked)
        await sender.fetched(attempt, entry)
        return entry

    def _follows(self, authority: str, knowledge: access.Knowledge, is_checked: bool) -> Entry:
        entry = Entry(knowledge, knowledge.answer(now=self.clock(), profile=self._profile))
        entry.is_checked = is_checked
        if is_checked:
            self._memory.keep(authority, entry)
        return entry

    def _known_or_lease(
        self, store: access.Store, authority: str, knowledge: access.Knowledge
    ) -> tuple[access.Knowledge, access.Lease | None]:
        """What the store knows, where that is recent enough; otherwise the right to fetch. Blocks while
        another process fetches; where that takes too long, what is known has expired and defers."""
        for _ in range(_LEASE_POLLS_MAX):
            now = self.clock()
            known = store.knowledge(authority, at=now, profile=self._profile)
            if known is not None and (known.seen_at or 0) >= (knowledge.seen_at or 0):
                knowledge = known
                if not knowledge.answer(now=now, profile=self._profile).is_due(now=now):
                    return knowledge, None
            lease = store.acquire(authority, holder=self._holder, now=now, seconds=_LEASE_SECONDS)
            if lease is not None:
                return knowledge, lease
            time.sleep(_LEASE_POLL_SECONDS)
        return knowledge, None

    # ---- one fetch -------------------------------------------------------------------------------

    async def _drive(
        self, fetch: access.Fetch, authority: str, sender: Sender, depth: int
    ) -> tuple[access.Attempt, bool]:
        is_checked, of_fetch = True, sender.for_one_fetch()
        while True:
            action = fetch.action
            if isinstance(action, access.Request):
                await of_fetch.send(fetch, action)
            elif isinstance(action, access.HopQuestion):
                if depth:
                    is_checked = False
                    fetch.hop(access.HopVerdict.UNKNOWN)
                else:
                    fetch.hop(await self._hop_verdict(action.url, authority, sender))
            else:
                return action, is_checked

    async def _hop_verdict(self, url: str, authority: str, sender: Sender) -> access.HopVerdict:
        asked = access.authority(url)
        with self._lock:
            # Two fetches must not wait for each other.
            on_the_way: str | None = asked
            while on_the_way is not None:
                if on_the_way == authority:
                    return access.HopVerdict.UNKNOWN
                on_the_way = self._waits_for.get(on_the_way)
            self._waits_for[authority] = asked
        try:
            entry = await self.entry(asked, sender, depth=1)
        finally:
            with self._lock:
                del self._waits_for[authority]
        return entry.answer.hop_verdict(url, agent=sender.agent)
