"""What gives Arrow data or bytes, whichever package it is of."""

from __future__ import annotations

from typing import Protocol, TypeAlias


class ArrowArray(Protocol):
    """An object that gives one Arrow array, such as a `pyarrow.Array` or `pyarrow.RecordBatch`."""

    def __arrow_c_array__(self, requested_schema: object | None = None, /) -> tuple[object, object]: ...


class ArrowStream(Protocol):
    """An object that gives a stream of Arrow arrays, such as a Polars series or data frame, a
    `pyarrow.Table` or `pyarrow.RecordBatchReader`, or a DuckDB relation."""

    def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> object: ...


class ReadableFile(Protocol):
    """A file that is open for reading bytes."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""
        ...


ArrowData: TypeAlias = ArrowArray | ArrowStream
