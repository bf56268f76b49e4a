"""Spark for the tests, and the rows that several of them ask about. pyspark and pyarrow are used untyped."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

pyspark: Any = importlib.import_module("pyspark")
sql: Any = importlib.import_module("pyspark.sql")
f: Any = importlib.import_module("pyspark.sql.functions")
pa: Any = importlib.import_module("pyarrow")
parquet: Any = importlib.import_module("pyarrow.parquet")

# An executor of `local-cluster` finds Spark, the driver and Python by these.
os.environ.update(
    SPARK_HOME=str(Path(pyspark.__file__).parent),
    SPARK_LOCAL_IP="127.0.0.1",
    SPARK_LOCAL_HOSTNAME="localhost",
    PYSPARK_PYTHON=sys.executable,
    PYSPARK_DRIVER_PYTHON=sys.executable,
)

HOSTS = 500
GIANT_PARTS = 6
"""Of ten URLs, how many are of one host."""


def session(master: str, folder: Path) -> Any:
    """A session of its own. Its tables go to a folder."""
    settings = {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(folder),
        "spark.executor.memory": "1g",
        "spark.network.timeout": "600s",
    }
    builder = sql.SparkSession.builder.master(master).appName("verger tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    made = builder.getOrCreate()
    made.sparkContext.setLogLevel("ERROR")
    return made


@contextmanager
def settings(spark: Any, given: dict[str, str]) -> Generator[None, None, None]:
    """Settings of a session for a while."""
    before = {name: spark.conf.get(name) for name in given}
    try:
        for name, value in given.items():
            spark.conf.set(name, value)
        yield
    finally:
        for name, value in before.items():
            spark.conf.set(name, value)


def row_count() -> int:
    """How many rows the large tests have: fewer where `VERGER_SPARK_ROWS` says so."""
    return int(os.environ.get("VERGER_SPARK_ROWS", "1000000"))


def body(host: int) -> str:
    return f"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private-{host}/\nAllow: /*/open$\n"


def bodies_of_hosts() -> Any:
    """A table of bodies of all hosts."""
    names = [f"https://host-{host}.example" for host in range(HOSTS)]
    return pa.table({"authority": names, "robots": [body(host) for host in range(HOSTS)]})


def frame_of(spark: Any, table: Any) -> Any:
    """A data frame of the rows of a table, with columns of text."""
    rows = [tuple(row.values()) for row in table.to_pylist()]
    return spark.createDataFrame(rows, ", ".join(f"`{name}` string" for name in table.column_names))


def urls_of_hosts(spark: Any, rows: int) -> Any:
    """URLs of which most are of one host, with some that are null, are none or have no body."""
    number = f.col("id")
    host = f.when(number % 10 < GIANT_PARTS, f.lit(0)).otherwise(number % HOSTS)
    path = (
        f.when(number % 3 == 0, f.format_string("private-%d/page-%d", host, number))
        .when(number % 3 == 1, f.format_string("private-%d/page-%d/open", host, number))
        .otherwise(f.format_string("page-%d", number))
    )
    url = (
        f.when(number % 100 == 97, f.lit(None))
        .when(number % 100 == 98, f.lit("no URL"))
        .when(number % 100 == 99, f.format_string("https://absent-%d.example/", number % 7))
        .otherwise(f.format_string("https://host-%d.example/%s", host, path))
    )
    return spark.range(rows, numPartitions=8).select("id", url.cast("string").alias("url"))


def as_table(frame: Any, folder: Path, by: str = "id") -> Any:
    """The rows of a frame, in the order of a column, by way of a Parquet file."""
    frame.write.mode("overwrite").parquet(str(folder))
    return parquet.read_table(folder).sort_by(by)


def differing(found: Any, wanted: Any) -> list[str]:
    """The columns in which two tables differ."""
    return [name for name in wanted.column_names if not found[name].equals(wanted[name])]


def counted(answers: Any) -> dict[str, int]:
    """How often each outcome is in a table of answers."""
    pairs = answers.group_by(["allowed", "reason"]).aggregate([([], "count_all")]).to_pylist()
    found: dict[str, int] = {}
    for pair in pairs:
        outcome = {True: "allowed", False: "disallowed", None: pair["reason"]}[pair["allowed"]]
        found[outcome] = found.get(outcome, 0) + int(pair["count_all"])
    return dict(sorted(found.items()))
