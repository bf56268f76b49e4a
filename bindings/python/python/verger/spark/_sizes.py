"""Select and normalize bodies, and measure their number and size."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from verger.spark import _tasks
from verger.spark._frames import Kind, quoted
from verger.spark._outcomes import described
from verger.spark._question import ROBOTS, Question
from verger.spark._tasks import KEY, PROBLEM
from verger.spark._untyped import mapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import DataFrame


BESIDE_BODY = 256
"""Approximate memory for a body in a worker in addition to its text, in bytes: its key and its index entry."""


@dataclass(frozen=True)
class Sizes:
    """Number and total size of bodies, in bytes."""

    bodies: int
    bytes: int

    @property
    def held(self) -> int:
        """Approximate memory that a worker needs to hold all bodies, in bytes."""
        return self.bytes + self.bodies * BESIDE_BODY


def selected_bodies(bodies: DataFrame, key: str, kind: Kind, question: Question) -> DataFrame:
    """Return the keys of `bodies`, and `robots` as bytes."""
    key_type = "bigint" if kind == "integers" else "binary"
    given = quoted(key).cast(key_type) if question.by is not None else quoted(key)
    return bodies.select(given.alias(KEY), quoted(ROBOTS).cast("binary").alias(ROBOTS))


def normal_bodies(selected: DataFrame, question: Question) -> DataFrame:
    """Return the rows with a key and a body: the key, `robots`, and any problem with the key."""

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.normal_bodies(batches, question)

    return mapped(selected, task, f"{KEY} {normal_key_type(selected, question)}, {ROBOTS} binary, {PROBLEM} string")


def normal_key_type(selected: DataFrame, question: Question) -> str:
    """Return the type of normalized keys. Authorities are strings, whatever their original type."""
    return "string" if question.by is None else selected.schema[KEY].dataType.simpleString()


def expect_sound(problem: str | None) -> None:
    if problem is not None:
        # Drop the row number. It counts rows in a batch, which means nothing to users of Spark.
        raise ValueError(re.sub(r", row \d+", "", problem, count=1))


def expect_one_body(of_two: str | None, key: str) -> None:
    if of_two is not None:
        raise ValueError(
            f"bodies: column `{key}` has `{of_two}` in several rows with different bodies: keep one, such as the latest"
        )


def measure(normal: DataFrame, key: str) -> Sizes:
    """Count the bodies in one job.

    Raises `ValueError` if a key is not a valid authority, or has two different bodies. Spark rows have no order, so the
    last body cannot be preferred.
    """
    from pyspark.sql import functions as f

    hashed = f.xxhash64(ROBOTS)
    by_key = normal.groupBy(KEY).agg(
        f.min(hashed).alias("low"),
        f.max(hashed).alias("high"),
        f.max(f.length(ROBOTS)).alias("bytes"),
        f.min(PROBLEM).alias("problem"),
    )
    two_bodies = f.when(f.col("low") != f.col("high"), f.col(KEY).cast("string"))
    total = by_key.agg(
        f.count(KEY).alias("bodies"),
        f.coalesce(f.sum("bytes"), f.lit(0)).alias("bytes"),
        f.min("problem").alias("problem"),
        f.min(two_bodies).alias("two"),
    )
    with described(normal.sparkSession, "verger.spark: measuring bodies"):
        row = total.collect()[0]
    expect_sound(row["problem"])
    expect_one_body(row["two"], key)
    return Sizes(row["bodies"], row["bytes"])
