"""Untyped parts of pyarrow and pyspark, which are imported only when needed."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType


def pyarrow() -> Any:
    return importlib.import_module("pyarrow")


def compute() -> Any:
    return importlib.import_module("pyarrow.compute")


def numpy() -> Any:
    """Import `numpy`, which pandas requires. Spark requires pandas."""
    return importlib.import_module("numpy")


def mapped(
    frame: DataFrame, task: Callable[[Iterable[Any]], Iterator[Any]], schema: StructType | str
) -> DataFrame:
    """Call `frame.mapInArrow(task, schema)` for any column names.

    Spark looks up columns by name there, and fails if a name contains a dot or occurs twice. In that case the columns
    get numbered names for the transfer, and the task sees their real names.
    """
    untyped: Any = frame
    names: list[str] = list(frame.columns)
    # An additional projection takes a tenth of the time of a broadcast, so avoid it if possible.
    if all(name.isidentifier() for name in names) and len({name.casefold() for name in names}) == len(names):
        made: DataFrame = untyped.mapInArrow(task, schema)
        return made

    def named(batches: Iterable[Any]) -> Iterator[Any]:
        return task(_renamed(batches, names))

    made = untyped.toDF(*(f"verger_{nth}" for nth in range(len(names)))).mapInArrow(named, schema)
    return made


def _renamed(batches: Iterable[Any], names: list[str]) -> Iterator[Any]:
    pa = pyarrow()
    for batch in batches:
        fields = [field.with_name(name) for field, name in zip(batch.schema, names, strict=True)]
        yield pa.RecordBatch.from_arrays(batch.columns, schema=pa.schema(fields, metadata=batch.schema.metadata))
