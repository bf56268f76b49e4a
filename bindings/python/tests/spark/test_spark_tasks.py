"""What the Python workers of Spark do, without Spark."""

from __future__ import annotations

from typing import Any

import pytest
from sessions import bodies_of_hosts, pa

from verger import columns
from verger.spark import _broadcast, _places, _tasks
from verger.spark._outcomes import RUNS_KEPT, PartitionCounts
from verger.spark._places import Division
from verger.spark._question import Question
from verger.spark._sizes import Sizes

QUESTION = Question("FooBot", "url", None, None, None, 1 << 20)


class Shipped:
    """A broadcast that counts how often it is read."""

    def __init__(self, data: list[bytes]) -> None:
        self._bytes = data
        self.reads = 0

    @property
    def value(self) -> list[bytes]:
        self.reads += 1
        return self._bytes


def bytes_of(table: Any) -> list[bytes]:
    return [row.column(0)[0].as_py() for row in _tasks.as_bytes(table.to_batches(max_chunksize=100))]


def test_a_worker_reads_the_bodies_of_a_check_once_and_keeps_two() -> None:
    shipped = Shipped(bytes_of(bodies_of_hosts()))
    batch = pa.record_batch({"url": ["https://host-3.example/private-3/x", "https://host-3.example/x"]})

    def allowed(name: str) -> list[Any]:
        made = _tasks.decided_by_broadcast([batch, batch], QUESTION, name, shipped, None)
        return [answer.column("allowed").to_pylist() for answer in made]

    assert [allowed("one") for _ in range(3)] == [[[False, True]] * 2] * 3
    assert shipped.reads == 1
    assert allowed("two") == allowed("one")
    assert shipped.reads == 2
    assert allowed("three") == allowed("one")
    assert shipped.reads == 3
    allowed("two")
    assert shipped.reads == 4


def test_bytes_that_are_not_utf_8_are_decided_and_pass_through() -> None:
    data = pa.array([b"https://host-3.example/private-3/\xff", b"https://host-3.example/\xff"], pa.binary())
    batch = pa.record_batch([data.view(pa.string())], ["url"])
    book = QUESTION.book(bodies_of_hosts())
    [made] = _tasks.decided(book, batch, QUESTION, None)
    assert made.column("allowed").to_pylist() == [False, True]
    assert made.column("url").type == pa.string()
    assert made.column("url").view(pa.binary()) == data
    assert _tasks.url_keys(batch, QUESTION, 0).to_pylist() == ["https://host-3.example"] * 2
    bodies = pa.record_batch([pa.array([b"User-agent: *\nDisallow: /\xff\n"]).view(pa.string())], ["robots"])
    [made] = _tasks.classified(iter([bodies]), lambda given: columns.classes(given, "FooBot"), "robots")
    assert made.column("disallowed").to_pylist() == ["some"]
    assert made.column("robots").type == pa.string()


def test_an_authority_that_is_not_utf_8_is_a_problem_of_its_row() -> None:
    keys = pa.array([b"https://h.example\xff"], pa.binary()).view(pa.string())
    batch = pa.record_batch([keys, pa.array([b""], pa.large_binary())], [_tasks.KEY, "robots"])
    [made] = _tasks.normal_bodies([batch], QUESTION)
    assert "is not UTF-8" in made.column(_tasks.PROBLEM)[0].as_py()
    assert made.column("robots").type == pa.large_binary()


def test_many_bodies_travel_as_several_rows_none_of_which_is_large() -> None:
    names = [f"https://host-{nth}.example" for nth in range(200)]
    table = pa.table({"verger_key": names, "robots": [("%d" % nth).encode() * 100_000 for nth in range(200)]})
    rows = bytes_of(table.slice(0, 100)) + [
        row.column(0)[0].as_py() for row in _tasks.as_bytes(table.to_batches(max_chunksize=10))
    ]
    assert len(rows) > 2
    read = _tasks.table_of_bytes(rows[1:], QUESTION)
    assert read.column_names == ["authority", "robots"]
    assert read["robots"].to_pylist() == table["robots"].to_pylist()


