"""Protocols for objects from any package that provide Arrow data or bytes."""

from __future__ import annotations

from typing import Protocol, TypeAlias


class ArrowArray(Protocol):
    """An object that provides one Arrow array, such as a `pyarrow.Array` or `pyarrow.RecordBatch`."""

    def __arrow_c_array__(self, requested_schema: object | None = None, /) -> tuple[object, object]: ...


class ArrowStream(Protocol):
    """An object that provides a stream of Arrow arrays.

    Examples are a Polars series or data frame, a `pyarrow.Table` or `pyarrow.RecordBatchReader`, and a DuckDB relation.
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> object: ...


class ReadableFile(Protocol):
    """A file opened for reading bytes."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes, or `b""` at the end."""
        ...


ArrowData: TypeAlias = ArrowArray | ArrowStream
