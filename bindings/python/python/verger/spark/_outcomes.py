"""`Outcomes`: how many URLs had which answer, counted while Spark runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from verger.spark._plan import Plan

Counts: TypeAlias = dict[str, dict[str, int]]
"""How often each outcome came, by crawler."""

ByRun: TypeAlias = dict[str, tuple[int, dict[int, Counts]]]
"""Counts by partition, and the last stage that has counted, of each run. Stages that Spark runs for one query are one
run: where an executor dies, a new stage may make only the partitions that are lost."""

RUNS_KEPT = 4


class PartitionCounts:
    """How Spark adds up counts: those of a partition replace what an earlier attempt at it has counted, so
    that nothing counts twice. It is what pyspark calls an accumulator parameter."""

    def zero(self, _value: ByRun) -> ByRun:
        return {}

    def addInPlace(self, value: ByRun, added: ByRun) -> ByRun:  # noqa: N802
        for run, (stage, partitions) in added.items():
            before, counted = value.get(run, (stage, {}))
            value[run] = max(before, stage), {**counted, **partitions}
        for run in sorted(value, key=lambda it: value[it][0])[:-RUNS_KEPT]:
            del value[run]
        return value


class Outcomes:
    """Counts how many URLs were allowed, disallowed, or unknown and why, while answers are made.

        outcomes = verger.spark.Outcomes()
        answers = verger.spark.check(urls, bodies, "GPTBot", outcomes=outcomes)
        answers.write.parquet("answers")
        outcomes.counts         # {'GPTBot': {'allowed': 5, 'disallowed': 3, 'no-body': 1}}
        outcomes.post()         # the same as a line on the Spark page

    A task that Spark runs again, after a failure or beside a slow one, is counted once. Each action makes the
    answers anew, unless they are cached, and the counts are those of the last one: of `show()` the rows that it
    needed.
    """

    def __init__(self) -> None:
        self._session: SparkSession | None = None
        self._plan: Plan | None = None
        self._accumulator: Any = None

    @property
    def plan(self) -> Plan | None:
        """How the answers are made; `None` before `check`."""
        return self._plan

    @property
    def counts(self) -> Mapping[str, Mapping[str, int]]:
        """By crawler: `allowed`, `disallowed`, and the reasons of the unknown, `no-url`, `not-a-url` and `no-body`."""
        total: Counts = {}
        runs: ByRun = self._accumulator.value if self._accumulator is not None else {}
        if runs:
            _, last = max(runs.values(), key=lambda it: it[0])
            for counts in last.values():
                for crawler, outcomes in counts.items():
                    of_crawler = total.setdefault(crawler, {})
                    for outcome, rows in outcomes.items():
                        of_crawler[outcome] = of_crawler.get(outcome, 0) + rows
        return {name: dict(sorted(outcomes.items())) for name, outcomes in total.items()}

    def __str__(self) -> str:
        counted = (
            f"{name}: " + ", ".join(f"{outcome} {rows:,}" for outcome, rows in outcomes.items())
            for name, outcomes in self.counts.items()
        )
        return "; ".join(counted) or "nothing has been counted"

    def post(self) -> str:
        """Puts the counts on the Spark page, as the description of a job that does nothing else, since the page
        shows no accumulators of Python; returns the same text."""
        text = f"verger.spark: {self}"
        if self._session is not None:
            with described(self._session, text):
                self._session.range(1).count()
        return text

    def bind(self, session: SparkSession, plan: Plan) -> Any:
        """The accumulator of a check. Raises `ValueError` where these outcomes are of another check."""
        if self._accumulator is not None:
            raise ValueError("these outcomes count another check; give each its own Outcomes()")
        self._session, self._plan = session, plan
        self._accumulator = session.sparkContext.accumulator({}, PartitionCounts())  # type: ignore[arg-type]
        return self._accumulator


class described:  # noqa: N801
    """What the jobs within are called on the Spark page."""

    def __init__(self, session: SparkSession, text: str) -> None:
        self._context = session.sparkContext
        self._text = text
        self._before: str | None = None

    def __enter__(self) -> None:
        self._before = self._context.getLocalProperty("spark.job.description")
        self._context.setJobDescription(self._text)

    def __exit__(self, *_exception: object) -> None:
        self._context.setLocalProperty("spark.job.description", self._before)  # type: ignore[arg-type]
