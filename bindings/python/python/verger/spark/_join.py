"""Bodies and URLs of one authority go to one partition, those of a giant to several.

Both kinds of rows are one frame, divided by key and sorted so that bodies come before their URLs: one
`mapInArrow` reads them, and decides about the URLs as they come. A `cogroup` would hold all URLs of a key in
memory, call Python for every key, and before Spark 4.0 give the rows as pandas has them, whose integers are no
integers where a column has nulls.

Adaptive execution may merge partitions, by what their rows take when they are compressed. What bodies take in a
worker does not depend on it: the leading bits of the hash put keys in groups, and a partition has one after the
other, first the bodies of a group, then its URLs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from verger.spark import _tasks
from verger.spark._frames import Kind, quoted
from verger.spark._outcomes import described
from verger.spark._plan import GROUP_OCTETS
from verger.spark._question import ROBOTS, Question
from verger.spark._sizes import Sizes
from verger.spark._tasks import AUTHORITY_MADE, KEY, ORDER
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
HASH_BITS = 63
GROUP_BITS_MAX = 32
PARTS = 4
"""What a fair partition has of a giant is divided in so many parts: Spark hashes them, and some meet again."""


@dataclass(frozen=True)
class Division:
    """How rows are divided."""

    partitions: int
    """Adaptive execution may merge small ones."""
    group_bits: int
    """How many leading bits of a key's hash are its group."""
    buckets: int
    """Keys are counted by hash in so many buckets."""
    giants: dict[int, int]
    """Salts by bucket; other buckets have `salts`."""
    salts: int


def divide(urls: DataFrame, sizes: Sizes, question: Question, kind: Kind, salt: int | None) -> Division:
    """Decides how many groups there are, and salts of each key. A sample of the URLs is counted unless a number of
    salts is given."""
    said = urls.sparkSession.conf.get("spark.sql.shuffle.partitions", "200") or ""
    # Some hosted Sparks say `auto`.
    partitions = int(said) if said.isdecimal() else 200
    groups = max(1, -(-sizes.octets // GROUP_OCTETS))
    bits = min((groups - 1).bit_length(), GROUP_BITS_MAX)
    buckets = BUCKETS
    while buckets < 8 * partitions:
        buckets *= 2
    if salt is not None:
        return Division(partitions, bits, buckets, {}, salt)
    # Only the rows of the sample go through Python, and of their columns one.
    sampled = urls.select(quoted(question.by or question.url)).sample(fraction=SAMPLED, seed=0)
    giants = _giants(_with_keys(sampled, question, kind), partitions, buckets)
    return Division(partitions, bits, buckets, giants, 1)


def _giants(keyed: DataFrame, partitions: int, buckets: int) -> dict[int, int]:
    """The buckets that have more than twice the URLs of a fair partition, in a sample, and the parts that each
    is divided in."""
    counted = keyed.groupBy(_bucket(buckets).alias(BUCKET)).count()
    with described(keyed.sparkSession, "verger.spark: giant authorities are sought in a sample of URLs"):
        counts = {row[BUCKET]: int(row["count"]) for row in counted.collect()}
    total = sum(counts.values())
    shares = {bucket: count / total * partitions for bucket, count in counts.items() if count >= SAMPLED_MIN}
    return {bucket: -int(-PARTS * share // 1) for bucket, share in shares.items() if share > 2}


def answers(
    urls: DataFrame,
    normal: DataFrame,
    question: Question,
    kind: Kind,
    division: Division,
    schema: StructType,
    tally: _tasks.Tally | None,
) -> DataFrame:
    """The URLs with answers."""
    from pyspark.sql import functions as f

    names = urls.columns
    columns = _columns(len(names))
    # One number, which Spark sorts fastest: the group of the key, then whether the row is a URL. URLs of one key
    # follow each other, so that rules are read once.
    leading = (1 << HASH_BITS) - (1 << (HASH_BITS - division.group_bits))
    first = f.col(HASH).bitwiseAND(f.lit(leading))
    later = f.col(HASH).bitwiseAND(f.lit((1 << HASH_BITS) - 1)).bitwiseOR(f.lit(1))
    # Of equal URLs in many partitions not all have one salt. A task that runs again gives the same salts.
    by_url = _remainder(f.xxhash64(columns[names.index(question.url)]), f.col(SALTS))
    spread = (by_url + f.spark_partition_id()) % f.col(SALTS)
    divided_urls = (
        _salted(_with_keys(urls, question, kind), division)
        .withColumn(SALT, f.when(f.col(SALTS) == 1, 0).otherwise(spread).cast("int"))
        .select(HASH, SALT, later.alias(ORDER), *columns)
    )
    divided_bodies = (
        _salted(normal.where(f.col(KEY).isNotNull()).withColumn(HASH, f.xxhash64(KEY)), division)
        .withColumn(SALT, f.explode(f.sequence(f.lit(0), f.col(SALTS) - 1)))
        .select(HASH, SALT, first.alias(ORDER), KEY, ROBOTS)
    )

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.decided_by_join(batches, question, names, tally)

    # Without a number adaptive execution may merge partitions. It never divides one that comes of `repartition`, as
    # it does after `rebalance`, where URLs would be without their bodies.
    divided = divided_urls.unionByName(divided_bodies, allowMissingColumns=True).repartition(HASH, SALT)
    sorted_rows = divided.sortWithinPartitions(ORDER).select(ORDER, KEY, ROBOTS, *columns)
    return mapped(sorted_rows, task, schema)


def _with_keys(urls: DataFrame, question: Question, kind: Kind) -> DataFrame:
    """The hash of the key of each URL, and its columns under other names. A URL without a key needs no body and
    goes anywhere."""
    from pyspark.sql import functions as f
    from pyspark.sql.types import StringType, StructField, StructType

    if question.by is not None:
        key_type = "bigint" if kind == "integers" else "binary"
        named = urls.select("*", quoted(question.by).cast(key_type).alias(AUTHORITY_MADE))
    else:
        url = question.url

        def task(batches: Iterable[object]) -> Iterator[object]:
            return _tasks.with_authorities(batches, url)

        schema = StructType([*urls.schema.fields, StructField(AUTHORITY_MADE, StringType(), True)])
        named = mapped(urls, task, schema)
    names = _columns(len(urls.columns))
    key = f.col(AUTHORITY_MADE)
    anywhere = f.spark_partition_id().cast("bigint")
    hashed = f.when(key.isNull(), anywhere).otherwise(f.xxhash64(key))
    return named.toDF(*names, AUTHORITY_MADE).select(hashed.alias(HASH), *names)


def _columns(count: int) -> list[str]:
    """What columns of the URLs are called beside those of bodies. They are not one struct, whose size Spark 4 works
    out anew for each row that goes to Python."""
    return [f"verger_column_{nth}" for nth in range(count)]


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
