"""`verger.spark` beside the same job with Protego in a UDF, and beside `verger.columns` without Spark: URLs a second
and core, the best of as many rounds.

    pip install 'verger[spark]' protego verger-*.whl
    python bench/python/spark.py

Spark runs in `local[1]` with what it has as defaults: one task at a time, whose Python and JVM work side by side.
All read the URLs from one Parquet file and count the answers. The rules of all bodies are made anew in each round. Since
a check of `verger.spark` begins with jobs about bodies, whatever the URLs are, it is also measured with ten times the
URLs: the file is read ten times.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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
    """A session with one core."""
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
    """The same job with Protego: bodies are broadcast, and a worker parses each once."""
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

    # The annotations of a function within a function are no types for Spark.
    import pandas as pd

    allowed.__annotations__ = {"batches": Iterator[pd.Series], "return": Iterator[pd.Series]}
    asked = f.pandas_udf(allowed, "boolean")  # type: ignore[call-overload]
    return int(urls.select(asked("url").alias("allowed")).where("allowed").count())


def by_verger(urls: Any, bodies: Any, strategy: Any) -> int:
    answers = verger_spark.check(urls, bodies, AGENT, strategy=strategy, quiet=True)
    return int(answers.where("allowed").count())


def through_python(urls: Any) -> int:
    """What Spark takes to pass the URLs through Python and back."""

    def same(batches: Iterator[Any]) -> Iterator[Any]:
        yield from batches

    return int(urls.mapInArrow(same, urls.schema).where("url like 'https:%'").count())


def by_columns(path: Path, bodies: pa.Table) -> int:
    answers = pa.table(columns.check(parquet.read_table(path), bodies, AGENT))
    return int(pc.sum(answers["allowed"]).as_py())


def rate(work: Callable[[], int], expected: int, urls: int = URLS) -> float:
    """URLs a second, in the best of the rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        found = work()
        best = min(best, time.perf_counter() - start)
        if found != expected:
            sys.exit(f"{found:,} URLs are counted, and not {expected:,}; no times are compared")
    return urls / best


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
        print(f"{URLS:,} URLs, {HOSTS:,} bodies, Spark {spark.version}: URLs a second and core, best of {ROUNDS}")
        reference = rate(lambda: by_protego(urls, bodies), allowed)
        print(f"  {'Protego in a UDF, Spark':<34} {reference:12,.0f}", flush=True)
        figure = rate(lambda: through_python(urls), URLS)
        print(f"  {'through Python and back, Spark':<34} {figure:12,.0f}", flush=True)
        many = spark.read.parquet(*[str(path)] * TIMES)
        contestants: dict[str, tuple[int, Callable[[], int]]] = {
            "verger.spark, broadcast": (1, lambda: by_verger(urls, known, "broadcast")),
            "broadcast, ten times the URLs": (TIMES, lambda: by_verger(many, known, "broadcast")),
            "verger.spark, join": (1, lambda: by_verger(urls, known, "join")),
            "join, ten times the URLs": (TIMES, lambda: by_verger(many, known, "join")),
            "verger.columns, no Spark": (1, lambda: by_columns(path, bodies)),
        }
        for name, (times, work) in contestants.items():
            figure = rate(work, times * allowed, times * URLS)
            print(f"  {name:<34} {figure:12,.0f}   {figure / reference:6.1f}× Protego", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
