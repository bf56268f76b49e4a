"""Fetch robots.txt files with the HTTP client of another package.

A session of the compiled module decides which requests fetch, and which ones wait for them. This module carries out its
steps. The caller supplies the waiting (`Waits`), so the same code serves asyncio, Twisted and threads.

A flight runs in the request that it began for. It needs the HTTP client of a request, and neither trio nor a program
that blocks has another place to run it. If that request is cancelled, the flight ends, and the requests that wait for
it ask again.
"""

from __future__ import annotations

import copy
import os
import random
import threading
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from verger import access
from verger._memory import Agent, Entry, Memory
from verger._verger import _Session
from verger._waits import Waits

if TYPE_CHECKING:
    from typing_extensions import Self

# A lease is renewed every few seconds. If a process is killed, its lease expires soon.
_LEASE_SECONDS = 15


class Sender(ABC):
    """Fetches robots.txt files on behalf of a request."""

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
    """Knowledge about authorities, and the fetches in progress.

    `deadline` is the maximum time to wait for another process that fetches, in seconds.
    """

    def __init__(
        self,
        waits: Waits,
        clock: Callable[[], float],
        profile: access.Profile,
        store: str | os.PathLike[str] | None,
        holder: str,
        deadline: float,
        memory_bytes_max: int,
    ) -> None:
        self.clock = clock
        self.waits = waits
        self.profile = profile
        self._deadline = deadline
        self._store_name = store
        self._store: access.Store | None = None
        self._holder_name = holder
        self._memory_bytes_max = memory_bytes_max
        super().__init__()
        # Report an invalid store now.
        self.store()

    def begin(self) -> None:
        self.holder = f"{self._holder_name}, process {os.getpid()}"
        self.memory = Memory(self._memory_bytes_max)
        # Held only for a few instructions, and never across an await. The garbage collector may end a request meanwhile.
        self._lock = threading.RLock()
        self._sessions: dict[object, _Session] = {}
        """Sessions with open questions, by event loop."""
        if self._store is not None:
            _left.append(self._store)
            self._store = None

    def store(self) -> access.Store | None:
        if self._store is None and self._store_name is not None:
            self._store = access.Store(self._store_name)
        return self._store

    async def take_turn(self, site: str, delay: float, longest: float | None) -> tuple[bool, float]:
        """Take the next turn to send a request to a site, among the processes that share the store.

        Return whether it was taken, and the wait in seconds. Without a store that works, a process keeps its own delays.
        """
        with suppress(access.StoreError):
            store = self.store()
            if store is not None:
                return await self.waits.blocking(store._take_turn, site, delay, longest, self.clock())
        return True, 0.0

    async def entry(self, authority: str, sender: Sender) -> Entry:
        """Return what is known about an authority, after a fetch if one is due.

        All requests of an event loop that wait for an authority share one fetch.
        """
        entry = self.current(authority, sender) or await self.answer(authority, sender)
        assert entry is not None, "only redirects are followed unchecked"
        return entry

    def current(self, authority: str, sender: Sender) -> Entry | None:
        return self.memory.current(authority, sender.agent, self.clock(), self.profile)

    async def answer(self, authority: str, sender: Sender, of: _Asked | None = None) -> Entry | None:
        """Wait for a flight, or carry it out. Return `None` if the flight of `of` follows a redirect unchecked."""
        while (asked := self._ask(authority, sender, of)) is not None:
            try:
                if not asked.flight:
                    await asked.landing.wait()
                if asked.flight:
                    asked.entry = await asked.fly()
            finally:
                self._leave(asked)
            # Ask again if the flight was cancelled, or its redirects were checked for another crawler.
            if asked.entry is not None and asked.entry.agent in (None, sender.agent):
                return asked.entry
        return None

    def _ask(self, authority: str, sender: Sender, of: _Asked | None) -> _Asked | None:
        loop = self.waits.loop()
        with self._lock:
            session = of.session if of else self._sessions.get(loop)
            if session is None:
                session = self._sessions[loop] = _Session(self._deadline)
            asked = _Asked(self, session, authority, sender)
            if of:
                ticket = session.ask_about_hop(of.flight, authority, asked)
            else:
                ticket = session.ask(authority, asked)
            asked.ticket = ticket or 0
            for flight, it in iter(session.poll, None):
                it.flight = flight
        return asked if ticket else None

    def _leave(self, asked: _Asked) -> None:
        """End a request. If it carried out a flight, the others get its result."""
        asked.end()
        with self._lock:
            told: list[_Asked] = asked.session.land(asked.flight)
            for it in told:
                it.entry = asked.entry
            asked.session.leave(asked.ticket)
            for flight, it in iter(asked.session.poll, None):
                it.flight = flight
                told.append(it)
            self._sessions = {loop: it for loop, it in self._sessions.items() if not it.is_idle}
        for it in told:
            it.landing.set()


