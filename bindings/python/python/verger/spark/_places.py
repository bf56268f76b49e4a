"""Place the rows of a join: assign keys to buckets and buckets to partitions, and pack the URLs of a place into few
rows.

The cost of shuffling rows, sorting them and passing them to Python depends more on their number than on their size.
URLs are therefore shuffled in pieces. A piece is one row that holds rows of one bucket as an Arrow stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from zlib import crc32

from verger.spark._untyped import numpy, pyarrow

BUCKET = "verger_bucket"
SALT = "verger_salt"
PIECE = "verger_piece"

PACKED_MIN, PACKED_MAX = 32 << 20, 128 << 20
"""Number of bytes of URLs that are sorted at once. More buckets mean more bytes, or else pieces get too small."""

PIECE_BYTES = 16 << 10
"""Maximum size of a piece in bytes, unless a single URL is longer. Spark passes 10,000 rows to Python at a time, and
older versions do not limit the bytes."""

PIECES = 256

READ_ROWS = 1 << 14
READ_BYTES = 4 << 20
"""Approximate number of rows or bytes of pieces that are combined when they are read."""


@dataclass(frozen=True)
class Division:
    partitions: int
    """Number of partitions. Adaptive execution may merge small ones."""
    buckets: int
    """Number of buckets that keys are hashed into. A power of two."""
    group_buckets: int
    """Number of consecutive buckets whose bodies are held at once. A power of two."""
    giants: dict[int, int]
    """Salts by bucket. All other buckets have `salts`."""
    salts: int

    @property
    def salts_max(self) -> int:
        """Maximum number of parts of the URLs of one bucket."""
        return max([self.salts, *self.giants.values()])

    @property
    def packed_bytes(self) -> int:
        return min(max(PACKED_MIN, self.buckets * PIECE_BYTES // 4), PACKED_MAX)

    def salts_of(self, buckets: Any) -> Any:
        salts = [self.giants.get(bucket, self.salts) for bucket in buckets.tolist()]
        return numpy().array(salts, "int64")


def buckets_of(keys: Any, buckets: int, anywhere: int) -> tuple[Any, Any]:
    """Return the bucket of each distinct key, followed by that of null, and for each row the index into these.

    Null goes to the bucket `anywhere`.
    """
    np = numpy()
    encoded = keys.dictionary_encode()
    hashes = [_hash(key) % buckets for key in encoded.dictionary.to_pylist()]
    of_rows = encoded.indices.fill_null(len(hashes)).to_numpy(zero_copy_only=False).astype("int64")
    return np.array([*hashes, anywhere % buckets], "int64"), of_rows


def _hash(key: str | bytes | int) -> int:
    if isinstance(key, int):
        return crc32(key.to_bytes(8, "little", signed=True))
    return crc32(key.encode() if isinstance(key, str) else key)


def ordered(rows: Any, keys: Any, spread: Any | None, division: Division, anywhere: int) -> tuple[Any, Any]:
    """Return the rows of a batch sorted by place, with equal keys together, and their places.

    A place is the bucket times `salts_max`, plus the salt. `spread` has a number for each row that selects the salt.
    """
    np = numpy()
    buckets, of_rows = buckets_of(keys, division.buckets, anywhere)
    places = buckets[of_rows] * division.salts_max
    if spread is not None:
        places += spread.to_numpy(zero_copy_only=False) % division.salts_of(buckets)[of_rows]
    order = np.argsort(places * len(buckets) + of_rows, kind="stable")
    return rows.take(pyarrow().array(order)), places[order]


def packed(rows: Any, places: Any, division: Division) -> Iterator[Any]:
    ends = (numpy().flatnonzero(numpy().diff(places)) + 1).tolist()
    schema = rows.schema.serialize().to_pybytes()
    made: list[tuple[int, int, bytes]] = []
    for start, end in pairwise([0, *ends, len(places)]):
        bucket, salt = divmod(int(places[start]), division.salts_max)
        for piece in _pieces(rows.slice(start, end - start)):
            made.append((bucket, salt, schema + piece.serialize().to_pybytes()))
            if len(made) == PIECES:
                yield _batch(made)
                made = []
    if made:
        yield _batch(made)


def _batch(made: list[tuple[int, int, bytes]]) -> Any:
    pa = pyarrow()
    buckets, salts, pieces = zip(*made, strict=True)
    columns = [pa.array(buckets, pa.int64()), pa.array(salts, pa.int32()), pa.array(pieces, pa.binary())]
    return pa.RecordBatch.from_arrays(columns, names=[BUCKET, SALT, PIECE])


def _pieces(rows: Any) -> Iterator[Any]:
    waiting = [rows]
    while waiting:
        part = waiting.pop()
        if part.num_rows == 1 or part.nbytes <= PIECE_BYTES:
            yield part
            continue
        half = part.num_rows // 2
        waiting += [part.slice(half), part.slice(0, half)]


def unpacked(pieces: Any) -> Iterator[Any]:
    """Yield the rows of a column of pieces, with several pieces combined."""
    held: list[Any] = []
    rows = data = 0
    for piece in pieces:
        # A Python `bytes` object is aligned for numbers. A Spark row is not.
        stream = piece.as_py()
        held.extend(pyarrow().ipc.open_stream(stream))
        rows, data = rows + held[-1].num_rows, data + len(stream)
        if rows >= READ_ROWS or data >= READ_BYTES:
            yield from _together(held)
            held, rows, data = [], 0, 0
    yield from _together(held)


def _together(batches: Iterable[Any]) -> Iterator[Any]:
    held = list(batches)
    if held:
        yield from pyarrow().Table.from_batches(held).combine_chunks().to_batches()
