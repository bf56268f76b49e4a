"""`Plan`: which strategy is taken, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BROADCAST_BYTES = 64 << 20
"""The most bytes of bodies that `auto` broadcasts: each Python worker keeps all of them."""

GROUP_BYTES = 32 << 20
"""How many bytes of bodies a worker holds at once in a join, on average, at most."""


@dataclass(frozen=True)
class Plan:
    """How the answers of a check are made."""

    strategy: Literal["broadcast", "join"]
    why: str
    """The reason, as a phrase."""
    bodies: int
    """How many bodies there are."""
    body_bytes: int
    """What they take."""
    partitions: int | None = None
    """Of a join, how many partitions bodies and URLs are divided into; adaptive execution may merge small ones."""
    salted: int | None = None
    """Of a join, how many of the `buckets` are divided."""
    buckets: int | None = None
    """Of a join, the number of buckets that authorities are counted in to find giants."""
    salts: int | None = None
    """Of a join, the most parts that the URLs of one authority are divided in. Each goes to a partition; two may go
    to the same."""

    def __str__(self) -> str:
        size = f"{self.bodies:,} bodies of {self.body_bytes / (1 << 20):,.1f} MiB"
        text = f"verger.spark: {self.strategy} ({self.why}); {size}"
        if self.strategy == "join":
            text += f" in up to {self.partitions:,} partitions"
            if self.buckets is None:
                text += f", each authority in {self.salts:,} parts"
            elif self.salted:
                text += f", {self.salted:,} of {self.buckets:,} buckets salted, in up to {self.salts:,} parts"
            else:
                text += ", none salted"
        return text
