"""Bodies go to every Python worker; URLs stay where they are."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

from verger.spark import _tasks
from verger.spark._outcomes import described
from verger.spark._question import ROBOTS, Question
from verger.spark._tasks import KEY
from verger.spark._untyped import mapped, pyarrow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType


def answers(
    urls: DataFrame, normal: DataFrame, question: Question, schema: StructType, tally: _tasks.Tally | None
) -> DataFrame:
    """The URLs with answers. The bodies are collected, as compressed Arrow octets, and broadcast now."""
    session = urls.sparkSession
    rows = mapped(normal.select(KEY, ROBOTS), _tasks.as_octets, "octets binary")
    with described(session, "verger.spark: bodies are collected for the broadcast"):
        collected = [bytes(row["octets"]) for row in rows.collect()]
    octets: Any = session.sparkContext.broadcast(collected or [_no_bodies(normal)])
    name = uuid.uuid4().hex

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.decided_by_broadcast(batches, question, name, octets, tally)

    return mapped(urls, task, schema)


def _no_bodies(normal: DataFrame) -> bytes:
    """The octets of a table without rows."""
    pa = pyarrow()
    key_type = {"bigint": pa.int64(), "binary": pa.binary()}.get(
        normal.schema[KEY].dataType.simpleString(), pa.string()
    )
    empty = pa.record_batch([pa.array([], key_type), pa.array([], pa.binary())], [KEY, ROBOTS])
    octets: bytes = next(_tasks.as_octets([empty])).column(0)[0].as_py()
    return octets
