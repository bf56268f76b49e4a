"""`check`: add results to a frame of URLs, given a frame of bodies."""

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
"""Default cache size in bytes. Each Python worker has a cache, and an executor has a worker per core."""


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
    """Check whether crawlers may fetch each URL, and why. The Spark version of `verger.columns.check`.

    `urls` has a column `url`, and `bodies` has the columns `authority` and `robots`. `url` and `authority` can be
    renamed with the arguments of the same names, but `robots` cannot. With `by="id"`, the body of a URL is the one with
    the same `id`. The result is `urls` with the columns `allowed`, `reason`, `line` and `rule`. For a list of crawlers,
    it has a struct column for each. Rows are in no particular order.

    `strategy` decides how bodies reach URLs:

    - `broadcast` sends all bodies to every worker.
    - `join` sends the bodies and URLs of an authority to the same partition.
    - `auto` broadcasts if the bodies take at most `broadcast_bytes`, counting their length and 256 bytes for each key.

    `salt=8` spreads every authority of a join over 8 partitions, and `salt=1` spreads none. By default, a sample of the
    URLs shows which authorities are too large for one partition. The plan is printed to standard error unless `quiet`.

    The bodies are read before this function returns, to measure them. The results are computed when the frame is used.
    A join without `salt` also evaluates the whole frame of URLs once for the sample. `outcomes` counts the results as
    they are computed. `cache_bytes` limits the memory that rules use in a worker.

    Raises, before the job runs, `TypeError` if a column has the wrong type, and `ValueError` if a column is missing or
    already present, if an `authority` is not valid, or if it has two different bodies. Crawlers and dialects raise the
    same exceptions as in `verger.columns.check`.
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
    # Bodies that will be broadcast anyway are measured after they have been collected.
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
        raise ValueError(f"unknown strategy `{strategy}`: expected `auto`, `broadcast` or `join`")
    if salt is not None and (isinstance(salt, bool) or not (isinstance(salt, int) and salt >= 1)):
        raise ValueError(f"salt is {salt}: expected a whole number of at least 1")
    if broadcast_bytes < 0:
        raise ValueError(f"broadcast_bytes is {broadcast_bytes}: expected 0 or more bytes")


def _kind(urls: DataFrame, bodies: DataFrame, authority: str, by: str | None) -> Any:
    if by is None:
        expect_text(bodies, authority, "the bodies")
        return "text"
    of_urls, of_bodies = key_kind(urls, by, "the URLs"), key_kind(bodies, by, "the bodies")
    if of_urls != of_bodies:
        raise TypeError(
            f"column `{by}` has {of_urls} in the URLs but {of_bodies} in the bodies: expected the same type"
        )
    return of_urls


def _made_columns(question: Question, kind: str) -> Any:
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
