"""When the next request to each site may be sent."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable

from verger._drive import Begun

SITES_KEPT = 1024
"""Sites that are remembered before those whose delay has passed are forgotten."""


class TooLong(Exception):
    """The wait would be longer than the longest one."""


class _Site:
    def __init__(self) -> None:
        self.last: float | None = None
        """When the last request was sent."""
        self.delay = 0.0
        """The delay that was kept then."""
        self.waiting = 0

    def next(self, now: float, delay: float) -> float:
        """When a request may be sent if no other waits."""
        return now if self.last is None else max(now, self.last + delay)


class Delays(Begun):
    """When the next request to each site may be sent. Requests take turns; one that is broken off while it
    waits takes none."""

    def begin(self) -> None:
        # Held for a few instructions, and never during a wait.
        self._lock = threading.Lock()
        self._sites: dict[str, _Site] = {}
        self._kept_max = SITES_KEPT

    async def turn(
        self,
        name: str,
        delay: float,
        longest: float | None,
        clock: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
    ) -> None:
        """Waits until `delay` has passed since the last request to a site, and counts the one that the
        caller sends now. All in seconds."""
        begin = clock()
        with self._lock:
            site = self._site(name, begin)
            wait = site.next(begin, delay) + site.waiting * delay - begin
            if longest is not None and wait > longest:
                raise TooLong
            site.waiting += 1
        try:
            while True:
                if wait > 0:
                    await sleep(wait)
                now = clock()
                with self._lock:
                    # Others may have been sent later than they had to be.
                    wait = site.next(now, delay) - now
                    if wait <= 0:
                        site.last, site.delay = now, delay
                        return
                if longest is not None and now + wait > begin + longest:
                    raise TooLong
        finally:
            with self._lock:
                site.waiting -= 1

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
            if site.waiting or (site.last is not None and now < site.last + site.delay)
        }
        # Twice as many, so that each site is looked at a few times only.
        self._kept_max = max(SITES_KEPT, 2 * len(self._sites))

    def __len__(self) -> int:
        return len(self._sites)
