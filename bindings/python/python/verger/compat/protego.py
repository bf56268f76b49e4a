"""A drop-in replacement for Protego 0.7, with Verger's answers.

    >>> from verger.compat.protego import Protego
    >>> robots = Protego.parse("User-agent: *\\nDisallow: /private/\\nCrawl-delay: 2.5")
    >>> robots.can_fetch("https://example.com/private/x", "ExampleBot/1.0")
    False
    >>> robots.crawl_delay("ExampleBot/1.0")
    2.5

As in Protego, an agent is any text, such as a whole `User-Agent` header. The longest name in it that a group names
selects the group. Misspelled keys and lines without a colon are read, also as in Protego (`lenient-lines`,
`lenient-other-records`). Unlike in Protego, names are compared whole, as RFC 9309 requires: the group `Google` does not
apply to `Googlebot`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import time
from typing import NamedTuple, TypeVar

from verger.compat._reading import LENIENT, DialectName, Reading

__all__ = ["Protego", "RequestRate", "VisitTime"]

_Self = TypeVar("_Self", bound="Protego")


class RequestRate(NamedTuple):
    """A number of requests per number of seconds, in a time window (UTC) or at any time."""

    requests: int
    seconds: int
    start_time: time | None
    end_time: time | None


class VisitTime(NamedTuple):
    """A time window, in UTC, in which a crawler may visit."""

    start_time: time
    end_time: time


class Protego:
    """A robots.txt. `Protego()` is an empty file."""

    def __init__(self, *, dialect: DialectName = "rfc9309") -> None:
        self._reading = Reading("", dialect, LENIENT)

    @classmethod
    def parse(cls: type[_Self], content: str, *, dialect: DialectName = "rfc9309") -> _Self:
        """Parse a file.

        Raises `TypeError` if the content is not a `str`, as Protego does, and `UnicodeEncodeError` if it contains
        surrogates that are not escaped bytes (PEP 383).
        """
        # For callers without type checking.
        if not isinstance(content, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"Protego.parse expects str, got {type(content).__name__}")
        made = cls()
        made._reading = Reading(content, dialect, LENIENT)
        return made

    def can_fetch(self, url: str, user_agent: str) -> bool:
        """Return whether the agent may fetch the URL. Text that is not a URL is read as a path from the root.

        Raises `ValueError` if `urllib.parse` does (`http:[`), and for surrogates that are not escaped bytes.
        """
        return self._reading.allowed(url, user_agent)

    def crawl_delay(self, user_agent: str) -> float | None:
        """Return the delay, in seconds, that is requested between two requests of the agent."""
        delay = self._reading.pacing(user_agent).crawl_delay
        return delay.seconds if delay else None

    def request_rate(self, user_agent: str) -> RequestRate | None:
        """Return the last request rate for the agent."""
        rates = self._reading.pacing(user_agent).request_rates
        if not rates:
            return None
        rate = rates[-1]
        start, end = (rate.window.first, rate.window.last) if rate.window else (None, None)
        return RequestRate(rate.requests, rate.seconds, start, end)

    def visit_time(self, user_agent: str) -> VisitTime | None:
        """Return the last time window in which the agent may visit."""
        times = self._reading.pacing(user_agent).visit_times
        return VisitTime(times[-1].window.first, times[-1].window.last) if times else None

    @property
    def sitemaps(self) -> Iterator[str]:
        """An iterator over the distinct sitemaps."""
        return iter(self._reading.robots.sitemaps)

    @property
    def preferred_host(self) -> str | None:
        """The value of the `Host` line, as written."""
        robots = self._reading.robots
        host = robots.host
        if host is None:
            return None
        return next(record.value for record in robots.records if record.line == host.line)
