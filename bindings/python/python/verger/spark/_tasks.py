"""Code that runs in the Python workers of Spark, from Arrow batches to Arrow batches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any

from verger import columns
from verger._arrow import ArrowStream
from verger._verger import Columns, Rulebook
from verger.spark._outcomes import Counts
from verger.spark._places import BUCKET, PIECE, Division, buckets_of, ordered, packed, unpacked
from verger.spark._question import ANSWER_NAMES, ROBOTS, Question
from verger.spark._untyped import compute, pyarrow

BOOKS_KEPT = 2
"""Number of rulebooks kept in a worker, because tasks of two checks may alternate."""

ROWS_MAX = 1 << 16
"""Number of rows that `verger.columns` decides at a time. It slices longer batches."""

CLASS_ROWS_MAX = 1 << 10
"""Number of rows that `verger.columns.classes` decides at a time."""

BYTES_MAX = 16 << 20
"""Approximate number of bytes of bodies in one row when they are collected."""

KEY = "verger_key"
PROBLEM = "verger_problem"
ORDER = "verger_order"
SALTS = "verger_salts"

OTHER_BODIES = "the bodies changed after they were measured. Cache them, or select them by an order without ties"

_books: OrderedDict[str, Rulebook] = OrderedDict()


def record_batches(made: ArrowStream) -> Iterator[Any]:
    yield from pyarrow().RecordBatchReader.from_stream(made)


def _bytes_type(kind: Any) -> Any:
    """Return the type in which text is read. Spark does not validate UTF-8, and a URL may contain any bytes."""
    pa = pyarrow()
    return {pa.string(): pa.binary(), pa.large_string(): pa.large_binary()}.get(kind, kind)


def _viewed(batch: Any, place: int, kind: Any) -> Any:
    arrays = list(batch.columns)
    arrays[place] = arrays[place].view(kind)
    schema = batch.schema.set(place, batch.schema.field(place).with_type(kind))
    return pyarrow().RecordBatch.from_arrays(arrays, schema=schema)


def url_keys(batch: Any, question: Question, place: int) -> Any:
    """Return the keys of the URLs of a batch: their authorities, or the column at `place`."""
    if question.by is not None:
        return batch.column(place)
    pa = pyarrow()
    given = batch.column(question.url)
    urls = pa.record_batch([given.view(_bytes_type(given.type))], ["url"])
    names = [made.column("authority") for made in record_batches(columns.authority(urls))]
    return pa.concat_arrays(names) if names else pa.array([], pa.string())


def buckets_asked(batches: Iterable[Any], question: Question, buckets: int) -> Iterator[Any]:
    """Yield the bucket of each sampled URL. The only column is the URL or its key."""
    pa = pyarrow()
    for batch in batches:
        of_keys, of_rows = buckets_of(url_keys(batch, question, 0), buckets, _partition())
        yield pa.RecordBatch.from_arrays([pa.array(of_keys[of_rows])], names=[BUCKET])


def packed_urls(batches: Iterable[Any], question: Question, division: Division, count: int) -> Iterator[Any]:
    """Yield URLs as pieces, with bucket and salt.

    The batches have `count` columns of the URLs, then the key if it is not the authority, then a number that selects
    the salt if there are several.
    """
    held: list[Any] = []
    data = 0
    for batch in chain(batches, [None]):
        if batch is not None:
            held.append(batch)
            data += batch.nbytes
        if data >= division.packed_bytes or batch is None:
            # Drop all references to rows that have been copied, to free their memory.
            del batch
            together = _together(held)
            held, data = [], 0
            while together:
                yield from packed(*_ordered(together.pop(), question, division, count), division)


def _together(batches: list[Any]) -> list[Any]:
    made: list[Any] = pyarrow().Table.from_batches(batches).combine_chunks().to_batches() if batches else []
    return [batch for batch in made if batch.num_rows]


def _ordered(batch: Any, question: Question, division: Division, count: int) -> tuple[Any, Any]:
    pa = pyarrow()
    schema = pa.schema([batch.schema.field(nth) for nth in range(count)], metadata=batch.schema.metadata)
    rows = pa.RecordBatch.from_arrays(batch.columns[:count], schema=schema)
    # An added column may have the same name as the column of URLs.
    keys = url_keys(rows if question.by is None else batch, question, count)
    spread = batch.columns[-1] if division.salts_max > 1 else None
    return ordered(rows, keys, spread, division, _partition())


def placed_bodies(batches: Iterable[Any], question: Question, division: Division) -> Iterator[Any]:
    """Yield bodies with their bucket and its number of salts. All keys were valid when the bodies were measured."""
    pa = pyarrow()
    for batch in normal_bodies(batches, question):
        if batch.column(PROBLEM).null_count < batch.num_rows:
            raise ValueError(f"{batch.column(PROBLEM)[0].as_py()}: {OTHER_BODIES}")
        keys = batch.column(KEY)
        of_keys, of_rows = buckets_of(keys, division.buckets, 0)
        buckets = of_keys[of_rows]
        made = [pa.array(buckets), pa.array(division.salts_of(buckets)), keys, batch.column(ROBOTS)]
        yield pa.RecordBatch.from_arrays(made, names=[BUCKET, SALTS, KEY, ROBOTS])


def _partition() -> int:
    """Return where URLs without a key go, which need no body: the partition id, which is the same in every attempt."""
    from pyspark import TaskContext

    task = TaskContext.get()
    return 0 if task is None else task.partitionId()


def normal_bodies(batches: Iterable[Any], question: Question) -> Iterator[Any]:
    """Yield the rows that have both a key and `robots`, with normalized keys.

    A batch with a key that is not a valid authority becomes one row that reports the problem.
    """
    pa = pyarrow()
    for batch in batches:
        table = pa.Table.from_batches([batch]).drop_null().rename_columns([question.key, ROBOTS])
        keys = table.column(0)
        if question.by is None:
            problem = None
            try:
                question.book(table)
            except ValueError as error:
                problem = str(error)
            if problem is not None:
                one = [pa.nulls(1, pa.string()), pa.nulls(1, table.column(1).type), pa.array([problem])]
                yield pa.RecordBatch.from_arrays(one, names=[KEY, ROBOTS, PROBLEM])
                continue
            named = pa.table(columns.authority(pa.table({"url": keys})))
            keys = named.column("authority")
        columns_made = [keys, table.column(1), pa.nulls(table.num_rows, pa.string())]
        yield from pa.table(columns_made, names=[KEY, ROBOTS, PROBLEM]).to_batches()


def as_bytes(batches: Iterable[Any]) -> Iterator[Any]:
    """Yield rows that each contain many bodies, as a compressed Arrow stream."""
    pa = pyarrow()

    def row(held: list[Any]) -> Any:
        sink = pa.BufferOutputStream()
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_stream(sink, held[0].schema, options=options) as stream:
            for batch in held:
                stream.write_batch(batch)
        return pa.record_batch([pa.array([sink.getvalue().to_pybytes()], pa.binary())], ["bytes"])

    held: list[Any] = []
    for batch in batches:
        held.append(batch)
        if sum(it.nbytes for it in held) >= BYTES_MAX:
            yield row(held)
            held = []
    if held:
        yield row(held)


def collected(batches: Iterable[Any], question: Question) -> Iterator[Any]:
    """Yield bodies like `as_bytes`, followed by a row that reports the problem with a key, if any."""
    pa = pyarrow()
    problems: list[str] = []

    def sound() -> Iterator[Any]:
        for batch in normal_bodies(batches, question):
            problem = batch.column(PROBLEM)
            problems.extend(problem.drop_null().to_pylist())
            if problem.null_count == batch.num_rows:
                yield pa.RecordBatch.from_arrays(batch.columns[:2], names=[KEY, ROBOTS])

    names = ["bytes", PROBLEM]
    for row in as_bytes(sound()):
        yield pa.RecordBatch.from_arrays([row.column(0), pa.nulls(1, pa.string())], names=names)
    if problems:
        yield pa.RecordBatch.from_arrays([pa.nulls(1, pa.binary()), pa.array([min(problems)])], names=names)


def table_of_bytes(rows: Iterable[bytes], question: Question) -> Any:
    """Return the table contained in such rows, with column names for a `Rulebook`."""
    pa = pyarrow()
    read = [pa.ipc.open_stream(data).read_all() for data in rows]
    return pa.concat_tables(read).rename_columns([question.key, ROBOTS])


class Tally:
    """Counts the outcomes of one task, and reports them to the driver when it ends."""

    def __init__(self, accumulator: Any, names: list[str]) -> None:
        self._accumulator = accumulator
        self._names = names
        self._counts: Counts = {name: {} for name in names}

    def add(self, batch: Any) -> None:
        pa = pyarrow()
        pc = compute()
        made = batch.columns[-len(self._names) :]
        is_flat = not pa.types.is_struct(made[0].type)
        for name, column in zip(self._names, made, strict=True):
            answer = batch.columns[-len(ANSWER_NAMES) :] if is_flat else column.flatten()
            allowed, reason = answer[:2]
            unknown = pc.filter(reason, allowed.is_null())
            counted = pc.value_counts(allowed.drop_null()).to_pylist()
            outcomes = {("allowed" if it["values"] else "disallowed"): it["counts"] for it in counted}
            for it in pc.value_counts(unknown).to_pylist():
                outcomes[it["values"]] = it["counts"]
            of_crawler = self._counts[name]
            for outcome, rows in outcomes.items():
                of_crawler[outcome] = of_crawler.get(outcome, 0) + rows

    def close(self) -> None:
        from pyspark import TaskContext

        task = TaskContext.get()
        if task is not None:
            # Not every run is a SQL query. An RDD has only stages.
            query = task.getLocalProperty("spark.sql.execution.id")
            run = f"stage {task.stageId()}" if query is None else f"query {query}"
            self._accumulator.add({run: (task.stageId(), {task.partitionId(): self._counts})})


def _copied(batch: Any, start: int, end: int) -> Any:
    """Copy rows of a batch.

    A slice would have text that does not start at the first byte of its buffer. After such text has passed through
    compiled code, pyarrow before 21 sends wrong text to Spark.
    """
    if (start, end) == (0, batch.num_rows):
        return batch
    return batch.take(pyarrow().array(range(start, end), pyarrow().int64()))


def _parts(batches: Iterable[Any], rows_max: int) -> Iterator[Any]:
    """Split batches into batches that `verger.columns` does not slice."""
    for batch in batches:
        for start in range(0, batch.num_rows, rows_max):
            yield _copied(batch, start, min(start + rows_max, batch.num_rows))


def decided(book: Rulebook, batch: Any, question: Question, tally: Tally | None) -> Iterator[Any]:
    names = [question.url] if question.by in (None, question.url) else [question.url, question.by]
    kinds = {place: batch.schema.field(place).type for place in map(batch.schema.get_field_index, names)}
    for place, kind in kinds.items():
        batch = _viewed(batch, place, _bytes_type(kind))
    for part in _parts([batch], ROWS_MAX):
        for made in record_batches(book.check(part, url=question.url)):
            for place, kind in kinds.items():
                made = _viewed(made, place, kind)
            if tally is not None:
                tally.add(made)
            yield made


def decided_by_broadcast(
    batches: Iterable[Any], question: Question, name: str, data: Any, tally: Tally | None
) -> Iterator[Any]:
    """Yield the batches with results. A worker reads the broadcast bodies once per check, identified by `name`."""
    book = _books.get(name)
    if book is None:
        book = question.book(table_of_bytes(data.value, question))
        _books[name] = book
        while len(_books) > BOOKS_KEPT:
            _books.popitem(last=False)
    _books.move_to_end(name)
    for batch in batches:
        yield from decided(book, batch, question, tally)
    if tally is not None:
        tally.close()


def decided_by_join(batches: Iterable[Any], question: Question, tally: Tally | None) -> Iterator[Any]:
    """Yield the URLs of a partition with results.

    The batches have an order, a key with its body, and pieces of URLs. The bodies of a group come before its URLs,
    which are decided as they arrive. A salted body may arrive several times and is held once. Bodies of earlier groups
    are dropped.
    """
    pa = pyarrow()
    group: int | None = None
    held: dict[bytes | str | int, bytes] = {}
    book: Rulebook | None = None
    for batch in batches:
        for is_url, rows in _runs(batch):
            if is_url:
                if book is None:
                    keys = pa.array(list(held), batch.column(KEY).type)
                    bodies = pa.array(list(held.values()), pa.binary())
                    book, held = question.book(pa.table([keys, bodies], names=[question.key, ROBOTS])), {}
                for urls in unpacked(rows.column(PIECE)):
                    yield from decided(book, urls, question, tally)
            else:
                orders = rows.column(ORDER)
                book, before, group = None, group, orders[-1].as_py()
                if group != before:
                    held = {}
                rows = rows.filter(compute().equal(orders, group))
                for key, body in zip(rows.column(KEY).to_pylist(), rows.column(ROBOTS).to_pylist(), strict=True):
                    if held.setdefault(key, body) != body:
                        name = key.decode(errors="replace") if isinstance(key, bytes) else key
                        raise ValueError(f"bodies: `{name}` has different bodies: {OTHER_BODIES}")
    if tally is not None:
        tally.close()


def _runs(batch: Any) -> Iterator[tuple[bool, Any]]:
    """Split a batch into runs of URLs and of bodies, each with whether it contains URLs."""
    runs = compute().run_end_encode(compute().bit_wise_and(batch.column(ORDER), 1))
    start = 0
    for end, is_url in zip(runs.run_ends.to_pylist(), runs.values.to_pylist(), strict=True):
        yield bool(is_url), _copied(batch, start, end)
        start = end


def classified(batches: Iterable[Any], make: Callable[[Any], Columns], robots: str) -> Iterator[Any]:
    """Yield the batches with classes. `robots` is the column of bodies.

    All batches of a task form one stream, so equal bodies in them are read once.
    """
    rest = iter(batches)
    first = next(rest, None)
    if first is not None:
        place = first.schema.get_field_index(robots)
        kind = first.schema.field(place).type
        given = (_viewed(it, place, _bytes_type(kind)) for it in chain([first], rest))
        schema = first.schema.set(place, first.schema.field(place).with_type(_bytes_type(kind)))
        stream = pyarrow().RecordBatchReader.from_batches(schema, _parts(given, CLASS_ROWS_MAX))
        for made in record_batches(make(stream)):
            yield _viewed(made, place, kind)
