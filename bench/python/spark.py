"""`verger.spark` compared with the same job with Protego in a UDF, and with `verger.columns` without Spark: URLs per
second of the best round, and its CPU seconds in driver, JVM and Python workers.

    pip install 'verger[spark]' protego psutil verger-*.whl
    python bench/python/spark.py

Spark runs in `local[1]` with its defaults: one task at a time, whose Python and JVM run concurrently. All contestants
read the URLs from one Parquet file and count the allowed ones. Protego's job returns that one column to Spark, and
`verger.spark` the URL and four columns. Each round compiles the rules of all bodies. A check of `verger.spark` starts
with jobs about bodies, whatever the number of URLs, so it is also measured with ten times the URLs: the file is read
ten times. Spark's own cost is measured with rows that pass through Python unchanged, and again after a shuffle by host
and a sort, which is the minimum cost of a join by rows.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as parquet
import pyspark
from columns import AGENT, HOSTS, URLS, body, url
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from verger import columns
from verger import spark as verger_spark

ROUNDS = 3
TIMES = 10

os.environ.update(
    SPARK_HOME=str(Path(pyspark.__file__).parent),
    SPARK_LOCAL_IP="127.0.0.1",
    SPARK_LOCAL_HOSTNAME="localhost",
    PYSPARK_PYTHON=sys.executable,
)


def session() -> SparkSession:
    """Create a session with one core."""
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made


def by_protego(urls: Any, bodies: pa.Table) -> int:
    """Run the job with Protego: bodies are broadcast, and a worker parses each once."""
    spark = urls.sparkSession
    given = spark.sparkContext.broadcast({row["authority"]: row["robots"] for row in bodies.to_pylist()})

    def allowed(batches: Iterator[Any]) -> Iterator[Any]:
        from protego import Protego

        parsed: dict[str, Any] = {}

        def one(url: str) -> bool | None:
            authority = "/".join(url.split("/", 3)[:3])
            if authority not in parsed:
                text = given.value.get(authority)
                parsed[authority] = None if text is None else Protego.parse(text)
            found = parsed[authority]
            return None if found is None else found.can_fetch(url, AGENT)

        for batch in batches:
            yield batch.map(one)

    # Spark cannot resolve the annotations of a nested function.
    import pandas as pd

    allowed.__annotations__ = {"batches": Iterator[pd.Series], "return": Iterator[pd.Series]}
    asked = f.pandas_udf(allowed, "boolean")  # type: ignore[call-overload]
    return int(urls.select(asked("url").alias("allowed")).where("allowed").count())


def by_verger(urls: Any, bodies: Any, strategy: Any) -> int:
    answers = verger_spark.check(urls, bodies, AGENT, strategy=strategy, quiet=True)
    return int(answers.where("allowed").count())


def through_python(urls: Any) -> int:
    """Pass the URLs through Python and back."""

    def same(batches: Iterator[Any]) -> Iterator[Any]:
        yield from batches

    return int(urls.mapInArrow(same, urls.schema).where("url like 'https:%'").count())


def through_shuffle(urls: Any) -> int:
    """Group the URLs by host as rows, and pass them through Python and back."""
    host = f.xxhash64(f.substring_index("url", "/", 3)).alias("host")
    divided = urls.select(host, "url").repartition("host").sortWithinPartitions("host")
    return through_python(divided.select("url"))


def by_columns(path: Path, bodies: pa.Table) -> int:
    answers = pa.table(columns.check(parquet.read_table(path), bodies, AGENT))
    return int(pc.sum(answers["allowed"]).as_py())


def cpu_seconds() -> float:
    """Return user and system time of this process and all its children so far, including ended ones."""
    taken = 0.0
    this = psutil.Process()
    for process in [this, *this.children(recursive=True)]:
        with suppress(psutil.NoSuchProcess):
            taken += sum(process.cpu_times()[:4])
    return taken


def report(name: str, work: Callable[[], int], expected: int, urls: int, reference: float | None) -> float:
    """Print the URLs per second of the best round, and its CPU seconds."""
    best = (float("inf"), 0.0)
    for _ in range(ROUNDS):
        start, before = time.perf_counter(), cpu_seconds()
        found = work()
        best = min(best, (time.perf_counter() - start, cpu_seconds() - before))
        if found != expected:
            sys.exit(f"{found:,} URLs are counted, and not {expected:,}; no times are compared")
    rate = urls / best[0]
    beside = "" if reference is None else f"   {rate / reference:6.1f}× Protego"
    print(f"  {name:<40} {rate:12,.0f}   {best[1]:6.2f} CPU s{beside}", flush=True)
    return rate


def main() -> None:
    names = [f"https://www.host-{host}.example" for host in range(HOSTS)]
    bodies = pa.table({"authority": names, "robots": [body(host) for host in range(HOSTS)]})
    spark = session()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "urls.parquet"
        parquet.write_table(pa.table({"url": [url(nth) for nth in range(URLS)]}), path)
        parquet.write_table(bodies, Path(folder) / "bodies.parquet")
        allowed = by_columns(path, bodies)
        urls = spark.read.parquet(str(path))
        known = spark.read.parquet(str(Path(folder) / "bodies.parquet")).cache()
        print(f"{URLS:,} URLs, {HOSTS:,} bodies, Spark {spark.version}: best of {ROUNDS} rounds")
        known.count()
        many = spark.read.parquet(*[str(path)] * TIMES)
        reference = report("Protego in a UDF, Spark", lambda: by_protego(urls, bodies), allowed, URLS, None)
        contestants: dict[str, tuple[int, Callable[[Any], int]]] = {
            "through Python and back": (URLS, through_python),
            "shuffled, sorted, Python and back": (URLS, through_shuffle),
            "verger.spark, broadcast": (allowed, lambda given: by_verger(given, known, "broadcast")),
            "verger.spark, auto, which broadcasts": (allowed, lambda given: by_verger(given, known, "auto")),
            "verger.spark, join": (allowed, lambda given: by_verger(given, known, "join")),
        }
        for times, given in ((1, urls), (TIMES, many)):
            print(f"{times * URLS:,} URLs")
            for name, (expected, work) in contestants.items():
                report(name, partial(work, given), times * expected, times * URLS, reference)
        print("without Spark")
        report("verger.columns", lambda: by_columns(path, bodies), allowed, URLS, reference)
    spark.stop()


if __name__ == "__main__":
    main()
