"""Drive `verger.access.Fetch` with the HTTP client of another package.

This module remembers what is known about authorities, lets all requests that need one robots.txt share one fetch, uses
the store, and decides about redirects. The caller supplies the waiting, so the same code serves asyncio, Twisted and
threads. If all waiting blocks the thread, `at_once` runs the coroutine.
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
"""Status sent by a proxy, not by the site, over `http` (RFC 9110, 15.5.8)."""

# Longer than a fetch takes with the default deadline, so the result can still be stored. The lease is renewed every few
# seconds, and that of a process that was killed expires soon.
_LEASE_SECONDS = 15
_LEASE_SECONDS_MAX = 90
_LEASE_SECONDS_MORE = 30
_LEASE_POLL_SECONDS = 0.25
_LEASE_WAIT_SECONDS_MAX = 2 * _LEASE_SECONDS_MAX


def at_once(coroutine: Coroutine[Any, Any, _R]) -> _R:
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: _R = end.value
        return result
    coroutine.close()
    raise AssertionError("the coroutine suspended, but all waiting must block")


def wait_seconds(pacing: Pacing, now: float) -> float:
    """Return the delay that a site requests between two requests at time `now`, in seconds."""
    if not pacing:
        return 0.0
    return pacing.wait_milliseconds(datetime.fromtimestamp(now, timezone.utc).time()) / 1000


_SHORTAGES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def causes(error: BaseException) -> Iterator[BaseException]:
    yield error
    context = None if error.__suppress_context__ else error.__context__
    led_to_it = (*getattr(error, "exceptions", ()), error.__cause__ or context)
    for cause in led_to_it:
        if isinstance(cause, BaseException):
            yield from causes(cause)


def is_of_site(error: Exception) -> bool:
    """Return whether an exception is about the site.

    It is not if this machine has no file descriptors, sockets or memory left, or if a header of the crawler is not
    valid.
    """
    if isinstance(error, UnicodeError):
        # A label of the name is empty or too long.
        return getattr(error, "encoding", "idna") == "idna"
    # Twisted uses a different attribute for the error number.
    codes = (getattr(it, name, None) for it in causes(error) for name in ("errno", "osError"))
    return _SHORTAGES.isdisjoint(it for it in codes if isinstance(it, int))


class Landing(Protocol):
    """An event that others wait for: the end of a fetch."""

    def set(self) -> object: ...
    async def wait(self) -> object: ...


class Waits(Protocol):
    """How a program waits: blocking, asyncio or another event loop."""

    def landing(self) -> Landing: ...
    def loop(self) -> object:
        """Return the running event loop, because events cannot wake another loop. `None` if there is only one."""
        ...

    async def sleep(self, seconds: float) -> None: ...
    async def blocking(self, call: Callable[..., _R], *arguments: object) -> _R:
        """Run a call that may block, and return its result."""
        ...


class Sender(ABC):
    """Fetches robots.txt files on behalf of a request."""

    deadline: float
    """Time limit for fetching a robots.txt, and maximum time to wait for another process to do it, in seconds."""

    @property
    @abstractmethod
    def agent(self) -> Agent:
        """The crawler for which redirects are checked."""

    def for_one_fetch(self) -> Self:
        """Return a sender for one fetch. All requests of the fetch share its time limit."""
        return copy.copy(self)

    @abstractmethod
    async def send(self, fetch: access.Fetch, request: access.Request) -> None:
        """Send `request` and pass the reply to `fetch`."""

    async def fetched(self, attempt: access.Attempt, entry: Entry) -> None:
        """Handle the end of a fetch."""

    def store_failed(self, error: access.StoreError) -> None:
        """Handle a store that cannot be used. The fetch continues without it."""


class _Flight:
    def __init__(self, landing: Landing) -> None:
        self.landing = landing
        self.entry: Entry | None = None


class _LeaseWait:
    """The wait for a lease. The thread that acquires it may outlive the request it serves."""

    def __init__(self, seconds: float) -> None:
        self.lease: access.Lease | None = None
        self.lease_seconds = int(min(seconds + _LEASE_SECONDS_MORE, _LEASE_SECONDS_MAX))
        self._until = time.monotonic() + min(seconds, _LEASE_WAIT_SECONDS_MAX)
        self._lock = threading.Lock()
        self._is_over = False

    def keep(self, lease: access.Lease) -> bool:
        with self._lock:
            if not self._is_over:
                self.lease = lease
            return self.lease is not None

    def seconds_left(self) -> float:
        return self._until - time.monotonic()

    def end(self) -> access.Lease | None:
        """Mark the request as ended, and return its lease, if any."""
        with self._lock:
            self._is_over = True
            return self.lease


class Begun(ABC):
    """An object that resets itself in a forked process, because threads of the parent may hold its locks."""

    def __init__(self) -> None:
        _begun.add(self)
        self.begin()

    @abstractmethod
    def begin(self) -> None:
        """Reset the state."""


_begun: weakref.WeakSet[Begun] = weakref.WeakSet()
_left: list[access.Store] = []
"""Stores of the parent process. A child process cannot even close them."""


def _begin_anew() -> None:
    for begun in _begun:
        begun.begin()


if hasattr(os, "register_at_fork"):  # Windows has no fork.
    os.register_at_fork(after_in_child=_begin_anew)


class Robots(Begun):
    """Knowledge about authorities, and the fetches in progress."""

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
        # Report an invalid store now.
        self._opened()

    def begin(self) -> None:
        self._holder = f"{self._holder_name}, process {os.getpid()}"
        # Held only for a few instructions, and never across an await.
        self._lock = threading.Lock()
        self._memory = Memory(self._memory_bytes_max)
        # Keyed by event loop and authority.
        self._flights: dict[tuple[object, str], _Flight] = {}
        self._waits_for: dict[tuple[object, str], str] = {}
        if self._store is not None:
            _left.append(self._store)
            self._store = None

    def _opened(self) -> access.Store | None:
        if self._store is None and self._store_name is not None:
            self._store = access.Store(self._store_name)
        return self._store

    async def take_turn(self, site: str, delay: float, longest: float | None) -> tuple[bool, float]:
        """Take the next turn to send a request to a site, among the processes that share the store.

        Return whether it was taken, and the wait in seconds. Without a store that works, a process keeps its own delays.
        """
        with suppress(access.StoreError):
            store = self._opened()
            if store is not None:
                return await self._waits.blocking(store._take_turn, site, delay, longest, self.clock())
        return True, 0.0

    def known(self, authority: str, agent: Agent) -> Entry | None:
        """Return the entry in memory that is valid for a crawler, even if it has expired."""
        entries = self._memory.get(authority), self._memory.get((authority, agent))
        there = (entry for entry in entries if entry is not None)
        return max(there, key=lambda it: it.knowledge.seen_at or 0, default=None)

    async def entry(self, authority: str, sender: Sender, depth: int = 0) -> Entry:
        """Return what is known about an authority, after a fetch if one is due.

        All requests of an event loop that wait for an authority share one fetch.
        """
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
            # An entry whose redirects were not checked can only answer a question about a redirect. If a fetch was
            # cancelled, or its redirects were checked for another crawler, the next waiter starts another fetch.
            entry = flight.entry
            if entry is not None and (entry.is_checked or depth) and entry.agent in (None, sender.agent):
                return entry

    def _current(self, authority: str, key: Key) -> Entry | None:
        """Return the entry under a key, if it is still valid."""
        entry = self._memory.get(key)
        if entry is None:
            return None
        now = self.clock()
        # If the clock was set back, derive the answer again.
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
                # In a forked process it is already gone.
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
                        # The entry in memory may be valid only for this crawler.
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
                # Do not await here: a cancelled task cannot always await.
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
        """Return what the store knows if it is recent enough. Otherwise acquire a lease in `wait`.

        Waits while another process fetches. If that takes too long, the result has expired, and its answer defers.
        """
        while True:
            knowledge, is_over = await self._waits.blocking(self._look, store, authority, knowledge, wait)
            seconds = wait.seconds_left()
            if is_over or seconds <= 0:
                return knowledge
            # Do not hold a thread meanwhile. Another fetch may need it to finish.
            await self._waits.sleep(min(seconds, _LEASE_POLL_SECONDS))

    def _look(
        self, store: access.Store, authority: str, knowledge: access.Knowledge, wait: _LeaseWait
    ) -> tuple[access.Knowledge, bool]:
        """Check the store once. Return what is known, and whether that is recent enough or `wait` has a lease."""
        now = self.clock()
        knowledge, is_enough = self._stored(store, authority, knowledge, now)
        if is_enough:
            return knowledge, True
        lease = store.acquire(authority, holder=self._holder, now=now, seconds=_LEASE_SECONDS)
        if lease is None:
            return knowledge, False
        store._renew(lease, wait.lease_seconds)
        # The previous holder may have stored its result.
        knowledge, is_enough = self._stored(store, authority, knowledge, now)
        if is_enough or not wait.keep(lease):
            store.release(lease)
        return knowledge, True

    def _stored(
        self, store: access.Store, authority: str, knowledge: access.Knowledge, now: float
    ) -> tuple[access.Knowledge, bool]:
        """Return what the store knows, unless `knowledge` is more recent, and whether it is still valid."""
        known = store.knowledge(authority, at=now, profile=self._profile)
        if known is None or (known.seen_at or 0) < (knowledge.seen_at or 0):
            return knowledge, False
        return known, not known.answer(now=now, profile=self._profile).is_due(now=now)

    async def _drive(
        self, fetch: access.Fetch, authority: str, sender: Sender, depth: int
    ) -> tuple[access.Attempt, bool, Agent | None]:
        """Return the attempt, whether its redirects were checked, and the crawler they were checked for, if any."""
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
            # Prevent two fetches from waiting for each other.
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
