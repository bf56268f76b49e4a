"""`captures`: read WARC files in parallel."""

from __future__ import annotations

import importlib
import importlib.util
import os
from collections.abc import Iterable, Iterator
from contextlib import closing
from io import BytesIO
from typing import TYPE_CHECKING, Any

from verger import columns
from verger.spark import _tasks
from verger.spark._frames import spark_fields
from verger.spark._untyped import mapped, pyarrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType


def captures(spark: SparkSession, paths: Iterable[str | os.PathLike[str]]) -> DataFrame:
    """Read the captures of robots.txt in WARC files, one per row, like `verger.columns.captures`.

    One task reads each file from start to end, in bounded memory. A path is a path on the machine that reads it, or a
    URL. URLs are opened with `fsspec` if it is installed, and otherwise with `pyarrow.fs` (`s3://`, `gs://`, `hdfs://`,
    `file://`). The columns are those of `verger bulk captures`, and the column `file` is the path.

    Raises `TypeError` if `paths` is a single path, or if an item is not a path. A file that cannot be read or is not a
    WARC file fails the job with an error that names the file. Damage inside a file gives a row that reports it.
    """
    if isinstance(paths, (str, os.PathLike)):
        raise TypeError("paths is a single path: expected several, such as [path]")
    listed = [(os.fspath(path),) for path in paths]
    session: Any = spark
    divided = session.sparkContext.parallelize(listed, max(1, len(listed)))
    named: DataFrame = session.createDataFrame(divided, "path string")
    return mapped(named, _read, _schema())


def _schema() -> StructType:
    from pyspark.sql.types import StructType

    arrow_schema = pyarrow().schema(columns.captures(BytesIO()))
    return StructType(spark_fields(list(arrow_schema)))


def _read(batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        for path in batch.column("path").to_pylist():
            if "://" in path:
                with closing(_opened(path)) as file:
                    yield from _tasks.record_batches(columns.captures(file, name=path))
            else:
                yield from _tasks.record_batches(columns.captures(path))


def _opened(url: str) -> Any:
    if importlib.util.find_spec("fsspec") is not None:
        fsspec: Any = importlib.import_module("fsspec")
        return fsspec.open(url, "rb").open()
    file_system: Any = importlib.import_module("pyarrow.fs")
    system, path = file_system.FileSystem.from_uri(url)
    # The reader decodes gzip itself, member by member.
    return system.open_input_stream(path, compression=None)
