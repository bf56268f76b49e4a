"""Drives `verger.access.Fetch` with the HTTP client of another package: what is known about authorities, one
fetch of each however many requests wait for it, the store, and the questions about redirects.

What suspends is given from outside, so that the same code serves asyncio, Twisted and threads. Where nothing
suspends, since all waiting blocks the thread, `at_once` runs it.
"""

from __future__ import annotations

import copy
import errno
import os
import random
import threading
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from verger import access
from verger._memory import Agent, Entry, Key, Memory
from verger._verger import Pacing

if TYPE_CHECKING:
    from typing_extensions import Self

_R = TypeVar("_R")

PROXY_STATUS = 407
"""Over `http` a proxy answers so in the place of the site (RFC 9110, 15.5.8)."""

# Longer than a fetch may take with the default deadline, so that what it saw can be stored. Until it ends, the lease of
# a process that was killed keeps others from its site.
_LEASE_SECONDS_MAX = 90
_LEASE_SECONDS_MORE = 30
_LEASE_POLL_SECONDS = 0.25
_LEASE_WAIT_SECONDS_MAX = 2 * _LEASE_SECONDS_MAX


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


_SHORTAGES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def causes(error: BaseException) -> Iterator[BaseException]:
    """An exception and what led to it."""
    yield error
    context = None if error.__suppress_context__ else error.__context__
    led_to_it = (*getattr(error, "exceptions", ()), error.__cause__ or context)
    for cause in led_to_it:
        if isinstance(cause, BaseException):
            yield from causes(cause)


def is_of_site(error: Exception) -> bool:
    """Whether an exception says something about a site: not that this machine has no file, socket or memory left,
    nor that a header of the crawler cannot be sent."""
    if isinstance(error, UnicodeError):
        # A label of the name is empty or too long.
        return getattr(error, "encoding", "idna") == "idna"
    # Twisted has another name for the number.
    codes = (getattr(it, name, None) for it in causes(error) for name in ("errno", "osError"))
    return _SHORTAGES.isdisjoint(it for it in codes if isinstance(it, int))


class Landing(Protocol):
    """The end of a fetch, for which others wait."""

    def set(self) -> object: ...
    async def wait(self) -> object: ...


class Waits(Protocol):
    """How one kind of program waits."""

    def landing(self) -> Landing: ...
    def loop(self) -> object:
        """The event loop that runs: what waits in one is not woken from another. `None` where there is one alone."""
        ...

    async def sleep(self, seconds: float) -> None: ...
    async def blocking(self, call: Callable[..., _R], *arguments: object) -> _R:
        """What a call returns that may block."""
        ...


class Sender(ABC):
    """How robots.txt files are fetched on behalf of a request."""

    deadline: float
    """The time for the fetch of a robots.txt, and at most for the wait for that of another process, in seconds."""

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


class _LeaseWait:
    """The wait for a lease. The thread that acquires it may outlive the request that it is for."""

    def __init__(self, seconds: float) -> None:
        self.lease: access.Lease | None = None
        self.lease_seconds = int(min(seconds + _LEASE_SECONDS_MORE, _LEASE_SECONDS_MAX))
        self._until = time.monotonic() + min(seconds, _LEASE_WAIT_SECONDS_MAX)
        self._lock = threading.Lock()
        self._is_over = False

    def keep(self, lease: access.Lease) -> bool:
        """Takes the lease, unless the request has ended."""
        with self._lock:
            if not self._is_over:
                self.lease = lease
            return self.lease is not None

    def seconds_left(self) -> float:
        return self._until - time.monotonic()

    def end(self) -> access.Lease | None:
        """The request has ended; returns the lease that it had."""
        with self._lock:
            self._is_over = True
            return self.lease


class Begun(ABC):
    """What begins anew in a forked process: threads of the parent may have held its locks."""

    def __init__(self) -> None:
        _begun.add(self)
        self.begin()

    @abstractmethod
    def begin(self) -> None:
        """Knows nothing, and waits for nothing."""


_begun: weakref.WeakSet[Begun] = weakref.WeakSet()
_left: list[access.Store] = []
"""Stores of the parent: not even closing them is possible in its child."""


def _begin_anew() -> None:
    for begun in _begun:
        begun.begin()


if hasattr(os, "register_at_fork"):  # Windows has no fork.
    os.register_at_fork(after_in_child=_begin_anew)


