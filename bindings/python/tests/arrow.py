"""Arrow data for the tests. pyarrow has no types, and its compiled names are found at run time."""

from __future__ import annotations

import importlib
from typing import Any

pa: Any = importlib.import_module("pyarrow")

Row = dict[str, Any]


def rows(columns: object) -> list[Row]:
    """The rows of a table, or of what gives one."""
    found: list[Row] = pa.table(columns).to_pylist()
    return found


def values(columns: object) -> list[Any]:
    """The values of a column, or of what gives one."""
    found: list[Any] = pa.chunked_array(columns).to_pylist()
    return found