def test_what_is_collected_is_measured_without_repetitions_and_has_one_body_a_key() -> None:
    def rows(*bodies: tuple[str, str]) -> Any:
        names, robots = zip(*bodies, strict=True)
        return pa.record_batch([pa.array(names), pa.array(robots, pa.binary())], ["authority", "robots"])

    a, b = ("https://a.example", "abc"), ("https://b.example", "defgh")
    batches = [rows(a, b), rows(("https://A.example:443", "abc"), a), rows(("http://b.example", ""))]
    made = [row for batch in batches for row in _tasks.collected([batch], QUESTION)]
    assert [row.column("verger_problem").to_pylist() for row in made] == [[None]] * 3
    data = [row.column("bytes")[0].as_py() for row in made]
    assert _broadcast.measured(data, "authority") == Sizes(3, len("abcdefgh"))
    other = next(_tasks.collected([rows(("https://b.example", "defgH"))], QUESTION)).column("bytes")[0].as_py()
    with pytest.raises(ValueError, match="`authority` has `https://b.example` in several rows with different bodies"):
        _broadcast.measured([*data, other], "authority")
    page = rows(a, ("https://b.example/page", ""))
    found = [row.to_pylist()[0] for row in _tasks.collected([page, rows(b)], QUESTION)]
    assert [row["bytes"] is None for row in found] == [False, True]
    assert "https://b.example/page" in found[1]["verger_problem"]


def test_an_attempt_replaces_what_an_earlier_one_has_counted() -> None:
    counts = PartitionCounts()
    value = counts.zero({})
    # Partition 0 is lost, and made again by another stage of the same query.
    for stage, partition, rows in ((3, 0, 5), (3, 1, 7), (3, 0, 5), (4, 0, 6)):
        value = counts.addInPlace(value, {"query 2": (stage, {partition: {"FooBot": {"allowed": rows}}})})
    assert value == {"query 2": (4, {0: {"FooBot": {"allowed": 6}}, 1: {"FooBot": {"allowed": 7}}})}
    for stage in range(5, 20):
        value = counts.addInPlace(value, {f"stage {stage}": (stage, {0: {"FooBot": {"allowed": 1}}})})
    assert list(value) == [f"stage {stage}" for stage in range(20 - RUNS_KEPT, 20)]


BODY = "User-agent: *\nDisallow: /"
HELD: list[list[str]] = []


class Recorded(Question):
    """A question that keeps which bodies were held when it was asked."""

    def book(self, bodies: Any) -> Any:
        HELD.append(bodies["authority"].to_pylist())
        return super().book(bodies)


def piece_of(*urls: str | None) -> bytes:
    """A piece of URLs in a column `page`."""
    batch = pa.record_batch({"page": pa.array(urls, pa.string())})
    return bytes(batch.schema.serialize().to_pybytes() + batch.serialize().to_pybytes())


def rows_of_join(*rows: tuple[int, str | None, bytes | None]) -> Any:
    """Rows of an order, of a host with a body, or of a piece of URLs."""
    orders, hosts, pieces = zip(*rows, strict=True)
    keys = [host and f"https://{host}.example" for host in hosts]
    robots = [host and f"{BODY}{host}\n".encode() for host in hosts]
    arrays = [
        pa.array(orders, pa.int64()),
        pa.array(keys, pa.string()),
        pa.array(robots, pa.binary()),
        pa.array(pieces, pa.binary()),
    ]
    return pa.record_batch(arrays, ["verger_order", "verger_key", "robots", "verger_piece"])


def test_a_worker_holds_the_bodies_of_one_group() -> None:
    batches = [
        # The body of a giant comes with each salt.
        rows_of_join((0, "a", None), (0, "a", None), (0, "b", None), (5, None, piece_of("https://a.example/a")), (8, "unasked", None)),
        rows_of_join((8, "asked-neither", None), (16, "c", None)),
        rows_of_join((16, "d", None), (17, None, piece_of("https://d.example/d")), (17, None, piece_of("https://a.example/a"))),
        rows_of_join((19, None, piece_of("https://c.example/", None))),
    ]
    HELD.clear()
    question = Recorded("*", "page", None, None, None, 1 << 20)
    found = [row for made in _tasks.decided_by_join(batches, question, None) for row in made.to_pylist()]
    assert [(row["page"], row["allowed"], row["reason"]) for row in found] == [
        ("https://a.example/a", False, "rule"),
        ("https://d.example/d", False, "rule"),
        ("https://a.example/a", None, "no-body"),
        ("https://c.example/", True, "no-rule"),
        (None, None, "no-url"),
    ]
    assert HELD == [["https://a.example", "https://b.example"], ["https://c.example", "https://d.example"]]
    assert list(_tasks.decided_by_join([], question, None)) == []


