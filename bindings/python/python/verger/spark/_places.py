"""Where the rows of a join go: keys to buckets, buckets to partitions, and URLs of one place packed into few rows.

What Spark takes to shuffle rows, to sort them and to hand them to Python grows with their number more than with
what is in them. So URLs are shuffled as pieces: rows of one bucket, as an Arrow stream in one row.
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
"""So many bytes of URLs are sorted at once; more where there are many buckets, so that pieces do not get too small."""

PIECE_BYTES = 16 << 10
"""The most bytes that are one row, unless one URL has more. Spark hands 10,000 rows to Python at a time, and an older
one counts no bytes."""

PIECES = 256
"""How many pieces are handed to Spark at a time."""

READ_ROWS = 1 << 14
READ_BYTES = 4 << 20
"""About so much of pieces is put together when they are read."""


@dataclass(frozen=True)
class Division:
    """How rows are divided."""

    partitions: int
    """Adaptive execution may merge small ones."""
    buckets: int
    """Keys are put into so many buckets by their hash: a power of two."""
    group_buckets: int
    """The bodies of so many buckets, which follow each other, are held at once: a power of two."""
    giants: dict[int, int]
    """Salts by bucket; other buckets have `salts`."""
    salts: int

    @property
    def salts_max(self) -> int:
        """The most parts that the URLs of one bucket are divided in."""
        return max([self.salts, *self.giants.values()])

    @property
    def packed_bytes(self) -> int:
        """How many bytes of URLs are sorted at once."""
        return min(max(PACKED_MIN, self.buckets * PIECE_BYTES // 4), PACKED_MAX)

    def salts_of(self, buckets: Any) -> Any:
        """How many salts each of some buckets has."""
        salts = [self.giants.get(bucket, self.salts) for bucket in buckets.tolist()]
        return numpy().array(salts, "int64")


def buckets_of(keys: Any, buckets: int, anywhere: int) -> tuple[Any, Any]:
    """Of an array of keys the bucket of each different one, after them that of null, which is `anywhere`, and for
    each row the place in these."""
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
    """The rows of a batch by place, those of one key one after another, and their places: bucket times `salts_max`,
    and salt. `spread` has a number for each row that says which salt."""
    np = numpy()
    buckets, of_rows = buckets_of(keys, division.buckets, anywhere)
    places = buckets[of_rows] * division.salts_max
    if spread is not None:
        places += spread.to_numpy(zero_copy_only=False) % division.salts_of(buckets)[of_rows]
    order = np.argsort(places * len(buckets) + of_rows, kind="stable")
    return rows.take(pyarrow().array(order)), places[order]


def packed(rows: Any, places: Any, division: Division) -> Iterator[Any]:
    """Ordered rows as pieces, with bucket and salt."""
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
    """Rows in parts that are small."""
    waiting = [rows]
    while waiting:
        part = waiting.pop()
        if part.num_rows == 1 or part.nbytes <= PIECE_BYTES:
            yield part
            continue
        half = part.num_rows // 2
        waiting += [part.slice(half), part.slice(0, half)]


def unpacked(pieces: Any) -> Iterator[Any]:
    """The rows of a column of pieces, several of them put together."""
    held: list[Any] = []
    rows = data = 0
    for piece in pieces:
        # Python puts bytes where numbers may begin, which a row of Spark does not.
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
