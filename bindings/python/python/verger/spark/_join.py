"""Bodies and URLs of one authority go to one partition, those of a giant to several.

Both kinds of rows are one frame, divided by bucket and sorted so that bodies come before their URLs: one
`mapInArrow` reads them, and decides about the URLs as they come. URLs are shuffled as pieces of many. A `cogroup`
would hold all URLs of a key in memory, call Python for every key, and before Spark 4.0 give the rows as pandas has
them, whose integers are no integers where a column has nulls.

Adaptive execution may merge partitions, by what their rows take when they are compressed. What bodies take in a
worker does not depend on it: buckets that follow each other are a group, and a partition has one group after the
other, first its bodies, then its URLs.
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
"""Fewer URLs of a sample are no giant."""
PARTS = 4
"""What a fair partition has of a giant is divided in so many parts: Spark hashes them, and some meet again."""


def divide(urls: DataFrame, sizes: Sizes, question: Question, kind: Kind, salt: int | None) -> Division:
    """Decides how many buckets and groups there are, and the salts of each. A sample of the URLs is counted unless
    a number of salts is given."""
    said = urls.sparkSession.conf.get("spark.sql.shuffle.partitions", "200") or ""
    # Some hosted Sparks say `auto`.
    partitions = int(said) if said.isdecimal() else 200
    groups = min(max(1, -(-sizes.held // GROUP_BYTES)), BUCKETS_MAX // 2)
    buckets = BUCKETS_MIN
    # The rules of a bucket are to be in the cache, while those of a group may be more than it holds.
    while buckets < 2 * max(partitions, groups):
        buckets *= 2
    group_buckets = buckets >> (groups - 1).bit_length()
    giants = _giants(urls, question, kind, partitions, buckets) if salt is None else {}
    return Division(partitions, buckets, group_buckets, giants, salt or 1)


def _giants(urls: DataFrame, question: Question, kind: Kind, partitions: int, buckets: int) -> dict[int, int]:
    """The buckets that have more than twice the URLs of a fair partition, in a sample, and the parts that each
    is divided in."""

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.buckets_asked(batches, question, buckets)

    # Only the rows of the sample go through Python, and of their columns one.
    asked = quoted(question.url) if question.by is None else _key(question.by, kind)
    sampled = mapped(urls.select(asked).sample(fraction=SAMPLED, seed=0), task, f"{BUCKET} bigint")
    with described(urls.sparkSession, "verger.spark: giant authorities are sought in a sample of URLs"):
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
    """The URLs with answers."""

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.decided_by_join(batches, question, tally)

    rows = _urls(urls, question, kind, division).unionByName(
        _bodies(selected, question, division), allowMissingColumns=True
    )
    # Without a number adaptive execution may merge partitions. It never divides one that comes of `repartition`, as
    # it does after `rebalance`, where URLs would be without their bodies.
    divided = rows.repartition(BUCKET, SALT).sortWithinPartitions(ORDER)
    return mapped(divided.select(ORDER, KEY, ROBOTS, PIECE), task, schema)


def _urls(urls: DataFrame, question: Question, kind: Kind, division: Division) -> DataFrame:
    """Pieces of URLs. Their order is that of their bucket, after the bodies of its group."""
    from pyspark.sql import functions as f

    count = len(urls.columns)
    columns: list[Any] = ["*"]
    if question.by is not None:
        columns.append(_key(question.by, kind))
    if division.salts_max > 1:
        # Of equal URLs in many partitions not all have one salt. A task that runs again gives the same salts.
        columns.append(f.xxhash64(quoted(question.url)).bitwiseXOR(f.spark_partition_id().cast("bigint")).alias(SPREAD))

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.packed_urls(batches, question, division, count)

    pieces = mapped(urls.select(*columns), task, f"{BUCKET} bigint, {SALT} int, {PIECE} binary")
    return pieces.select(BUCKET, SALT, (f.col(BUCKET) * 2 + 1).alias(ORDER), PIECE)


def _bodies(selected: DataFrame, question: Question, division: Division) -> DataFrame:
    """Bodies, one for each salt of their buckets. Their order is that of the first bucket of the group."""
    from pyspark.sql import functions as f

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.placed_bodies(batches, question, division)

    key_type = normal_key_type(selected, question)
    placed = mapped(selected, task, f"{BUCKET} bigint, {SALTS} bigint, {KEY} {key_type}, {ROBOTS} binary")
    salt = f.explode(f.sequence(f.lit(0), f.col(SALTS).cast("int") - 1)).alias(SALT)
    first = f.col(BUCKET) - f.col(BUCKET) % division.group_buckets
    return placed.select(BUCKET, salt, (first * 2).alias(ORDER), KEY, ROBOTS)


def _key(by: str, kind: Kind) -> Column:
    """The column of ids, in the type that bodies have."""
    return quoted(by).cast("bigint" if kind == "integers" else "binary").alias(KEY)
