"""What is known of data frames before a job runs: their columns and types."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType, StructField, StructType

Kind = Literal["text", "integers"]


def expect_frame(value: object, name: str) -> None:
    """Raises `TypeError` where it is no data frame of a session with a driver of its own."""
    from pyspark.sql import DataFrame

    if type(value).__module__.startswith("pyspark.sql.connect"):
        raise TypeError(
            f"{name} is a data frame of Spark Connect, which has neither broadcasts nor accumulators; "
            "verger.spark needs a classic session"
        )
    if not isinstance(value, DataFrame):
        raise TypeError(f"{name} is of type {type(value).__name__}; expected a Spark DataFrame")


def column_type(frame: DataFrame, name: str, owner: str) -> DataType:
    """The type of a column. Raises `ValueError` where there is none, or more than one."""
    found = [field.dataType for field in frame.schema.fields if field.name == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{owner} have several columns `{name}`")
    names = ", ".join(f"`{field.name}`" for field in frame.schema.fields) or "no columns"
    raise ValueError(f"{owner} have no column `{name}`; they have {names}")


def expect_text(frame: DataFrame, name: str, owner: str) -> None:
    """Raises `TypeError` where a column has no text, `ValueError` where it is not there."""
    kind = column_type(frame, name, owner)
    if _kind(kind) != "text":
        raise TypeError(f"column `{name}` of {owner} is of type {kind.simpleString()}; expected string or binary")


def key_kind(frame: DataFrame, name: str, owner: str) -> Kind:
    """Whether a column of ids has text or integers; `TypeError` where it has neither."""
    kind = column_type(frame, name, owner)
    found = _kind(kind)
    if found is None:
        raise TypeError(
            f"column `{name}` of {owner} is of type {kind.simpleString()}; expected string, binary or integers"
        )
    return found


def _kind(kind: DataType) -> Kind | None:
    from pyspark.sql import types

    # Of `char` and `varchar` Spark makes `string` in data frames; collations are its business.
    if isinstance(kind, (types.StringType, types.BinaryType)):
        return "text"
    if isinstance(kind, (types.ByteType, types.ShortType, types.IntegerType, types.LongType)):
        return "integers"
    return None


def quoted(name: str) -> Column:
    """The column of exactly that name, whatever characters it has."""
    from pyspark.sql import functions

    return functions.col("`" + name.replace("`", "``") + "`")


def answered_schema(frame: DataFrame, of_one: list[StructField], names: list[str] | None, owner: str) -> StructType:
    """The columns of a frame followed by those that are made: `of_one`, or for several crawlers a struct of
    these by each name. Raises `ValueError` where one is there already, or two columns of the frame have one name."""
    from pyspark.sql.types import StructField, StructType

    made = of_one if names is None else [StructField(name, StructType(of_one), False) for name in names]
    several = [name for name, count in Counter(frame.columns).items() if count > 1]
    if several:
        raise ValueError(f"{owner} have several columns `{several[0]}`; rename or drop all but one")
    as_compared = _comparison(frame)
    taken = {as_compared(field.name) for field in frame.schema.fields}
    for field in made:
        if as_compared(field.name) in taken:
            raise ValueError(
                f"{owner} have a column `{field.name}` already (or one that Spark takes for it); rename or drop it"
            )
        taken.add(as_compared(field.name))
    return StructType([*frame.schema.fields, *made])


def made_fields(made: list[Any]) -> tuple[list[str] | None, list[StructField]]:
    """Of the Arrow fields that `verger.columns` makes the names of crawlers, where they have a struct each, and the
    columns for one crawler."""
    is_struct = str(made[0].type).startswith("struct<")
    names = [field.name for field in made] if is_struct else None
    return names, spark_fields(list(made[0].type) if is_struct else made)


def spark_fields(arrow_fields: list[Any]) -> list[StructField]:
    """The fields as Spark has them, of the types that `verger.columns` makes."""
    from pyspark.sql import types

    of_name: dict[str, DataType] = {
        "bool": types.BooleanType(),
        "string": types.StringType(),
        "binary": types.BinaryType(),
        "int32": types.IntegerType(),
        "int64": types.LongType(),
        "timestamp[us, tz=UTC]": types.TimestampType(),
    }

    def spark_type(arrow_type: Any) -> DataType:
        if str(arrow_type).startswith("struct<"):
            return types.StructType(spark_fields(list(arrow_type)))
        return of_name[str(arrow_type)]

    return [types.StructField(field.name, spark_type(field.type), field.nullable) for field in arrow_fields]


def _comparison(frame: DataFrame) -> Any:
    """How Spark compares names."""
    is_exact = frame.sparkSession.conf.get("spark.sql.caseSensitive", "false")
    return str if is_exact == "true" else str.lower
