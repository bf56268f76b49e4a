"""Decide when the next request to each site may be sent."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from verger._drive import Begun
from verger._waits import Landing, Waits

if TYPE_CHECKING:
    from typing_extensions import Self

log = logging.getLogger("verger.gate")

SITES_KEPT = 1024
"""Number of sites remembered before those whose delay has passed are forgotten."""

SLEEP_SECONDS_MAX = 86_400.0
"""Longest single sleep, in seconds. Longer waits are split, because systems limit the length of a sleep."""


LATE_PART = 20
LATE_SECONDS = 0.02
"""A request that is later than its turn by more than this part of its delay and this time takes another turn."""

TURNS_MAX = 3
"""Number of turns that a request takes. On a machine that is always late, it is then sent."""


class TooLong(Exception):
    """The wait would exceed the longest wait allowed."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class _Site:
    def __init__(self) -> None:
        self.last: float | None = None
        self.delay = 0.0
        self.queues: dict[object, OrderedDict[Turn, Landing | None]] = {}
        """Waiting requests by event loop, because a loop cannot wake a request in another. In each queue, all but the
        first wait until they are the first."""

    def wait(self, now: float, delay: float) -> float:
        """Return how long a request must wait if no other request waits."""
        return 0.0 if self.last is None else max(0.0, self.last + delay - now)


class Delays(Begun):
    """Decides when the next request to each site may be sent.

    Requests take turns in order of arrival. A request that is cancelled while waiting does not take its turn. All times
    are in seconds.
    """

    def __init__(
        self,
        waits: Waits,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        take: Callable[[str, float, float | None], Awaitable[tuple[bool, float]]],
    ) -> None:
        self.waits = waits
        self.clock = clock
        self.sleep = sleep
        self.take = take
        """Takes a turn among all processes. Returns whether it was taken, and the wait."""
        super().__init__()

    def begin(self) -> None:
        # Held only for a few instructions, and never during a wait. The garbage collector may end a turn meanwhile.
        self.lock = threading.RLock()
        self._sites: dict[str, _Site] = {}
        self._kept_max = SITES_KEPT

    def turn(self, name: str, delay: float, longest: float | None) -> Turn:
        """Return the turn of a request to a site, after the waiting requests.

        Raises `TooLong` if these alone take longer than `longest`.
        """
        now = self.clock()
        with self.lock:
            site = self._site(name, now)
            waiting = sum(map(len, site.queues.values()))
            wait = site.wait(now, delay) + waiting * delay
            if longest is not None and wait > longest:
                raise TooLong(wait)
            return Turn(self, name, site, None if longest is None else now + longest)

    def _site(self, name: str, now: float) -> _Site:
        site = self._sites.get(name)
        if site is None:
            if len(self._sites) >= self._kept_max:
                self._forget(now)
            site = self._sites[name] = _Site()
        return site

    def _forget(self, now: float) -> None:
        self._sites = {
            name: site
            for name, site in self._sites.items()
            if site.queues or (site.last is not None and now < site.last + site.delay)
        }
        # Doubling the limit means that each site is examined only a few times.
        self._kept_max = max(SITES_KEPT, 2 * len(self._sites))

    def __len__(self) -> int:
        return len(self._sites)


class Turn:
    """A request that has not been sent yet. When it ends, the next request becomes the first."""

    def __init__(self, delays: Delays, name: str, site: _Site, until: float | None) -> None:
        self._delays = delays
        self._name = name
        self._site = site
        self._until = until
        self._loop = delays.waits.loop()
        self._queue = site.queues.setdefault(self._loop, OrderedDict())
        self._landing = delays.waits.landing() if self._queue else None
        self._queue[self] = self._landing
        self._comes_at: float | None = None
        """When the turn among all processes comes."""
        self._turns_left = TURNS_MAX

    async def comes(self, delay: float) -> bool:
        """Return whether to send the request now, because `delay` has passed since the last request.

        If not, wait first. The rules may have changed during the wait. Raise `TooLong` if the wait exceeds the limit.
        """
        if self._landing is not None:
            await self._landing.wait()
            self._landing = None
            return False
        with self._delays.lock:
            now = self._delays.clock()
            wait = self._site.wait(now, delay)
        if not wait:
            wait = await self._wait_among_processes(delay)
        with self._delays.lock:
            now = self._delays.clock()
            wait = max(wait, self._site.wait(now, delay))
            # A request that need not wait is sent even if the clock has moved past the limit.
            if wait and self._until is not None and now + wait > self._until:
                raise TooLong(wait)
            if not wait:
                self._site.last, self._site.delay = now, delay
                return True
        log.info("%s: a request is held for %.3f s", self._name, wait)
        await self._delays.sleep(min(wait, SLEEP_SECONDS_MAX))
        return False

    async def _wait_among_processes(self, delay: float) -> float:
        now = self._delays.clock()
        # Those behind it count on a request that is sent at its turn.
        is_late = self._comes_at is None or now - self._comes_at > max(delay / LATE_PART, LATE_SECONDS)
        if is_late and self._turns_left:
            self._turns_left -= 1
            longest = None if self._until is None else max(0.0, self._until - now)
            is_taken, seconds = await self._delays.take(self._name, delay, longest)
            if not is_taken:
                raise TooLong(seconds)
            self._comes_at = self._delays.clock() + seconds
        return max(0.0, (self._comes_at or 0.0) - self._delays.clock())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        with self._delays.lock:
            is_first = next(iter(self._queue)) is self
            del self._queue[self]
            if not self._queue:
                del self._site.queues[self._loop]
            elif is_first:
                landing = next(iter(self._queue.values()))
                if landing is not None:
                    landing.set()
