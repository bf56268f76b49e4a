"""`Outcomes`: count the results of a check while Spark runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from verger.spark._plan import Plan

Counts: TypeAlias = dict[str, dict[str, int]]
"""Number of URLs by crawler and outcome."""

ByRun: TypeAlias = dict[str, tuple[int, dict[int, Counts]]]
"""By run: the last stage that counted, and the counts by partition. The stages of one query form one run, because a
new stage may recompute only the partitions lost with an executor."""

RUNS_KEPT = 4


class PartitionCounts:
    """Adds up counts in Spark: an accumulator parameter, in pyspark's terms.

    The counts of a partition replace those of an earlier attempt, so nothing is counted twice.
    """

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
    """Counts the URLs that were allowed, disallowed, or undecided and why, while a check runs.

    outcomes = verger.spark.Outcomes()
    answers = verger.spark.check(urls, bodies, "GPTBot", outcomes=outcomes)
    answers.write.parquet("answers")
    outcomes.counts         # {'GPTBot': {'allowed': 5, 'disallowed': 3, 'no-body': 1}}
    outcomes.post()         # shows the same on the Spark page

    Retried and speculative tasks are counted once. Each action computes the results again unless they are cached, and
    the counts are those of the last action. `show()` counts only the rows it needed.
    """

    def __init__(self) -> None:
        self._session: SparkSession | None = None
        self._plan: Plan | None = None
        self._accumulator: Any = None

    @property
    def plan(self) -> Plan | None:
        """How the results are computed. `None` before `check`."""
        return self._plan

    @property
    def counts(self) -> Mapping[str, Mapping[str, int]]:
        """Counts by crawler: `allowed`, `disallowed`, and the undecided: `no-url`, `not-a-url` and `no-body`."""
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
        return "; ".join(counted) or "nothing counted yet"

    def post(self) -> str:
        """Show the counts on the Spark page, as the description of an otherwise empty job, and return the same text.

        The page does not show Python accumulators.
        """
        text = f"verger.spark: {self}"
        if self._session is not None:
            with described(self._session, text):
                self._session.range(1).count()
        return text

    def bind(self, session: SparkSession, plan: Plan) -> Any:
        """Return the accumulator for a check. Raise `ValueError` if these outcomes belong to another check."""
        if self._accumulator is not None:
            raise ValueError("these outcomes belong to another check: pass a new Outcomes() to each check")
        self._session, self._plan = session, plan
        self._accumulator = session.sparkContext.accumulator({}, PartitionCounts())  # type: ignore[arg-type]
        return self._accumulator


class described:  # noqa: N801
    """Sets the description of the enclosed jobs on the Spark page."""

    def __init__(self, session: SparkSession, text: str) -> None:
        self._context = session.sparkContext
        self._text = text
        self._before: str | None = None

    def __enter__(self) -> None:
        self._before = self._context.getLocalProperty("spark.job.description")
        self._context.setJobDescription(self._text)

    def __exit__(self, *_exception: object) -> None:
        self._context.setLocalProperty("spark.job.description", self._before)  # type: ignore[arg-type]