class _Asked:
    """A request that waits for a flight, or carries it out."""

    flight = 0
    """The flight that it carries out, or 0."""
    ticket = 0
    entry: Entry | None = None
    _held: tuple[access.Store, access.Lease] | None = None
    _is_over = False

    def __init__(self, robots: Robots, session: _Session, authority: str, sender: Sender) -> None:
        self.session = session
        self.landing = robots.waits.landing()
        self._robots = robots
        self._authority = authority
        self._sender = sender

    async def fly(self) -> Entry:
        """Carry out the steps of the flight."""
        robots, authority, sender = self._robots, self._authority, self._sender
        if (entry := robots.current(authority, sender)) is not None:
            return entry
        before = robots.memory.known(authority, sender.agent)
        self._known = before.knowledge if before else access.Knowledge()
        # The entry in memory may be valid only for this crawler.
        self._agent = before.agent if before else None
        event: str | None = "woken"
        while event is not None:
            step, at = self._step(event)
            if step == "attempt":
                return await self._attempt()
            if step == "read":
                event = await self._with_store(self._read)
            elif step == "acquire":
                event = await self._with_store(self._acquire)
            elif step == "await-lease":
                # Do not hold a thread meanwhile. Another fetch may need it to finish.
                await robots.waits.sleep(max(0.0, at - time.monotonic()))
                event = "woken"
            else:
                # Another process takes too long. The knowledge has expired, and its answer defers.
                event = None
        return self._entry(self._known, self._agent)

    def _step(self, event: str, fetch: access.Fetch | None = None) -> tuple[str, float]:
        return self.session.step(self.flight, event, time.monotonic(), fetch)

    async def _with_store(self, call: Callable[[access.Store], str | None]) -> str | None:
        """Return the event that `call` returns, or that the store cannot be used."""
        try:
            store = self._robots.store()
            if store is not None:
                return await self._robots.waits.blocking(call, store)
        except access.StoreError as error:
            self._sender.store_failed(error)
        return "store-failed"

    def _read(self, store: access.Store) -> str | None:
        now, profile = self._robots.clock(), self._robots.profile
        known = store.knowledge(self._authority, at=now, profile=profile)
        if known is None or (known.seen_at or 0) < (self._known.seen_at or 0):
            return "due"
        self._known, self._agent = known, None
        return "due" if known.answer(now=now, profile=profile).is_due(now=now) else None

    def _acquire(self, store: access.Store) -> str | None:
        holder, now = self._robots.holder, self._robots.clock()
        lease = store.acquire(self._authority, holder=holder, now=now, seconds=_LEASE_SECONDS)
        if lease is None:
            return "lease-held-elsewhere"
        store._renew(lease)
        self._held = store, lease
        # The previous holder may have stored its result. This thread may outlive the request that it serves.
        if self._read(store) is None or self._is_over:
            self._end_lease(None)
            return None
        return "lease-granted"

    def _end_lease(self, result: access.Fetch | None) -> None:
        held, self._held = self._held, None
        if held and result:
            held[0].put(held[1], result)
        elif held:
            held[0].release(held[1])

    def end(self) -> None:
        self._is_over = True
        # Do not await here: a cancelled task cannot always await. If this fails, the lease expires soon.
        with suppress(Exception):
            self._end_lease(None)

    async def _attempt(self) -> Entry:
        robots, sender, agent = self._robots, self._sender, None
        profile, jitter = robots.profile, random.randint(-100, 100)
        fetch = access.Fetch(self._authority, profile=profile, knowledge=self._known, jitter=jitter)
        of_fetch = sender.for_one_fetch()
        while not isinstance(action := fetch.action, access.Attempt):
            if isinstance(action, access.Request):
                await of_fetch.send(fetch, action)
                continue
            agent, verdict = sender.agent, access.HopVerdict.UNKNOWN
            hop = await robots.answer(access.authority(action.url), sender, self)
            if hop is not None:
                self._step("resumes")
                verdict = hop.answer.hop_verdict(action.url, agent=agent)
            fetch.hop(verdict)
        keeping, _ = self._step("ended", fetch)
        if self._held:
            result = fetch if keeping == "put" else None
            await self._with_store(lambda _: self._end_lease(result))
        is_checked = keeping != "return"
        entry = self._entry(fetch.knowledge, agent if is_checked else None, is_checked)
        await sender.fetched(action, entry)
        return entry

    def _entry(self, knowledge: access.Knowledge, agent: Agent | None, is_checked: bool = True) -> Entry:
        now = self._robots.clock()
        entry = Entry(knowledge, knowledge.answer(now=now, profile=self._robots.profile), now, agent)
        entry.is_checked = is_checked
        if is_checked:
            self._robots.memory.keep(self._authority, entry)
        return entry
