"""What the Python workers of Spark do, without Spark."""

from __future__ import annotations

from typing import Any

from sessions import bodies_of_hosts, pa

from verger import columns
from verger.spark import _tasks
from verger.spark._outcomes import STAGES_KEPT, PartitionCounts
from verger.spark._question import Question

QUESTION = Question("FooBot", "url", None, None, None, 1 << 20)


class Shipped:
    """A broadcast that counts how often it is read."""

    def __init__(self, octets: list[bytes]) -> None:
        self._octets = octets
        self.reads = 0

    @property
    def value(self) -> list[bytes]:
        self.reads += 1
        return self._octets


def octets_of(table: Any) -> list[bytes]:
    return [row.column(0)[0].as_py() for row in _tasks.as_octets(table.to_batches(max_chunksize=100))]


def test_a_worker_reads_the_bodies_of_a_check_once_and_keeps_two() -> None:
    shipped = Shipped(octets_of(bodies_of_hosts()))
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


def test_many_bodies_travel_as_several_rows_none_of_which_is_large() -> None:
    names = [f"https://host-{nth}.example" for nth in range(200)]
    table = pa.table({"verger_key": names, "robots": [("%d" % nth).encode() * 100_000 for nth in range(200)]})
    rows = octets_of(table.slice(0, 100)) + [
        row.column(0)[0].as_py() for row in _tasks.as_octets(table.to_batches(max_chunksize=10))
    ]
    assert len(rows) > 2
    read = _tasks.table_of_octets(rows[1:], QUESTION)
    assert read.column_names == ["authority", "robots"]
    assert read["robots"].to_pylist() == table["robots"].to_pylist()


def test_an_attempt_replaces_what_an_earlier_one_has_counted() -> None:
    counts = PartitionCounts()
    value = counts.zero({})
    for partition, rows in ((0, 5), (1, 7), (0, 5)):
        value = counts.addInPlace(value, {3: {partition: {"FooBot": {"allowed": rows}}}})
    assert value == {3: {0: {"FooBot": {"allowed": 5}}, 1: {"FooBot": {"allowed": 7}}}}
    for stage in range(4, 20):
        value = counts.addInPlace(value, {stage: {0: {"FooBot": {"allowed": 1}}}})
    assert sorted(value) == list(range(20 - STAGES_KEPT, 20))


BODY = "User-agent: *\nDisallow: /"
HELD: list[list[str]] = []


class Recorded(Question):
    """A question that keeps which bodies were held when it was asked."""

    def book(self, bodies: Any) -> Any:
        HELD.append(bodies["authority"].to_pylist())
        return super().book(bodies)


def rows_of_join(*rows: tuple[int, str | None, str | None]) -> Any:
    """Rows of an order, of a host with a body, or of a URL."""
    orders, hosts, urls = zip(*rows, strict=True)
    keys = [host and f"https://{host}.example" for host in hosts]
    robots = [host and f"{BODY}{host}\n".encode() for host in hosts]
    arrays = [
        pa.array(orders, pa.int64()),
        pa.array(keys, pa.string()),
        pa.array(robots, pa.binary()),
        pa.array(urls, pa.string()),
    ]
    return pa.record_batch(arrays, ["verger_order", "verger_key", "robots", "verger_column_0"])


def test_a_worker_holds_the_bodies_of_one_group() -> None:
    batches = [
        # The body of a giant comes with each salt.
        rows_of_join((0, "a", None), (0, "a", None), (0, "b", None), (5, None, "https://a.example/a"), (8, "unasked", None)),
        rows_of_join((8, "asked-neither", None), (16, "c", None)),
        rows_of_join((16, "d", None), (17, None, "https://d.example/d"), (17, None, "https://a.example/a")),
        rows_of_join((19, None, "https://c.example/"), (19, None, None)),
    ]
    HELD.clear()
    question = Recorded("*", "page", None, None, None, 1 << 20)
    found = [row for made in _tasks.decided_by_join(batches, question, ["page"], None) for row in made.to_pylist()]
    assert [(row["page"], row["allowed"], row["reason"]) for row in found] == [
        ("https://a.example/a", False, "rule"),
        ("https://d.example/d", False, "rule"),
        ("https://a.example/a", None, "no-body"),
        ("https://c.example/", True, "no-rule"),
        (None, None, "no-url"),
    ]
    assert HELD == [["https://a.example", "https://b.example"], ["https://c.example", "https://d.example"]]
    assert list(_tasks.decided_by_join([], question, ["page"], None)) == []


def test_text_begins_with_its_buffer_in_what_is_written_to_spark() -> None:
    # Where it does not, pyarrow before 21 writes other text.
    many = pa.record_batch({"url": [f"https://host-3.example/{nth}" for nth in range(_tasks.ROWS_MAX + 3)]})
    bodies = pa.record_batch({"url": [BODY] * many.num_rows})
    shipped = Shipped(octets_of(bodies_of_hosts()))
    joined = rows_of_join((0, "a", None), (1, None, "https://a.example/a"), (8, "b", None), (9, None, "https://b.example/b"))
    made = [
        *_tasks.decided_by_broadcast([many], QUESTION, "many", shipped, None),
        *_tasks.decided_by_join([joined], QUESTION, ["url"], None),
        *_tasks.classified([bodies], lambda given: columns.classes(given, "*", robots="url")),
    ]
    assert [len(batch) for batch in made] == [_tasks.ROWS_MAX, 3, 1, 1, _tasks.ROWS_MAX, 3]
    for batch in made:
        urls = batch.column("url")
        assert urls.offset == 0
        assert urls.buffers()[1][:4].to_pybytes() == bytes(4)
    assert [url for batch in made[:2] for url in batch.column("url").to_pylist()] == many.column("url").to_pylist()
