"""`Plan`: the chosen strategy and the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BROADCAST_BYTES = 64 << 20
"""Maximum size of the bodies that `auto` broadcasts, in bytes. Each Python worker keeps all of them."""

GROUP_BYTES = 32 << 20
"""Maximum average size of the bodies that a worker holds at once in a join, in bytes."""


@dataclass(frozen=True)
class Plan:
    """How the results of a check are computed."""

    strategy: Literal["broadcast", "join"]
    why: str
    """The reason, as a phrase."""
    bodies: int
    """Number of bodies."""
    body_bytes: int
    """Size of the bodies in bytes."""
    partitions: int | None = None
    """For a join, the number of partitions. Adaptive execution may merge small ones."""
    salted: int | None = None
    """For a join, the number of `buckets` that are spread."""
    buckets: int | None = None
    """For a join, the number of buckets in which URLs are counted to find giant authorities."""
    salts: int | None = None
    """For a join, the maximum number of parts of the URLs of one authority. Two parts may go to the same partition."""

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
