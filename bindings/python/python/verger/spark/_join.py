"""Bodies and URLs of one authority go to one partition, those of a giant to several.

Both kinds of rows are one frame, divided by key and sorted so that the bodies of a partition come first: one
`mapInArrow` reads them, and decides about the URLs as they come. A `cogroup` would hold all URLs of a key in
memory, call Python for every key, and before Spark 4.0 give the rows as pandas has them, whose integers are no
integers where a column has nulls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verger.spark import _tasks
from verger.spark._frames import Kind, quoted
from verger.spark._outcomes import described
from verger.spark._plan import PARTITION_OCTETS
from verger.spark._question import ROBOTS, Question
from verger.spark._sizes import Sizes
from verger.spark._tasks import AUTHORITY_MADE, KEY, ORDER, ROW
from verger.spark._untyped import mapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import StructType

HASH = "verger_hash"
SALT = "verger_salt"
BUCKET = "verger_bucket"
SALTS = "verger_salts"

BUCKETS = 4096
SAMPLED = 0.01
SAMPLED_MIN = 100
"""Fewer URLs of a sample are no giant."""
PARTS = 4
"""What a fair partition has of a giant is divided in so many parts: Spark hashes them, and some meet again."""


@dataclass(frozen=True)
class Division:
    """How rows are divided."""

    partitions: int
    buckets: int
    """Keys are counted by hash in so many buckets."""
    giants: dict[int, int]
    """Salts by bucket; other buckets have `salts`."""
    salts: int


def partitions_of(urls: DataFrame, sizes: Sizes) -> int:
    """Those of any shuffle, or more where bodies take more."""
    said = urls.sparkSession.conf.get("spark.sql.shuffle.partitions", "200") or ""
    # Some hosted Sparks say `auto`.
    usual = int(said) if said.isdecimal() else 200
    return max(usual, -(-sizes.octets // PARTITION_OCTETS))


def with_keys(urls: DataFrame, question: Question, kind: Kind) -> DataFrame:
    """The hash of the key of each URL, and its row as a struct. A URL without a key needs no body and goes
    anywhere."""
    from pyspark.sql import functions as f
    from pyspark.sql.types import StringType, StructField, StructType

    row = f.struct(*(quoted(name) for name in urls.columns)).alias(ROW)
    if question.by is not None:
        key = quoted(question.by).cast("bigint" if kind == "integers" else "binary")
        named = urls
    else:
        url = question.url

        def task(batches: Iterable[object]) -> Iterator[object]:
            return _tasks.with_authorities(batches, url)

        schema = StructType([*urls.schema.fields, StructField(AUTHORITY_MADE, StringType(), True)])
        named = mapped(urls, task, schema)
        key = f.col(AUTHORITY_MADE)
    anywhere = f.spark_partition_id().cast("bigint")
    return named.select(f.when(key.isNull(), anywhere).otherwise(f.xxhash64(key)).alias(HASH), row)


def giants(keyed: DataFrame, partitions: int, buckets: int) -> dict[int, int]:
    """The buckets that have more than twice the URLs of a fair partition, in a sample, and the parts that each
    is divided in."""
    counted = keyed.sample(fraction=SAMPLED, seed=0).groupBy(_bucket(buckets).alias(BUCKET)).count()
    with described(keyed.sparkSession, "verger.spark: giant authorities are sought in a sample of URLs"):
        counts = {row[BUCKET]: int(row["count"]) for row in counted.collect()}
    total = sum(counts.values())
    shares = {bucket: count / total * partitions for bucket, count in counts.items() if count >= SAMPLED_MIN}
    return {bucket: -int(-PARTS * share // 1) for bucket, share in shares.items() if share > 2}


def divide(keyed: DataFrame, partitions: int, salt: int | None) -> Division:
    """Decides how many salts each key has."""
    buckets = BUCKETS
    while buckets < 8 * partitions:
        buckets *= 2
    if salt is not None:
        return Division(partitions, buckets, {}, salt)
    return Division(partitions, buckets, giants(keyed, partitions, buckets), 1)


def answers(
    keyed: DataFrame,
    normal: DataFrame,
    question: Question,
    division: Division,
    schema: StructType,
    tally: _tasks.Tally | None,
) -> DataFrame:
    """The URLs with answers."""
    from pyspark.sql import functions as f

    # The order sends the rows of one key one after the other, so that rules are read once.
    later = f.col(HASH).bitwiseAND(f.lit((1 << 63) - 1))
    # Of equal URLs in many partitions not all have one salt. A task that runs again gives the same salts.
    by_url = _remainder(f.xxhash64(f.col(ROW)[question.url]), f.col(SALTS))
    spread = (by_url + f.spark_partition_id()) % f.col(SALTS)
    urls = _salted(keyed, division).select(
        HASH,
        spread.cast("int").alias(SALT),
        later.alias(ORDER),
        f.lit(None).cast(normal.schema[KEY].dataType).alias(KEY),
        f.lit(None).cast("binary").alias(ROBOTS),
        ROW,
    )
    bodies = _salted(normal.where(f.col(KEY).isNotNull()).withColumn(HASH, f.xxhash64(KEY)), division).select(
        HASH,
        f.explode(f.sequence(f.lit(0), f.col(SALTS) - 1)).alias(SALT),
        f.lit(-1).cast("bigint").alias(ORDER),
        KEY,
        ROBOTS,
        f.lit(None).cast(keyed.schema[ROW].dataType).alias(ROW),
    )

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.decided_by_join(batches, question, tally)

    divided = urls.unionByName(bodies).repartition(division.partitions, HASH, SALT)
    sorted_rows = divided.sortWithinPartitions(ORDER).select(ORDER, KEY, ROBOTS, ROW)
    return mapped(sorted_rows, task, schema)


def _bucket(buckets: int) -> Column:
    from pyspark.sql import functions as f

    return _remainder(f.col(HASH), f.lit(buckets))


def _remainder(number: Column, divisor: Column) -> Column:
    """The remainder, from 0 on, of a number of either sign; `pmod` is no function of Spark 3.3 in Python."""
    return (number % divisor + divisor) % divisor


def _salted(frame: DataFrame, division: Division) -> DataFrame:
    """The frame with how many salts each row's key has."""
    from pyspark.sql import functions as f

    if not division.giants:
        return frame.withColumn(SALTS, f.lit(division.salts))
    session: Any = frame.sparkSession
    found = session.createDataFrame(list(division.giants.items()), f"{BUCKET} bigint, {SALTS} int")
    joined = frame.withColumn(BUCKET, _bucket(division.buckets)).join(f.broadcast(found), BUCKET, "left")
    return joined.withColumn(SALTS, f.coalesce(f.col(SALTS), f.lit(division.salts)))
