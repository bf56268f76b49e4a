"""Bodies as they are looked up, how many there are and what they take."""

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
"""About how many bytes a worker takes for a body beside those of its text: for its key, and to find it."""


@dataclass(frozen=True)
class Sizes:
    """How many bodies there are, and their bytes."""

    bodies: int
    bytes: int

    @property
    def held(self) -> int:
        """About how many bytes a worker takes to hold them all."""
        return self.bytes + self.bodies * BESIDE_BODY


def selected_bodies(bodies: DataFrame, key: str, kind: Kind, question: Question) -> DataFrame:
    """The keys of `bodies`, and `robots` in bytes."""
    key_type = "bigint" if kind == "integers" else "binary"
    given = quoted(key).cast(key_type) if question.by is not None else quoted(key)
    return bodies.select(given.alias(KEY), quoted(ROBOTS).cast("binary").alias(ROBOTS))


def normal_bodies(selected: DataFrame, question: Question) -> DataFrame:
    """The rows that have a key and a body: key, `robots`, and what is wrong with a key."""

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.normal_bodies(batches, question)

    return mapped(selected, task, f"{KEY} {normal_key_type(selected, question)}, {ROBOTS} binary, {PROBLEM} string")


def normal_key_type(selected: DataFrame, question: Question) -> str:
    """The type of keys in their normal form: authorities are text, whatever they are given as."""
    return "string" if question.by is None else selected.schema[KEY].dataType.simpleString()


def expect_sound(problem: str | None) -> None:
    """Raises `ValueError` where there is something wrong with a key."""
    if problem is not None:
        # It counts rows in a batch, of which users of Spark know nothing.
        raise ValueError(re.sub(r", row \d+", "", problem, count=1))


def expect_one_body(of_two: str | None, key: str) -> None:
    """Raises `ValueError` where there is a key that has two bodies."""
    if of_two is not None:
        raise ValueError(
            f"bodies: column `{key}` has `{of_two}` in several rows with different bodies; keep one, such as the latest"
        )


def measure(normal: DataFrame, key: str) -> Sizes:
    """Counts the bodies in one job. Raises `ValueError` where a key names no authority, or has two bodies that
    differ: rows of Spark have no order, in which one of them were the last."""
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
    with described(normal.sparkSession, "verger.spark: how many bodies there are, and their sizes"):
        row = total.collect()[0]
    expect_sound(row["problem"])
    expect_one_body(row["two"], key)
    return Sizes(row["bodies"], row["bytes"])
