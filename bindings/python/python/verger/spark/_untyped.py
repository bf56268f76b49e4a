"""What pyarrow and pyspark do not say the types of; both are imported when they are needed."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType


def pyarrow() -> Any:
    """The package `pyarrow`."""
    return importlib.import_module("pyarrow")


def compute() -> Any:
    """The functions of pyarrow on columns."""
    return importlib.import_module("pyarrow.compute")


def numpy() -> Any:
    """The package `numpy`, which pandas needs, and Spark pandas."""
    return importlib.import_module("numpy")


def mapped(
    frame: DataFrame, task: Callable[[Iterable[Any]], Iterator[Any]], schema: StructType | str
) -> DataFrame:
    """`frame.mapInArrow(task, schema)`. Spark looks columns up by name there, and finds none whose name has a dot or is
    there twice; then they have numbers on their way, and the task gets them under their names."""
    untyped: Any = frame
    names: list[str] = list(frame.columns)
    # Another projection takes a tenth of the time that a broadcast does.
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
