"""The join strategy: send the bodies and URLs of an authority to the same partition, and spread giant authorities.

Bodies and URLs are rows of one frame, partitioned by bucket and sorted so that bodies come before their URLs. One
`mapInArrow` reads them and decides URLs as they arrive. URLs are shuffled in pieces of many rows. A `cogroup` would
hold all URLs of a key in memory and call Python once per key. Before Spark 4.0 it would also pass rows through pandas,
which turns integers into floats if a column has nulls.

Adaptive execution may merge partitions based on their compressed size. The memory that bodies use in a worker does not
depend on this. Consecutive buckets form a group, and a partition contains one group after another, each with its bodies
first and then its URLs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from verger.spark import _tasks
from verger.spark._frames import Kind, quoted
from verger.spark._outcomes import described
from verger.spark._places import BUCKET, PIECE, SALT, Division
from verger.spark._plan import GROUP_BYTES
from verger.spark._question import ROBOTS, Question
from verger.spark._sizes import Sizes, normal_key_type
from verger.spark._tasks import KEY, ORDER, SALTS
from verger.spark._untyped import mapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import StructType

SPREAD = "verger_spread"

BUCKETS_MIN = 4096
BUCKETS_MAX = 1 << 30
SAMPLED = 0.01
SAMPLED_MIN = 100
"""Minimum number of sampled URLs for a giant."""
PARTS = 4
"""Number of parts for each fair partition's share of a giant. Spark hashes the parts, and some land together."""


def divide(urls: DataFrame, sizes: Sizes, question: Question, kind: Kind, salt: int | None) -> Division:
    """Decide the number of buckets and groups, and the salts of each bucket.

    Samples and counts the URLs unless `salt` is given.
    """
    said = urls.sparkSession.conf.get("spark.sql.shuffle.partitions", "200") or ""
    # Some hosted Spark services set this to `auto`.
    partitions = int(said) if said.isdecimal() else 200
    groups = min(max(1, -(-sizes.held // GROUP_BYTES)), BUCKETS_MAX // 2)
    buckets = BUCKETS_MIN
    # The rules of a bucket must fit in the cache. Those of a group may exceed it.
    while buckets < 2 * max(partitions, groups):
        buckets *= 2
    group_buckets = buckets >> (groups - 1).bit_length()
    giants = _giants(urls, question, kind, partitions, buckets) if salt is None else {}
    return Division(partitions, buckets, group_buckets, giants, salt or 1)


def _giants(urls: DataFrame, question: Question, kind: Kind, partitions: int, buckets: int) -> dict[int, int]:
    """Return the buckets with more than twice a fair partition's share of sampled URLs, and the number of parts of
    each."""

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.buckets_asked(batches, question, buckets)

    # Only the sampled rows, with a single column, pass through Python.
    asked = quoted(question.url) if question.by is None else _key(question.by, kind)
    sampled = mapped(urls.select(asked).sample(fraction=SAMPLED, seed=0), task, f"{BUCKET} bigint")
    with described(urls.sparkSession, "verger.spark: sampling URLs to find giant authorities"):
        counts = {row[BUCKET]: int(row["count"]) for row in sampled.groupBy(BUCKET).count().collect()}
    total = sum(counts.values())
    shares = {bucket: count / total * partitions for bucket, count in counts.items() if count >= SAMPLED_MIN}
    return {bucket: -int(-PARTS * share // 1) for bucket, share in shares.items() if share > 2}


def answers(
    urls: DataFrame,
    selected: DataFrame,
    question: Question,
    kind: Kind,
    division: Division,
    schema: StructType,
    tally: _tasks.Tally | None,
) -> DataFrame:
    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.decided_by_join(batches, question, tally)

    rows = _urls(urls, question, kind, division).unionByName(
        _bodies(selected, question, division), allowMissingColumns=True
    )
    # Without a number of partitions, adaptive execution may merge partitions. It never splits a partition that comes
    # from `repartition`, but it does after `rebalance`, which would separate URLs from their bodies.
    divided = rows.repartition(BUCKET, SALT).sortWithinPartitions(ORDER)
    return mapped(divided.select(ORDER, KEY, ROBOTS, PIECE), task, schema)


def _urls(urls: DataFrame, question: Question, kind: Kind, division: Division) -> DataFrame:
    """Return pieces of URLs, ordered by bucket and after the bodies of its group."""
    from pyspark.sql import functions as f

    count = len(urls.columns)
    columns: list[Any] = ["*"]
    if question.by is not None:
        columns.append(_key(question.by, kind))
    if division.salts_max > 1:
        # Equal URLs in many partitions need not share a salt. A task that is retried computes the same salts.
        columns.append(f.xxhash64(quoted(question.url)).bitwiseXOR(f.spark_partition_id().cast("bigint")).alias(SPREAD))

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.packed_urls(batches, question, division, count)

    pieces = mapped(urls.select(*columns), task, f"{BUCKET} bigint, {SALT} int, {PIECE} binary")
    return pieces.select(BUCKET, SALT, (f.col(BUCKET) * 2 + 1).alias(ORDER), PIECE)


def _bodies(selected: DataFrame, question: Question, division: Division) -> DataFrame:
    """Return the bodies, once for each salt of their bucket, ordered by the first bucket of the group."""
    from pyspark.sql import functions as f

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.placed_bodies(batches, question, division)

    key_type = normal_key_type(selected, question)
    placed = mapped(selected, task, f"{BUCKET} bigint, {SALTS} bigint, {KEY} {key_type}, {ROBOTS} binary")
    salt = f.explode(f.sequence(f.lit(0), f.col(SALTS).cast("int") - 1)).alias(SALT)
    first = f.col(BUCKET) - f.col(BUCKET) % division.group_buckets
    return placed.select(BUCKET, salt, (first * 2).alias(ORDER), KEY, ROBOTS)


def _key(by: str, kind: Kind) -> Column:
    return quoted(by).cast("bigint" if kind == "integers" else "binary").alias(KEY)
