"""`Question`: what is asked about every URL, in a form that travels to the Python workers."""

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
    """Crawlers, the dialect and the columns that are read."""

    crawlers: str | ProductToken | Crawler | Sequence[str | ProductToken | Crawler | Sequence[str | ProductToken]]
    url: str
    """The column of URLs."""
    by: str | None
    """The column of ids in both tables; `None` where bodies are found by authority."""
    dialect: Dialect | str | None
    options: tuple[ReadingOption | str, ...] | None
    cache_bytes: int

    @property
    def key(self) -> str:
        """The key of bodies, as a `Rulebook` names it."""
        return self.by or AUTHORITY

    def book(self, bodies: ArrowData) -> Rulebook:
        """Decides by these bodies, a table with the columns `key` and `robots`."""
        return Rulebook(
            bodies,
            self.crawlers,
            by=self.by,
            dialect=self.dialect,
            options=self.options,
            cache_bytes=self.cache_bytes,
        )
