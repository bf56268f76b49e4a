"""The broadcast strategy: send all bodies to every Python worker, and do not move URLs."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from verger.spark import _tasks
from verger.spark._outcomes import described
from verger.spark._question import ROBOTS, Question
from verger.spark._sizes import Sizes, expect_one_body, expect_sound
from verger.spark._tasks import KEY, PROBLEM
from verger.spark._untyped import compute, mapped, pyarrow

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType


@dataclass(frozen=True)
class Collected:
    sizes: Sizes
    data: list[bytes]
    """Compressed Arrow streams, at least one."""


def collect(selected: DataFrame, key: str, question: Question) -> Collected:
    """Collect the bodies in one job of one stage. Raise `ValueError` like `measure`."""

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.collected(batches, question)

    rows = mapped(selected, task, f"bytes binary, {PROBLEM} string")
    with described(selected.sparkSession, "verger.spark: collecting bodies for the broadcast"):
        found = rows.collect()
    expect_sound(min((row[PROBLEM] for row in found if row[PROBLEM] is not None), default=None))
    data = [bytes(row["bytes"]) for row in found] or [_no_bodies(selected)]
    return Collected(measured(data, key), data)


def answers(
    urls: DataFrame, collected: Collected, question: Question, schema: StructType, tally: _tasks.Tally | None
) -> DataFrame:
    """Return the URLs with results. Broadcasts the bodies immediately."""
    data: Any = urls.sparkSession.sparkContext.broadcast(collected.data)
    name = uuid.uuid4().hex

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.decided_by_broadcast(batches, question, name, data, tally)

    return mapped(urls, task, schema)


def measured(data: list[bytes], key: str) -> Sizes:
    """Return the number and size of the bodies in Arrow streams. Only one stream at a time is in memory uncompressed.

    Raises `ValueError` if a key has two different bodies.
    """
    pa, pc = pyarrow(), compute()
    keys: list[Any] = []
    total = 0
    for stream in data:
        table = pa.ipc.open_stream(stream).read_all()
        keys.extend(table.column(0).chunks)
        total += pc.sum(pc.binary_length(table.column(1))).as_py() or 0
    counted = pc.value_counts(pa.chunked_array(keys))
    several = counted.filter(pc.greater(counted.field("counts"), 1)).field("values")
    if len(several):
        total -= _repeated(data, several, key)
    return Sizes(len(counted), total)


def _repeated(data: list[bytes], several: Any, key: str) -> int:
    """Return the size of repeated bodies, in bytes: all but the first for each of these keys."""
    pa, pc = pyarrow(), compute()
    first: dict[bytes | str | int, bytes] = {}
    differing: set[bytes | str | int] = set()
    repeated = 0
    for stream in data:
        table = pa.ipc.open_stream(stream).read_all()
        rows = table.filter(pc.is_in(table.column(0), value_set=several))
        for of_body, body in zip(rows.column(0).to_pylist(), rows.column(1).to_pylist(), strict=True):
            digest = sha256(body).digest()
            if of_body in first:
                repeated += len(body)
                if first[of_body] != digest:
                    differing.add(of_body)
            first.setdefault(of_body, digest)
    named = (it.decode(errors="replace") if isinstance(it, bytes) else str(it) for it in differing)
    expect_one_body(min(named, default=None), key)
    return repeated


def _no_bodies(selected: DataFrame) -> bytes:
    pa = pyarrow()
    key_type = {"bigint": pa.int64(), "binary": pa.binary()}.get(
        selected.schema[KEY].dataType.simpleString(), pa.string()
    )
    empty = pa.record_batch([pa.array([], key_type), pa.array([], pa.binary())], [KEY, ROBOTS])
    data: bytes = next(_tasks.as_bytes([empty])).column(0)[0].as_py()
    return data
