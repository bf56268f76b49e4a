"""Check the columns and types of data frames before a job runs."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import DataType, StructField, StructType

Kind = Literal["text", "integers"]


def expect_frame(value: object, name: str) -> None:
    from pyspark.sql import DataFrame

    if type(value).__module__.startswith("pyspark.sql.connect"):
        raise TypeError(
            f"{name} is a Spark Connect data frame: Spark Connect has neither broadcasts nor accumulators. "
            "Use a classic session"
        )
    if not isinstance(value, DataFrame):
        raise TypeError(f"{name} has type {type(value).__name__}: expected a Spark DataFrame")


def column_type(frame: DataFrame, name: str, owner: str) -> DataType:
    """Return the type of a column. Raise `ValueError` unless exactly one column has this name."""
    found = [field.dataType for field in frame.schema.fields if field.name == name]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(f"{owner} have several columns `{name}`: rename or drop all but one")
    names = ", ".join(f"`{field.name}`" for field in frame.schema.fields) or "(none)"
    raise ValueError(f"{owner} have no column `{name}`: the columns are {names}")


def expect_text(frame: DataFrame, name: str, owner: str) -> None:
    """Raise `TypeError` unless a column has text, and `ValueError` if it is missing."""
    kind = column_type(frame, name, owner)
    if _kind(kind) != "text":
        raise TypeError(f"column `{name}` of {owner} has type {kind.simpleString()}: expected string or binary")


def key_kind(frame: DataFrame, name: str, owner: str) -> Kind:
    """Return whether a column of ids has text or integers. Raise `TypeError` for other types."""
    kind = column_type(frame, name, owner)
    found = _kind(kind)
    if found is None:
        raise TypeError(
            f"column `{name}` of {owner} has type {kind.simpleString()}: expected string, binary or integers"
        )
    return found


def _kind(kind: DataType) -> Kind | None:
    from pyspark.sql import types

    # In data frames, Spark converts `char` and `varchar` to `string`.
    if isinstance(kind, (types.StringType, types.BinaryType)):
        return "text"
    if isinstance(kind, (types.ByteType, types.ShortType, types.IntegerType, types.LongType)):
        return "integers"
    return None


def quoted(name: str) -> Column:
    """Return the column with exactly this name, whatever characters it contains."""
    from pyspark.sql import functions

    return functions.col("`" + name.replace("`", "``") + "`")


def answered_schema(frame: DataFrame, of_one: list[StructField], names: list[str] | None, owner: str) -> StructType:
    """Return the columns of a frame followed by the new columns: `of_one`, or a struct of these for each of `names`.

    Raises `ValueError` if a new column already exists, or if two columns of the frame have the same name.
    """
    from pyspark.sql.types import StructField, StructType

    made = of_one if names is None else [StructField(name, StructType(of_one), False) for name in names]
    several = [name for name, count in Counter(frame.columns).items() if count > 1]
    if several:
        raise ValueError(f"{owner} have several columns `{several[0]}`: rename or drop all but one")
    as_compared = _comparison(frame)
    taken = {as_compared(field.name) for field in frame.schema.fields}
    for field in made:
        if as_compared(field.name) in taken:
            raise ValueError(
                f"{owner} already have a column `{field.name}` (perhaps in another case): rename or drop it"
            )
        taken.add(as_compared(field.name))
    return StructType([*frame.schema.fields, *made])


def made_fields(made: list[Any]) -> tuple[list[str] | None, list[StructField]]:
    """Split the Arrow fields that `verger.columns` creates into the names of crawlers, if each has a struct, and the
    fields for one crawler."""
    is_struct = str(made[0].type).startswith("struct<")
    names = [field.name for field in made] if is_struct else None
    return names, spark_fields(list(made[0].type) if is_struct else made)


def spark_fields(arrow_fields: list[Any]) -> list[StructField]:
    """Convert Arrow fields of the types that `verger.columns` creates to Spark fields."""
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
    """Return a function that maps a column name to the form in which Spark compares it."""
    is_exact = frame.sparkSession.conf.get("spark.sql.caseSensitive", "false")
    return str if is_exact == "true" else str.lower
