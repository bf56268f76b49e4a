"""`verger.spark` in `local-cluster[2,1,1024]`: two executors, each a process, one of which is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sessions import as_table, bodies_of_hosts, counted, differing, frame_of, pa, row_count, session, urls_of_hosts

from verger import columns
from verger import spark as verger_spark

STRATEGIES = ("broadcast", "join")


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    made = session("local-cluster[2,1,1024]", tmp_path_factory.mktemp("warehouse"))
    yield made
    made.stop()


def expected(urls: Any, folder: Path) -> Any:
    return pa.table(columns.check(as_table(urls, folder), bodies_of_hosts(), "FooBot"))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_million_urls_have_the_answers_of_columns(spark: Any, tmp_path: Path, strategy: Any) -> None:
    urls = urls_of_hosts(spark, row_count())
    answers = verger_spark.check(urls, frame_of(spark, bodies_of_hosts()), "FooBot", strategy=strategy)
    found = as_table(answers, tmp_path / "answers")
    assert found.num_rows == row_count()
    assert differing(found, expected(urls, tmp_path / "urls")) == []


def kills_its_executor_once(mark: Path, partition: int) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """A step of a task that ends its executor, once, after some rows of that partition have gone by."""

    # It travels by value, and the workers do not have this module.
    def step(batches: Iterable[Any]) -> Iterator[Any]:
        from pyspark import TaskContext

        task: Any = TaskContext.get()
        for batch in batches:
            yield batch
            if task.partitionId() == partition and not mark.exists():
                mark.touch()
                # A worker is forked by a daemon, which the executor has started.
                status = Path(f"/proc/{os.getppid()}/stat").read_text(encoding="ascii")
                executor = int(status.rsplit(")", 1)[1].split()[1])
                os.kill(executor, signal.SIGKILL)

    return step


@pytest.mark.parametrize(
    ("strategy", "place", "partition"),
    # Of the answers of a join there may be fewer partitions, because adaptive execution merges small ones.
    [("broadcast", "urls", 3), ("broadcast", "answers", 3), ("join", "urls", 3), ("join", "answers", 0)],
)
def test_a_killed_executor_loses_nothing(
    spark: Any, tmp_path: Path, strategy: Any, place: str, partition: int
) -> None:
    rows, mark = 100_000, tmp_path / "killed"
    urls = urls_of_hosts(spark, rows)
    kill = kills_its_executor_once(mark, partition)
    given = urls.mapInArrow(kill, urls.schema) if place == "urls" else urls
    outcomes = verger_spark.Outcomes()
    bodies = frame_of(spark, bodies_of_hosts())
    # Salts are given, so that no sample is taken before, in which the executor would be killed.
    answers: Any = verger_spark.check(given, bodies, "FooBot", strategy=strategy, salt=2, outcomes=outcomes)
    if place == "answers":
        answers = answers.mapInArrow(kill, answers.schema)
    assert not mark.exists()
    found = as_table(answers, tmp_path / "answers")
    assert mark.exists()
    wanted = expected(urls, tmp_path / "urls")
    assert found.num_rows == rows
    assert differing(found, wanted) == []
    assert outcomes.counts == {"FooBot": counted(wanted)}


def test_counts_are_whole_where_an_executor_dies_after_they_were_made(spark: Any, tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    urls = urls_of_hosts(spark, 10_000)
    outcomes = verger_spark.Outcomes()
    bodies = frame_of(spark, bodies_of_hosts())
    answers = verger_spark.check(urls, bodies, "FooBot", strategy="broadcast", outcomes=outcomes)
    # What the executor has made for this shuffle is lost, and made again by another stage.
    by_reason: Any = answers.groupBy("reason").count()
    by_reason = by_reason.mapInArrow(kills_its_executor_once(mark, 0), by_reason.schema)
    found = {row["reason"]: row["count"] for row in by_reason.collect()}
    assert mark.exists()
    wanted = expected(urls, tmp_path / "urls")
    reasons = wanted["reason"].value_counts().to_pylist()
    assert found == {it["values"]: it["counts"] for it in reasons}
    assert outcomes.counts == {"FooBot": counted(wanted)}
