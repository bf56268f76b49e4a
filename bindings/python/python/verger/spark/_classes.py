"""`classes`: add to a frame of bodies how much each disallows to crawlers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from verger import columns
from verger._names import Dialect, ReadingOption
from verger._verger import Columns, Crawler, ProductToken
from verger.spark import _tasks
from verger.spark._frames import answered_schema, expect_frame, expect_text, made_fields
from verger.spark._question import ROBOTS
from verger.spark._untyped import mapped, pyarrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_Agent: TypeAlias = str | ProductToken | Crawler | Sequence[str | ProductToken]


def classes(
    bodies: DataFrame,
    crawlers: _Agent | Sequence[_Agent],
    *,
    robots: str = ROBOTS,
    dialect: Dialect | str | None = None,
    options: Iterable[ReadingOption | str] | None = None,
) -> DataFrame:
    """Classify how much each body disallows to crawlers. The Spark version of `verger.columns.classes`.

    The result is `bodies` with the columns of `verger.columns.classes`. Equal bodies in a task are read once.

    Raises `TypeError` and `ValueError` before the job runs, like `check`.
    """
    expect_frame(bodies, "bodies")
    expect_text(bodies, robots, "the bodies")
    listed = None if options is None else tuple(options)

    def make(given: Any) -> Columns:
        return columns.classes(given, crawlers, robots=robots, dialect=dialect, options=listed)

    pa = pyarrow()
    made = pa.table(make(pa.table({robots: pa.array([], pa.binary())})))
    names, of_one = made_fields(list(made.schema)[1:])

    def task(batches: Iterable[object]) -> Iterator[object]:
        return _tasks.classified(batches, make, robots)

    return mapped(bodies, task, answered_schema(bodies, of_one, names, "the bodies"))
