"""`check`: a frame of URLs and a frame of bodies, and the URLs with answers."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from verger._names import Dialect, ReadingOption
from verger._verger import Crawler, ProductToken
from verger.spark import _broadcast, _join
from verger.spark._frames import answered_schema, expect_frame, expect_text, key_kind, made_fields
from verger.spark._places import Division
from verger.spark._plan import BROADCAST_BYTES, Plan
from verger.spark._question import AUTHORITY, ROBOTS, Question
from verger.spark._sizes import Sizes, measure, normal_bodies, selected_bodies
from verger.spark._tasks import Tally
from verger.spark._untyped import pyarrow

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from verger.spark._outcomes import Outcomes

Strategy: TypeAlias = Literal["auto", "broadcast", "join"]
_Agent: TypeAlias = str | ProductToken | Crawler | Sequence[str | ProductToken]

CACHE_BYTES = 64 << 20
"""Every Python worker has a cache; an executor has as many as cores."""


def check(
    urls: DataFrame,
    bodies: DataFrame,
    crawlers: _Agent | Sequence[_Agent],
    *,
    url: str = "url",
    authority: str = AUTHORITY,
    by: str | None = None,
    dialect: Dialect | str | None = None,
    options: Iterable[ReadingOption | str] | None = None,
    strategy: Strategy = "auto",
    salt: int | None = None,
    broadcast_bytes: int = BROADCAST_BYTES,
    cache_bytes: int = CACHE_BYTES,
    outcomes: Outcomes | None = None,
    quiet: bool = False,
) -> DataFrame:
    """Whether crawlers may fetch each URL, and why: what `verger.columns.check` gives, on Spark.

    `urls` has a column `url`, `bodies` the columns `authority` and `robots`; both columns may have other names,
    `robots` not. With `by="id"` the body of a URL is the one with the same `id`. The answer is `urls` with the columns
    `allowed`, `reason`, `line` and `rule`, or for a list of crawlers with a struct column for each; its rows
    are in any order.

    `strategy` says how bodies come to URLs: `broadcast` sends all to every worker, `join` sends bodies and URLs of
    one authority to one partition, `auto` broadcasts where bodies take no more than `broadcast_bytes`: each its
    length, and 256 bytes for its key. `salt=8` divides every authority of a join over so many partitions, `1` none;
    without it a sample of the URLs says which are giants. The plan is printed to the standard error, unless `quiet`.

    The bodies are read before this returns, to measure them; the answers are made when the frame is used.
    A join without `salt` evaluates the whole frame of URLs once before this returns, for the sample.
    `outcomes` counts them then. `cache_bytes` is the most memory that rules take in a worker.

    Raises, before the job runs, `TypeError` where a column is of another type than it has to be, and `ValueError`
    where one is not there or is there already, where an `authority` names none or has two different bodies; for
    crawlers and dialects as `verger.columns.check`.
    """
    expect_frame(urls, "urls")
    expect_frame(bodies, "bodies")
    _expect_numbers(strategy, salt, broadcast_bytes)
    question = Question(crawlers, url, by, dialect, None if options is None else tuple(options), cache_bytes)
    expect_text(urls, url, "the URLs")
    expect_text(bodies, ROBOTS, "the bodies")
    kind = _kind(urls, bodies, authority, by)
    names, of_one = made_fields(_made_columns(question, kind))
    schema = answered_schema(urls, of_one, names, "the URLs")
    key = by or authority
    selected = selected_bodies(bodies, key, kind, question)
    # Bodies that are broadcast in any case are measured when they have been collected.
    collected = _broadcast.collect(selected, key, question) if strategy == "broadcast" else None
    sizes = measure(normal_bodies(selected, question), key) if collected is None else collected.sizes
    chosen, why = _strategy(strategy, sizes, broadcast_bytes)
    if chosen == "broadcast":
        collected = collected or _broadcast.collect(selected, key, question)
        plan = Plan(chosen, why, sizes.bodies, sizes.bytes)
        tally = _tally(urls, outcomes, plan, names or [str(crawlers)])
        answers = _broadcast.answers(urls, collected, question, schema, tally)
    else:
        division = _join.divide(urls, sizes, question, kind, salt)
        plan = _join_plan(why, sizes, division, is_sampled=salt is None)
        tally = _tally(urls, outcomes, plan, names or [str(crawlers)])
        answers = _join.answers(urls, selected, question, kind, division, schema, tally)
    if not quiet:
        print(plan, file=sys.stderr)
    return answers


def _expect_numbers(strategy: str, salt: object, broadcast_bytes: int) -> None:
    if strategy not in ("auto", "broadcast", "join"):
        raise ValueError(f"strategy is `{strategy}`; expected `auto`, `broadcast` or `join`")
    if salt is not None and (isinstance(salt, bool) or not (isinstance(salt, int) and salt >= 1)):
        raise ValueError(f"salt is {salt}; expected a whole number from 1 on")
    if broadcast_bytes < 0:
        raise ValueError(f"broadcast_bytes is {broadcast_bytes}; expected a number from 0 on")


def _kind(urls: DataFrame, bodies: DataFrame, authority: str, by: str | None) -> Any:
    """What keys are: text or integers."""
    if by is None:
        expect_text(bodies, authority, "the bodies")
        return "text"
    of_urls, of_bodies = key_kind(urls, by, "the URLs"), key_kind(bodies, by, "the bodies")
    if of_urls != of_bodies:
        raise TypeError(f"column `{by}` of the URLs has {of_urls}, and that of the bodies {of_bodies}")
    return of_urls


def _made_columns(question: Question, kind: str) -> Any:
    """The Arrow fields of the answers."""
    pa = pyarrow()
    key_type = pa.int64() if kind == "integers" else pa.binary()
    bodies = pa.table({question.key: pa.array([], key_type), ROBOTS: pa.array([], pa.binary())})
    urls = {"verger_url": pa.array([], pa.string())}
    if question.by is not None:
        urls[question.by] = pa.array([], key_type)
    made = pa.table(question.book(bodies).check(pa.table(urls), url="verger_url"))
    return list(made.schema)[len(urls) :]


def _strategy(asked: Strategy, sizes: Sizes, broadcast_bytes: int) -> tuple[Literal["broadcast", "join"], str]:
    if asked != "auto":
        return asked, "as asked"
    limit = f"{broadcast_bytes / (1 << 20):,.0f} MiB"
    if sizes.held <= broadcast_bytes:
        return "broadcast", f"bodies and keys take no more than {limit}"
    return "join", f"bodies and keys take more than {limit}"


def _tally(urls: DataFrame, outcomes: Outcomes | None, plan: Plan, names: list[str]) -> Tally | None:
    return None if outcomes is None else Tally(outcomes.bind(urls.sparkSession, plan), names)


def _join_plan(why: str, sizes: Sizes, division: Division, *, is_sampled: bool) -> Plan:
    return Plan(
        "join",
        why,
        sizes.bodies,
        sizes.bytes,
        partitions=division.partitions,
        salted=len(division.giants) if is_sampled else None,
        buckets=division.buckets if is_sampled else None,
        salts=division.salts_max,
    )
