"""Polars, DuckDB and DataFusion, as their users call columns."""

# Polars' types name those of packages that are not here; DuckDB finds variables by their names.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnusedVariable=false

from __future__ import annotations

from typing import Any

import datafusion
import duckdb
import polars as pl
import pytest
from arrow import pa

import verger
from verger import columns

BODY = "User-agent: *\nDisallow: /a\n\nUser-agent: FooBot\nDisallow: /\n"
URLS = ["https://a.example/a", "https://a.example/b", None, "https://b.example/", "no"]
ALLOWED = [False, True, None, None, None]
BODIES = pl.DataFrame({"authority": ["https://a.example"], "robots": [BODY]})
FRAME = pl.DataFrame({"nth": range(5), "url": URLS})


def test_polars_gives_series_and_frames_and_takes_them() -> None:
    answers = pl.DataFrame(columns.check(FRAME, BODIES, "*"))
    assert answers.columns == ["nth", "url", "allowed", "reason", "line", "rule"]
    assert answers["allowed"].to_list() == ALLOWED
    series = pl.Series(columns.check(FRAME["url"], BODIES, ["BarBot", "FooBot"]))
    assert series.struct.field("BarBot").struct.field("allowed").to_list() == ALLOWED
    assert FRAME.hstack(series.struct.unnest()).shape == (5, 4)
    names = pl.Series(columns.authority(FRAME["url"]))
    assert names.to_list() == ["https://a.example"] * 2 + [None, "https://b.example", None]
    parts = pl.concat([FRAME["url"], FRAME["url"][1:3], FRAME["url"][:0]], rechunk=False)
    assert pl.DataFrame(columns.check(parts, BODIES, "*"))["allowed"].to_list() == ALLOWED + ALLOWED[1:3]
    for dtype in (pl.Categorical(), pl.Enum([url for url in URLS if url]), pl.Binary()):
        cast = FRAME["url"].cast(dtype)
        assert pl.DataFrame(columns.check(cast, BODIES, "*"))["allowed"].to_list() == ALLOWED


def test_polars_expressions_ask_by_map_batches() -> None:
    book = columns.Rulebook(BODIES, "*")
    asked = pl.col("url").map_batches(
        lambda urls: pl.Series(book.check(urls)),
        return_dtype=pl.Struct({"allowed": pl.Boolean, "reason": pl.String, "line": pl.Int64, "rule": pl.String}),
        is_elementwise=True,
    )
    lazy = FRAME.lazy().with_columns(asked.struct.unnest()).filter("allowed")
    assert lazy.select("nth", "reason").collect().rows() == [(1, "no-rule")]
    robots = pl.DataFrame({"id": [1, 2], "robots": [BODY, ""]})
    by_id = columns.Rulebook(robots, "FooBot", by="id")
    both = pl.struct("id", "url").map_batches(
        lambda rows: pl.Series(by_id.check(rows)).struct.field("allowed"), return_dtype=pl.Boolean
    )
    frame = pl.DataFrame({"id": [2, 1], "url": ["/x", "/x"]})
    assert frame.select(both.alias("allowed"))["allowed"].to_list() == [True, False]


def test_polars_scans_answers_as_a_stream() -> None:
    scanned = pl.scan_arrow_c_stream(columns.check(FRAME, BODIES, "*"))
    assert scanned.filter("allowed").collect()["nth"].to_list() == [1]


def test_duckdb_reads_answers_by_the_name_of_their_variable() -> None:
    with duckdb.connect() as connection:
        connection.execute("create table pages as select * from (values (1, 'https://a.example/a'), (2, null)) t(nth, url)")
        pages = connection.table("pages")
        answers = columns.check(pages, BODIES, ["BarBot", "FooBot"])
        query = 'select nth, FooBot.allowed, FooBot.line, BarBot.rule from answers order by nth'
        assert connection.sql(query).fetchall() == [(1, False, 5, "Disallow: /a"), (2, None, None, None)]
        assert connection.sql(query).fetchall() == [(1, False, 5, "Disallow: /a"), (2, None, None, None)]
        named = columns.authority(pages)
        assert connection.sql("select count(authority) from named").fetchall() == [(1,)]
        del answers, named


def test_duckdb_joins_by_authority() -> None:
    # pyarrow, which DuckDB has filter for it, filters no string views, and those are Polars' strings.
    named = columns.authority(FRAME.to_arrow(compat_level=pl.CompatLevel.oldest()))
    known = BODIES
    with duckdb.connect() as connection:
        joined = connection.sql("select nth from named join known using (authority) order by nth")
        assert joined.fetchall() == [(0,), (1,)]
    del named, known


def test_a_stream_longer_than_memory_goes_from_one_connection_to_another() -> None:
    with duckdb.connect() as one, duckdb.connect() as other:
        many = one.sql("select 'https://a.example/' || chr(97 + (range % 2)::int) || range as url from range(300000)")
        answers: Any = columns.check(many.to_arrow_reader(50_000), BODIES, "*")
        counted = other.sql("select allowed, count(*) from answers group by all order by all")
        assert counted.fetchall() == [(False, 150_000), (True, 150_000)]
        with pytest.raises((ValueError, duckdb.Error), match="has already been read"):
            other.sql("select count(*) from answers").fetchall()


def test_bodies_may_come_from_any_of_them() -> None:
    with duckdb.connect() as connection:
        relation = connection.sql("select 'https://a.example' as authority, 'User-agent: *\nDisallow: /' as robots")
        tables: list[Any] = [BODIES, BODIES.to_arrow(), relation, pa.RecordBatchReader.from_stream(BODIES)]
        for table in tables:
            answers = columns.check(FRAME["url"], table, "FooBot")
            assert pl.DataFrame(answers)["allowed"].to_list() == [False, False, None, None, None]


def test_a_rulebook_outlives_what_it_was_made_of() -> None:
    frame = pl.DataFrame({"authority": ["https://a.example"], "robots": [BODY]})
    book = columns.Rulebook(frame, verger.Crawler("gptbot"))
    answers = book.check(pl.Series(URLS))
    del frame, book
    assert pl.DataFrame(answers)["allowed"].to_list() == ALLOWED


def test_datafusion_gives_frames_and_reads_answers() -> None:
    context: Any = datafusion.SessionContext()
    context.from_pydict({"nth": list(range(5)), "url": URLS}, name="pages")
    answers = columns.check(context.sql("select * from pages"), BODIES, ["BarBot", "FooBot"])
    context.from_arrow(answers, name="answers")
    found = context.sql("select nth, \"FooBot\"['allowed'] as ok, \"BarBot\"['line'] as line from answers order by nth")
    assert found.to_pylist()[:2] == [{"nth": 0, "ok": False, "line": 2}, {"nth": 1, "ok": False, "line": None}]
    book = columns.Rulebook(BODIES, "*")

    def allowed(urls: Any) -> Any:
        return pa.table(book.check(urls))["allowed"].combine_chunks()

    context.register_udf(datafusion.udf(allowed, [pa.string()], pa.bool_(), "immutable", "allowed"))
    asked = context.sql("select allowed(url) as ok from pages order by nth").to_pylist()
    assert [row["ok"] for row in asked] == ALLOWED