class Robots(Begun):
    """What is known about authorities, and the fetches on the way."""

    def __init__(
        self,
        waits: Waits,
        clock: Callable[[], float],
        profile: access.Profile,
        store: str | os.PathLike[str] | None,
        holder: str,
        memory_bytes_max: int,
    ) -> None:
        self.clock = clock
        self._waits = waits
        self._profile = profile
        self._store_name = store
        self._store: access.Store | None = None
        self._holder_name = holder
        self._memory_bytes_max = memory_bytes_max
        super().__init__()
        # What is wrong with the store is raised now.
        self._opened()

    def begin(self) -> None:
        self._holder = f"{self._holder_name}, process {os.getpid()}"
        # Held for a few instructions, and never while something is awaited.
        self._lock = threading.Lock()
        self._memory = Memory(self._memory_bytes_max)
        # By event loop and authority.
        self._flights: dict[tuple[object, str], _Flight] = {}
        self._waits_for: dict[tuple[object, str], str] = {}
        if self._store is not None:
            _left.append(self._store)
            self._store = None

    def _opened(self) -> access.Store | None:
        """The store of this process."""
        if self._store is None and self._store_name is not None:
            self._store = access.Store(self._store_name)
        return self._store

    def known(self, authority: str, agent: Agent) -> Entry | None:
        """What is in memory about an authority and counts for a crawler, whether it is still good or not."""
        entries = self._memory.get(authority), self._memory.get((authority, agent))
        there = (entry for entry in entries if entry is not None)
        return max(there, key=lambda it: it.knowledge.seen_at or 0, default=None)

    async def entry(self, authority: str, sender: Sender, depth: int = 0) -> Entry:
        """What is known, after a fetch where one is due: one for all requests of an event loop that wait for it."""
        key = self._waits.loop(), authority
        while True:
            with self._lock:
                entry = self._current(authority, authority)
                if entry is None:
                    entry = self._current(authority, (authority, sender.agent))
                if entry is not None:
                    return entry
                flight = self._flights.get(key)
                is_ours = flight is None
                if flight is None:
                    flight = self._flights[key] = _Flight(self._waits.landing())
            if is_ours:
                return await self._fly(key, flight, sender, depth)
            await flight.landing.wait()
            # What asked about no hop answers a question about a hop alone. Where a fetch was broken off, or its
            # redirects were checked for another crawler, the next one that waited begins another.
            entry = flight.entry
            if entry is not None and (entry.is_checked or depth) and entry.agent in (None, sender.agent):
                return entry

    def _current(self, authority: str, key: Key) -> Entry | None:
        """What is known under a key of an authority, where it is still good."""
        entry = self._memory.get(key)
        if entry is None:
            return None
        now = self.clock()
        # Where the clock has gone back, the answer is made anew.
        if entry.made_at <= now < min(entry.answer.holds_until, entry.answer.ask_again_at):
            return entry
        answer = entry.knowledge.answer(now=now, profile=self._profile)
        if answer.is_due(now=now):
            return None
        entry = Entry(entry.knowledge, answer, now, entry.agent)
        self._memory.keep(authority, entry)
        return entry

    async def _fly(self, key: tuple[object, str], flight: _Flight, sender: Sender, depth: int) -> Entry:
        try:
            flight.entry = await self._find_out(key[1], sender, depth)
        finally:
            with self._lock:
                # In a forked process it is not there any more.
                self._flights.pop(key, None)
            flight.landing.set()
        return flight.entry

    async def _find_out(self, authority: str, sender: Sender, depth: int) -> Entry:
        before = self.known(authority, sender.agent)
        knowledge = before.knowledge if before else access.Knowledge()
        store, wait = None, _LeaseWait(sender.deadline)
        try:
            try:
                store = self._opened()
                if store is not None:
                    knowledge = await self._known_or_lease(store, authority, knowledge, wait)
                    if wait.lease is None:
                        # What is in memory may count for this crawler alone.
                        agent = before.agent if before and knowledge is before.knowledge else None
                        return self._follows(authority, knowledge, True, agent)
            except access.StoreError as error:
                sender.store_failed(error)
            fetch = access.Fetch(
                authority,
                profile=self._profile,
                knowledge=knowledge,
                jitter=random.randint(-100, 100),
            )
            attempt, is_checked, agent = await self._drive(fetch, authority, sender, depth)
            if store is not None and wait.lease is not None:
                try:
                    if is_checked:
                        await self._waits.blocking(store.put, wait.lease, fetch)
                    else:
                        await self._waits.blocking(store.release, wait.lease)
                except access.StoreError as error:
                    sender.store_failed(error)
        except BaseException:
            lease = wait.end()
            if store is not None and lease is not None:
                # At once: a task that is cancelled cannot always await.
                with suppress(access.StoreError):
                    store.release(lease)
            raise
        entry = self._follows(authority, fetch.knowledge, is_checked, agent)
        await sender.fetched(attempt, entry)
        return entry

    def _follows(
        self, authority: str, knowledge: access.Knowledge, is_checked: bool, agent: Agent | None
    ) -> Entry:
        now = self.clock()
        entry = Entry(knowledge, knowledge.answer(now=now, profile=self._profile), now, agent)
        entry.is_checked = is_checked
        if is_checked:
            self._memory.keep(authority, entry)
        return entry

    async def _known_or_lease(
        self, store: access.Store, authority: str, knowledge: access.Knowledge, wait: _LeaseWait
    ) -> access.Knowledge:
        """What the store knows, where that is recent enough; otherwise `wait` gets the right to fetch. Waits while
        another process fetches; where that takes too long, what is known has expired and defers."""
        while True:
            knowledge, is_over = await self._waits.blocking(self._look, store, authority, knowledge, wait)
            seconds = wait.seconds_left()
            if is_over or seconds <= 0:
                return knowledge
            # No thread is held meanwhile: another fetch needs it to end.
            await self._waits.sleep(min(seconds, _LEASE_POLL_SECONDS))

    def _look(
        self, store: access.Store, authority: str, knowledge: access.Knowledge, wait: _LeaseWait
    ) -> tuple[access.Knowledge, bool]:
        """Looks once into the store: what is known, and whether that is recent enough or `wait` has a lease."""
        now = self.clock()
        knowledge, is_enough = self._stored(store, authority, knowledge, now)
        if is_enough:
            return knowledge, True
        lease = store.acquire(authority, holder=self._holder, now=now, seconds=wait.lease_seconds)
        if lease is None:
            return knowledge, False
        # The holder before may have put what it saw.
        knowledge, is_enough = self._stored(store, authority, knowledge, now)
        if is_enough or not wait.keep(lease):
            store.release(lease)
        return knowledge, True

    def _stored(
        self, store: access.Store, authority: str, knowledge: access.Knowledge, now: float
    ) -> tuple[access.Knowledge, bool]:
        """What the store knows where that is not older than `knowledge`, and whether it is still good."""
        known = store.knowledge(authority, at=now, profile=self._profile)
        if known is None or (known.seen_at or 0) < (knowledge.seen_at or 0):
            return knowledge, False
        return known, not known.answer(now=now, profile=self._profile).is_due(now=now)

    # ---- one fetch -------------------------------------------------------------------------------

    async def _drive(
        self, fetch: access.Fetch, authority: str, sender: Sender, depth: int
    ) -> tuple[access.Attempt, bool, Agent | None]:
        """The attempt, whether its redirects were checked, and the crawler for which one was."""
        is_checked, agent, of_fetch = True, None, sender.for_one_fetch()
        while True:
            action = fetch.action
            if isinstance(action, access.Request):
                await of_fetch.send(fetch, action)
            elif isinstance(action, access.HopQuestion):
                if depth:
                    is_checked = False
                    fetch.hop(access.HopVerdict.UNKNOWN)
                else:
                    agent = sender.agent
                    fetch.hop(await self._hop_verdict(action.url, authority, sender))
            else:
                return action, is_checked, agent

    async def _hop_verdict(self, url: str, authority: str, sender: Sender) -> access.HopVerdict:
        asked, loop = access.authority(url), self._waits.loop()
        with self._lock:
            # Two fetches must not wait for each other.
            on_the_way: str | None = asked
            while on_the_way is not None:
                if on_the_way == authority:
                    return access.HopVerdict.UNKNOWN
                on_the_way = self._waits_for.get((loop, on_the_way))
            self._waits_for[loop, authority] = asked
        try:
            entry = await self.entry(asked, sender, depth=1)
        finally:
            with self._lock:
                self._waits_for.pop((loop, authority), None)
        return entry.answer.hop_verdict(url, agent=sender.agent)
