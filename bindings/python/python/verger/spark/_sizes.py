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


@dataclass(frozen=True)
class Sizes:
    """How many bodies there are, and their octets."""

    bodies: int
    octets: int


def normal_bodies(bodies: DataFrame, key: str, kind: Kind, question: Question) -> DataFrame:
    """The rows of `bodies` that have a key and a body: key, `robots` in octets, and what is wrong with a key."""
    key_type = "bigint" if kind == "integers" else "binary"
    given = quoted(key).cast(key_type) if question.by is not None else quoted(key)
    given_type = key_type if question.by is not None else "string"
    selected = bodies.select(given.alias(KEY), quoted(ROBOTS).cast("binary").alias(ROBOTS))

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.normal_bodies(batches, question)

    schema = f"{KEY} {given_type}, {ROBOTS} binary, {PROBLEM} string"
    return mapped(selected, task, schema)


def measure(normal: DataFrame, key: str) -> Sizes:
    """Counts the bodies in one job. Raises `ValueError` where a key names no authority, or has two bodies that
    differ: rows of Spark have no order, in which one of them were the last."""
    from pyspark.sql import functions as f

    hashed = f.xxhash64(ROBOTS)
    by_key = normal.groupBy(KEY).agg(
        f.min(hashed).alias("low"),
        f.max(hashed).alias("high"),
        f.max(f.length(ROBOTS)).alias("octets"),
        f.min(PROBLEM).alias("problem"),
    )
    two_bodies = f.when(f.col("low") != f.col("high"), f.col(KEY).cast("string"))
    total = by_key.agg(
        f.count(KEY).alias("bodies"),
        f.coalesce(f.sum("octets"), f.lit(0)).alias("octets"),
        f.min("problem").alias("problem"),
        f.min(two_bodies).alias("two"),
    )
    with described(normal.sparkSession, "verger.spark: how many bodies there are, and their sizes"):
        row = total.collect()[0]
    if row["problem"] is not None:
        # It counts rows in a batch, of which users of Spark know nothing.
        raise ValueError(re.sub(r", row \d+", "", row["problem"], count=1))
    if row["two"] is not None:
        raise ValueError(
            f"bodies: column `{key}` has `{row['two']}` in several rows with different bodies; keep one, such as the "
            "latest"
        )
    return Sizes(row["bodies"], row["octets"])
