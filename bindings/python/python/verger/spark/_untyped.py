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
    """`frame.mapInArrow(task, schema)`."""
    untyped: Any = frame
    made: DataFrame = untyped.mapInArrow(task, schema)
    return made
