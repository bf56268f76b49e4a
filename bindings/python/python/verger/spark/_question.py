"""`Question`: what to check for every URL, in a form that can be sent to the Python workers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verger._names import Dialect, ReadingOption
from verger._verger import Crawler, ProductToken, Rulebook

if TYPE_CHECKING:
    from verger._arrow import ArrowData

AUTHORITY = "authority"
ROBOTS = "robots"
ANSWER_NAMES = ("allowed", "reason", "line", "rule")


@dataclass(frozen=True)
class Question:
    """Crawlers, the dialect and the columns to read."""

    crawlers: str | ProductToken | Crawler | Sequence[str | ProductToken | Crawler | Sequence[str | ProductToken]]
    url: str
    by: str | None
    """Name of the column of ids in both tables. `None` if bodies are found by authority."""
    dialect: Dialect | str | None
    options: tuple[ReadingOption | str, ...] | None
    cache_bytes: int

    @property
    def key(self) -> str:
        """Name of the key column of bodies in a `Rulebook`."""
        return self.by or AUTHORITY

    def book(self, bodies: ArrowData) -> Rulebook:
        """Create a rulebook for these bodies, a table with the columns `key` and `robots`."""
        return Rulebook(
            bodies,
            self.crawlers,
            by=self.by,
            dialect=self.dialect,
            options=self.options,
            cache_bytes=self.cache_bytes,
        )