def test_bodies_that_are_others_than_when_they_were_measured_are_an_error() -> None:
    division = Division(4, 16, 16, {}, 1)
    unsound = pa.record_batch({"verger_key": ["https://a.example", "no authority"], "robots": [b"", b""]})
    with pytest.raises(ValueError, match="no authority.*: the bodies changed after they were measured"):
        list(_tasks.placed_bodies([unsound], QUESTION, division))
    question = Question("FooBot", "page", None, None, None, 1 << 20)
    rows = rows_of_join((0, "a", None), (0, "a", None), (1, None, piece_of("https://a.example/")))
    differing = rows.set_column(2, "robots", pa.array([b"User-agent: *", b"", None]))
    with pytest.raises(ValueError, match="`https://a.example` has different bodies: the bodies changed"):
        list(_tasks.decided_by_join([differing], question, None))


def test_text_begins_with_its_buffer_in_what_is_written_to_spark() -> None:
    # Where it does not, pyarrow before 21 writes other text.
    many = pa.record_batch({"url": [f"https://host-3.example/{nth}" for nth in range(_tasks.ROWS_MAX + 3)]})
    bodies = pa.record_batch({"url": [BODY] * many.num_rows})
    shipped = Shipped(bytes_of(bodies_of_hosts()))
    pieces = [piece_of("https://a.example/a"), piece_of("https://b.example/b")]
    joined = rows_of_join((0, "a", None), (1, None, pieces[0]), (8, "b", None), (9, None, pieces[1]))
    asked_of_join = Question("FooBot", "page", None, None, None, 1 << 20)
    made = [
        *_tasks.decided_by_broadcast([many], QUESTION, "many", shipped, None),
        *(made.rename_columns(["url", *made.schema.names[1:]]) for made in _tasks.decided_by_join([joined], asked_of_join, None)),
        *_tasks.classified([bodies], lambda given: columns.classes(given, "*", robots="url"), "url"),
    ]
    classes = [_tasks.CLASS_ROWS_MAX] * (_tasks.ROWS_MAX // _tasks.CLASS_ROWS_MAX)
    assert [len(batch) for batch in made] == [_tasks.ROWS_MAX, 3, 1, 1, *classes, 3]
    for batch in made:
        urls = batch.column("url")
        assert urls.offset == 0
        assert urls.buffers()[1][:4].to_pybytes() == bytes(4)
    assert [url for batch in made[:2] for url in batch.column("url").to_pylist()] == many.column("url").to_pylist()


def packed(batches: list[Any], division: Division, question: Question = QUESTION) -> list[tuple[int, int, Any]]:
    """The pieces that a task makes of URLs: bucket, salt and rows."""
    count = len(batches[0].columns) - (division.salts_max > 1) - (question.by is not None)
    made = [row for batch in _tasks.packed_urls(batches, question, division, count) for row in batch.to_pylist()]
    return [(row["verger_bucket"], row["verger_salt"], pa.ipc.open_stream(row["verger_piece"]).read_all()) for row in made]


def test_urls_of_a_bucket_are_in_pieces_of_it_with_those_of_a_host_together() -> None:
    urls = [f"https://host-{nth % 300}.example/{nth}" for nth in range(5000)] + [None, "no URL"]
    batches = pa.table({"nth": range(len(urls)), "url": urls}).to_batches(max_chunksize=700)
    division = Division(4, 16, 16, {}, 1)
    pieces = packed(batches, division)
    assert sorted(nth for _, _, rows in pieces for nth in rows["nth"].to_pylist()) == list(range(len(urls)))
    assert {rows["url"][at].as_py() for _, _, rows in pieces for at, nth in enumerate(rows["nth"].to_pylist()) if nth >= 5000} == {None, "no URL"}
    hosts = pa.array([f"https://host-{host}.example" for host in range(300)])
    of_hosts, rows_of_hosts = _places.buckets_of(hosts, 16, 0)
    assert len(set(of_hosts.tolist())) == 16
    buckets = dict(zip(hosts.to_pylist(), of_hosts[rows_of_hosts].tolist(), strict=True))
    for bucket, salt, rows in pieces:
        of_rows = [url.rsplit("/", 1)[0] for url in rows["url"].to_pylist() if url and url != "no URL"]
        assert salt == 0 and {buckets[host] for host in of_rows} <= {bucket}
        runs = sum(one != other for one, other in zip(of_rows, of_rows[1:], strict=False)) + 1
        assert runs == max(len(set(of_rows)), 1)


def test_bodies_and_urls_of_a_key_meet_whatever_its_type() -> None:
    division = Division(4, 1024, 1024, {}, 1)
    for by, keys in (("id", [7, -7, 2**62]), ("id", [b"a", b"\xff\x01", b""]), (None, ["https://a.example", "http://b.example:81", "https://c.example"])):
        question = Question("*", "url", by, None, None, 1 << 20)
        given = pa.array(keys)
        bodies = pa.record_batch([given, pa.array([b""] * 3)], ["verger_key", "robots"])
        placed = [row for made in _tasks.placed_bodies([bodies], question, division) for row in made.to_pylist()]
        asked = keys if by is None else ["/"] * 3
        urls = pa.record_batch([pa.array(asked), *([given] if by else [])], ["url", *(["key"] if by else [])])
        found = [bucket for bucket, _, rows in packed([urls], division, question) for _ in range(len(rows))]
        assert sorted(found) == sorted(row["verger_bucket"] for row in placed)
        assert len(set(found)) == 3


def test_urls_of_a_salted_bucket_are_divided_and_its_bodies_copied() -> None:
    urls = [f"https://{'giant' if nth % 2 else 'small'}.example/{nth}" for nth in range(1000)]
    whole = Division(4, 64, 64, {}, 1)
    places, of_rows = _places.buckets_of(pa.array(["https://giant.example", "https://small.example"]), 64, 0)
    giant, small = places[of_rows].tolist()
    assert giant != small
    division = Division(whole.partitions, whole.buckets, whole.group_buckets, {giant: 5}, 1)
    spread = pa.array([(nth - 500) * 7_919 for nth in range(1000)], pa.int64())
    pieces = packed([pa.record_batch([pa.array(urls), spread], ["url", "spread"])], division)
    assert [rows.column_names for _, _, rows in pieces] == [["url"]] * len(pieces)
    of_salts = {(bucket, salt): rows.num_rows for bucket, salt, rows in pieces}
    assert of_salts == {(giant, salt): 100 for salt in range(5)} | {(small, 0): 500}
    bodies = pa.record_batch({"verger_key": ["https://giant.example", "https://small.example"], "robots": [b"", b""]})
    placed = [row for made in _tasks.placed_bodies([bodies], QUESTION, division) for row in made.to_pylist()]
    assert [(row["verger_bucket"], row["verger_salts"]) for row in placed] == [(giant, 5), (small, 1)]


def test_pieces_are_small_but_for_a_row_that_is_not() -> None:
    long = "https://a.example/" + "x" * 100_000
    urls = [f"https://a.example/{nth:04}" for nth in range(4000)] + [long]
    pieces = packed(pa.table({"url": urls}).to_batches(), Division(4, 16, 16, {}, 1))
    sizes = [rows.nbytes for _, _, rows in pieces]
    assert [url for _, _, rows in pieces for url in rows["url"].to_pylist()] == urls
    assert max(sizes) > 100_000 and sorted(sizes)[-2] <= _places.PIECE_BYTES
    assert len(pieces) < 20
    row = next(_tasks.packed_urls(pa.table({"url": urls}).to_batches(), QUESTION, Division(4, 16, 16, {}, 1), 1))
    read = list(_places.unpacked(row.column("verger_piece")))
    assert [url for rows in read for url in rows.column("url").to_pylist()] == urls
    assert len(read) == 1
