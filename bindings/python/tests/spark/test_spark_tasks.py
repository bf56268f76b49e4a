"""What the Python workers of Spark do, without Spark."""

from __future__ import annotations

from typing import Any

from sessions import bodies_of_hosts, pa

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
