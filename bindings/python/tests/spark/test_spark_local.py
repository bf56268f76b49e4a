"""`verger.spark` in `local[2]`: its answers are those of `verger.columns`, whichever way bodies come to URLs."""

from __future__ import annotations

import datetime
import decimal
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sessions import as_table, bodies_of_hosts, counted, differing, f, frame_of, pa, row_count, session, settings, urls_of_hosts
from test_cases import OPTIONS, SENT, data, tables
from test_readme import statements_checked
from warcs import record, reply, write

import verger
from verger import columns
from verger import spark as verger_spark
from verger.spark._sizes import BESIDE_BODY

STRATEGIES: tuple[Any, ...] = ("broadcast", "join")
BODY = "User-agent: *\nDisallow: /a\n\nUser-agent: FooBot\nDisallow: /\n"


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    made = session("local[2]", tmp_path_factory.mktemp("warehouse"))
    yield made
    made.stop()


def small(spark: Any) -> tuple[Any, Any]:
    bodies = spark.createDataFrame([("https://a.example", BODY)], "authority string, robots string")
    urls = ["https://a.example/a", "https://A.example:443/b", None, "https://b.example/", "no"]
    return spark.createDataFrame(list(enumerate(urls)), "id bigint, url string"), bodies


SMALL_ANSWERS = [False, True, None, None, None]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_million_urls_have_the_answers_of_columns(spark: Any, tmp_path: Path, strategy: Any) -> None:
    rows = row_count()
    urls, bodies = urls_of_hosts(spark, rows), bodies_of_hosts()
    outcomes = verger_spark.Outcomes()
    answers = verger_spark.check(urls, frame_of(spark, bodies), "FooBot", strategy=strategy, outcomes=outcomes)
    found = as_table(answers, tmp_path / "answers")
    wanted = pa.table(columns.check(as_table(urls, tmp_path / "urls"), bodies, "FooBot"))
    assert found.num_rows == rows
    assert found.column_names == wanted.column_names == ["id", "url", "allowed", "reason", "line", "rule"]
    assert differing(found, wanted) == []
    stated = counted(wanted)
    assert set(stated) == {"allowed", "disallowed", "no-url", "not-a-url", "no-body"}
    assert outcomes.counts == {"FooBot": stated}
    # A second action counts anew, not on top.
    assert answers.where("not allowed").count() == stated["disallowed"]
    assert outcomes.counts == {"FooBot": stated}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_case_is_answered_as_stated(spark: Any, strategy: Any) -> None:
    cases = tables()["case"]
    # Two dozen checks of a few rows each.
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    robots = spark.createDataFrame(
        [(nth, data(case["robots_base64"])) for nth, case in enumerate(cases)], "case bigint, robots binary"
    ).coalesce(1).cache()
    asks: dict[tuple[str, str], dict[tuple[str, ...], list[tuple[int, bytes, str]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for number, case in enumerate(cases):
        for ask in case["asks"]:
            is_sent = SENT.fullmatch(data(ask["url_base64"])) is not None
            for dialect, words in ask["verdicts"].items():
                # In google, columns are about what is sent, and cases about any text.
                if not is_sent and dialect == "google":
                    continue
                of_agents = asks[dialect, case["option"] or ""][tuple(ask["agents"])]
                of_agents.append((number, data(ask["url_base64"]), words))
    asked = 0
    for (dialect, option), by_agents in asks.items():
        options = [OPTIONS[option]] if option else []
        for agents_together in together(by_agents, dialect):
            rows = [
                (nth, number, url)
                for nth, agents in enumerate(agents_together)
                for number, url, _ in by_agents[agents]
            ]
            urls = spark.createDataFrame(rows, "nth int, case bigint, url binary").coalesce(1)
            answers = verger_spark.check(
                urls, robots, agents_together, by="case", dialect=dialect, options=options, strategy=strategy, quiet=True
            )
            found = {(row[0], row[1], bytes(row[2])): row[3:] for row in answers.collect()}
            for nth, agents in enumerate(agents_together):
                for number, url, words in by_agents[agents]:
                    answer = found[nth, number, bytes(url)][nth]
                    effect = {True: "allow", False: "disallow", None: "error"}[answer["allowed"]]
                    got = effect if effect == "error" else f"{effect} {answer['line'] or answer['reason']}"
                    assert got == words, (dialect, option, agents, number, url)
                    asked += 1
    spark.conf.set("spark.sql.shuffle.partitions", "4")
    assert asked > 1000


def together(by_agents: Any, dialect: Any) -> Iterator[list[Any]]:
    """Lists of crawlers that can be asked about at once: their columns have names that Spark tells apart."""
    rest: list[Any] = []
    for agents in by_agents:
        try:
            verger.parse("", dialect).policy(list(agents))
        except ValueError:
            assert {words for _, _, words in by_agents[agents]} == {"error"}, (dialect, agents)
        else:
            rest.append(agents)
    taken = {"nth", "case", "url"}
    while rest:
        names = set(taken)
        now: list[Any] = []
        later: list[Any] = []
        for agents in rest:
            name = ", ".join(agents).lower()
            (later if name in names else now).append(agents)
            names.add(name)
        if not now:
            pytest.fail(f"no column can have the name of {rest}")
        yield now
        rest = later


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_crawlers_dialects_and_names_are_those_of_columns(spark: Any, strategy: Any) -> None:
    urls, bodies = small(spark)
    crawlers: list[Any] = ["FooBot", verger.Crawler("gptbot"), ["NewsBot", "FooBot"]]
    answers = verger_spark.check(
        urls.withColumnRenamed("url", "page of it"),
        bodies.withColumnRenamed("authority", "site"),
        crawlers,
        url="page of it",
        authority="site",
        dialect=verger.Dialect.GOOGLE,
        strategy=strategy,
    )
    assert answers.columns == ["id", "page of it", "FooBot", "gptbot", "NewsBot, FooBot"]
    first = answers.orderBy("id").collect()[:2]
    assert [[answer["allowed"] for answer in row[2:]] for row in first] == [[False, False, False], [False, True, False]]
    assert first[0]["FooBot"]["rule"] == "Disallow: /"


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_other_columns_pass_unchanged(spark: Any, strategy: Any) -> None:
    now = datetime.datetime(2024, 2, 29, 23, 59, 59, 999_999)
    row = (2**53 + 1, None, "https://a.example/a", decimal.Decimal("1.10"), now, [1, None], {"a": 1}, (b"\xff", None))
    row_type = (
        "id bigint, nothing bigint, url string, price decimal(9,2), at timestamp, list array<int>, map map<string,int>, "
        "inner struct<x: binary, y: string>"
    )
    none = (None,) * 8
    urls = spark.createDataFrame([row, none], row_type)
    found = verger_spark.check(urls, small(spark)[1], "*", strategy=strategy).collect()
    found.sort(key=lambda it: it["id"] is None)
    assert tuple(found[0][:7]) == row[:7]
    assert (bytes(found[0]["inner"]["x"]), found[0]["inner"]["y"]) == (b"\xff", None)
    assert tuple(found[0][8:]) == (False, "rule", 2, "Disallow: /a")
    assert tuple(found[1]) == (*none, None, "no-url", None, None)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_other_columns_may_have_names_that_spark_takes_for_something_else(spark: Any, strategy: Any) -> None:
    urls, bodies = small(spark)
    names = ["a.b", "a`b", "ID", "verger_key", "verger_spread", "verger_0"]
    urls = urls.select("id", *(f.lit(nth).alias(name) for nth, name in enumerate(names)), "url")
    answers = verger_spark.check(urls, bodies, "*", strategy=strategy, salt=2)
    assert answers.columns[:8] == ["id", *names, "url"]
    found: list[list[Any]] = sorted([row[nth] for nth in range(9)] for row in answers.collect())
    assert [row[:7] for row in found] == [[nth, *range(6)] for nth in range(5)]
    assert [row[8] for row in found] == SMALL_ANSWERS
    by = small(spark)[0].select(f.col("id").alias("verger_key"), "url", f.lit(1).alias("verger_spread"))
    robots = spark.createDataFrame([(0, BODY)], "verger_key int, robots string")
    answers = verger_spark.check(by, robots, "*", by="verger_key", strategy=strategy, salt=2)
    reasons = {row[0]: row["reason"] for row in answers.collect()}
    assert reasons == {0: "rule", 1: "no-body", 2: "no-url", 3: "no-body", 4: "not-a-url"}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_rows_give_no_rows_and_no_bodies_no_answers(spark: Any, strategy: Any) -> None:
    urls, bodies = small(spark)
    assert verger_spark.check(urls.limit(0), bodies, "*", strategy=strategy).collect() == []
    nulls = spark.createDataFrame([(None, BODY), ("https://a.example", None)], bodies.schema)
    for none in (bodies.limit(0), nulls):
        found = verger_spark.check(urls, none, "*", strategy=strategy).orderBy("id").collect()
        assert [row["reason"] for row in found] == ["no-body", "no-body", "no-url", "no-body", "not-a-url"]


def test_ids_of_text_and_of_any_integers_find_their_bodies(spark: Any) -> None:
    robots = spark.createDataFrame([(1, BODY), (-2, "")], "id smallint, robots string")
    urls = spark.createDataFrame([(1, "/a"), (-2, "/a"), (3, "/a"), (None, "/a")], "id bigint, url string")
    for strategy in STRATEGIES:
        found = verger_spark.check(urls, robots, "*", by="id", strategy=strategy).collect()
        assert {row["id"]: row["allowed"] for row in found} == {1: False, -2: True, 3: None, None: None}
        as_text: list[Any] = [it.withColumn("id", f.col("id").cast("string").cast(to)) for it, to in ((urls, "binary"), (robots, "string"))]
        found = verger_spark.check(as_text[0], as_text[1], "*", by="id", strategy=strategy).collect()
        by_id = {row["id"] and bytes(row["id"]): row["allowed"] for row in found}
        assert by_id == {b"1": False, b"-2": True, b"3": None, None: None}


def test_a_giant_is_divided_over_partitions(spark: Any) -> None:
    urls, bodies = urls_of_hosts(spark, 200_000), frame_of(spark, bodies_of_hosts())
    is_giant = f.col("url").startswith("https://host-0.example/")

    def partitions(**given: Any) -> tuple[int, verger_spark.Plan]:
        outcomes = verger_spark.Outcomes()
        answers = verger_spark.check(urls, bodies, "*", strategy="join", outcomes=outcomes, **given)
        used = answers.where(is_giant).select(f.spark_partition_id().alias("nth")).distinct().count()
        assert outcomes.plan is not None
        return used, outcomes.plan

    used, plan = partitions()
    assert used > 1 and plan.salted == 1 and plan.partitions == 4
    assert plan.salts in range(9, 12)
    assert f"1 of 4,096 buckets salted, in up to {plan.salts} parts" in str(plan)
    assert partitions(salt=1)[0] == 1
    assert 1 < partitions(salt=8)[0] <= 4


# Adaptive execution that merges all that it can, and one that divides all that it may.
MERGED = {"spark.sql.adaptive.advisoryPartitionSizeInBytes": "1g", "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false"}
DIVIDED = {
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "1k",
    "spark.sql.adaptive.coalescePartitions.minPartitionSize": "1",
    "spark.sql.adaptive.forceOptimizeSkewedJoin": "true",
    "spark.sql.adaptive.skewJoin.skewedPartitionFactor": "1",
    "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes": "1",
}


@pytest.mark.parametrize(
    ("adaptive", "partitions", "others"),
    [("false", 1, {}), ("false", 64, {}), ("true", 1, DIVIDED), ("true", 64, MERGED), ("true", 64, DIVIDED)],
)
def test_answers_do_not_depend_on_partitions(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, adaptive: str, partitions: int, others: Any
) -> None:
    # A partition has many groups of bodies.
    monkeypatch.setattr("verger.spark._join.GROUP_BYTES", 2000)
    urls, bodies = urls_of_hosts(spark, 20_000), bodies_of_hosts()
    wanted = pa.table(columns.check(as_table(urls, tmp_path / "urls"), bodies, "FooBot"))
    given = {
        "spark.sql.adaptive.enabled": adaptive,
        "spark.sql.shuffle.partitions": str(partitions),
        "spark.sql.execution.arrow.maxRecordsPerBatch": "700",
        **others,
    }
    with settings(spark, given):
        answers = verger_spark.check(urls, frame_of(spark, bodies), "FooBot", strategy="join", quiet=True)
        found = as_table(answers.withColumn("partition", f.spark_partition_id()), tmp_path / "answers")
    used = len(found["partition"].unique())
    assert used == 1 if partitions == 1 or others is MERGED else used > 30
    assert differing(found, wanted) == []


def test_the_plan_follows_from_the_size_of_the_bodies(spark: Any, capsys: pytest.CaptureFixture[str]) -> None:
    urls, bodies = small(spark)
    size = len(BODY)
    # An empty body has a key, too, which a worker has to hold.
    held = size + BESIDE_BODY
    for limit, strategy in ((held, "broadcast"), (held - 1, "join")):
        outcomes = verger_spark.Outcomes()
        found = verger_spark.check(urls, bodies, "*", broadcast_bytes=limit, outcomes=outcomes)
        assert [row["allowed"] for row in found.orderBy("id").collect()] == SMALL_ANSWERS
        assert outcomes.plan is not None and outcomes.plan.strategy == strategy
        assert (outcomes.plan.bodies, outcomes.plan.body_bytes) == (1, size)
        assert capsys.readouterr().err.strip() == str(outcomes.plan)
    verger_spark.check(urls, bodies, "*", quiet=True)
    assert capsys.readouterr().err == ""


def test_what_is_wrong_is_said_before_the_job(spark: Any) -> None:
    urls, bodies = small(spark)
    number = f.lit(1)

    def refused(error: type[Exception], words: str, *given: Any, **named: Any) -> None:
        with pytest.raises(error, match=words):
            verger_spark.check(*given, **named)

    refused(TypeError, "column `url` of the URLs has type int: exp", urls.withColumn("url", number), bodies, "*")
    refused(TypeError, "`robots` of the bodies has type int", urls, bodies.withColumn("robots", number), "*")
    refused(TypeError, "`authority` of the bodies has type int", urls, bodies.withColumn("authority", number), "*")
    refused(TypeError, "`id` has integers in the URLs but text in the bodies", urls, bodies.withColumnRenamed("authority", "id"), "*", by="id")
    refused(TypeError, "`url` of the URLs has type array<", urls.select(f.array("url").alias("url")), bodies, "*")
    refused(TypeError, "urls has type list", [], bodies, "*")
    refused(ValueError, "no column `page`: the columns are `id`, `url`", urls, bodies, "*", url="page")
    refused(ValueError, "the bodies have no column `site`", urls, bodies, "*", authority="site")
    refused(ValueError, "several columns `url`", urls.select("url", "url"), bodies, "*")
    refused(ValueError, "several columns `id`: rename", urls.select("id", "id", "url"), bodies, "*")
    refused(ValueError, "already have a column `allowed`", urls.withColumn("Allowed", number), bodies, "*")
    refused(ValueError, "already have a column `ID`", urls, bodies, ["ID"])
    refused(ValueError, "unknown strategy `fast`", urls, bodies, "*", strategy="fast")
    refused(ValueError, "salt is 0", urls, bodies, "*", salt=0)
    refused(ValueError, "salt is 2.5: expected a whole number", urls, bodies, "*", salt=2.5)
    refused(ValueError, "salt is True: expected a whole number", urls, bodies, "*", salt=True)
    refused(ValueError, "broadcast_bytes is -1: expected 0 or more bytes", urls, bodies, "*", broadcast_bytes=-1)
    refused(ValueError, "koster", urls, bodies, "*", dialect="koster")
    refused(ValueError, "crawlers is empty", urls, bodies, [])
    refused(verger.ProductTokenError, "Foo", urls, bodies, "Foo/1.0")
    for strategy in STRATEGIES:
        page = spark.createDataFrame([("https://a.example/page", "")], bodies.schema)
        refused(ValueError, "bodies: column `authority`: .*a.example/page", urls, bodies.union(page), "*", strategy=strategy)
        twice = bodies.union(spark.createDataFrame([("https://a.example:443/", "")], bodies.schema))
        refused(ValueError, "`https://a.example` in several rows", urls, twice, "*", strategy=strategy)
        same = verger_spark.check(urls, bodies.union(bodies), "*", strategy=strategy).orderBy("id")
        assert [row["allowed"] for row in same.collect()] == SMALL_ANSWERS


def test_outcomes_are_of_one_check_and_stand_on_the_page(spark: Any) -> None:
    urls, bodies = small(spark)
    outcomes = verger_spark.Outcomes()
    assert outcomes.counts == {} and outcomes.plan is None
    answers = verger_spark.check(urls, bodies, ["FooBot", "*"], outcomes=outcomes)
    with pytest.raises(ValueError, match="another check"):
        verger_spark.check(urls, bodies, "*", outcomes=outcomes)
    answers.collect()
    unknown = {"no-body": 1, "no-url": 1, "not-a-url": 1}
    assert outcomes.counts == {"FooBot": {"disallowed": 2, **unknown}, "*": {"allowed": 1, "disallowed": 1, **unknown}}
    spark.sparkContext.setJobDescription("what the user says")
    text = outcomes.post()
    assert text.startswith("verger.spark: FooBot: disallowed 2, no-body 1, no-url 1, not-a-url 1; *: allowed 1")
    assert spark.sparkContext.getLocalProperty("spark.job.description") == "what the user says"
    spark.sparkContext.setLocalProperty("spark.job.description", None)
    jobs = spark.sparkContext._jsc.sc().statusStore().jobsList(None)
    assert f"Some({text})" in {jobs.apply(nth).description().toString() for nth in range(jobs.size())}


def test_classes_are_those_of_columns(spark: Any, tmp_path: Path) -> None:
    bodies = [f"User-agent: *\nDisallow: /{nth % 3 or ''}\n" for nth in range(300)]
    frame = spark.createDataFrame([*enumerate(bodies), (300, None)], "id bigint, body string").repartition(3)
    table = as_table(frame, tmp_path / "bodies")
    given: tuple[Any, ...] = ("GPTBot", ["GPTBot", verger.Crawler("ccbot")])
    found: Any = None
    for crawlers in given:
        found = as_table(verger_spark.classes(frame, crawlers, robots="body"), tmp_path / "classes")
        wanted = pa.table(columns.classes(table, crawlers, robots="body"))
        assert found.column_names == wanted.column_names
        assert found.to_pylist() == wanted.to_pylist()
    words = found["GPTBot"].combine_chunks().field("disallowed").to_pylist()
    assert words == ["everything", "some", "some"] * 100 + [None]
    assert verger_spark.classes(frame.limit(0), "*", robots="body").collect() == []
    for error, words, named in (
        (TypeError, "`id` of the bodies has type bigint", {"robots": "id"}),
        (ValueError, "no column `robots`: the columns are `id`, `body`", {}),
        (ValueError, "koster", {"robots": "body", "dialect": "koster"}),
    ):
        with pytest.raises(error, match=words):
            verger_spark.classes(frame, "*", **named)
    with pytest.raises(ValueError, match="already have a column `states`"):
        verger_spark.classes(frame.withColumn("States", f.lit(1)), "*", robots="body")


def test_every_line_of_the_guide_does_what_it_says(spark: Any) -> None:
    assert spark is not None
    guide = Path(__file__).resolve().parents[4] / "docs" / "guide" / "spark.md"
    assert statements_checked(guide) >= 7


def test_captures_of_many_files_are_those_of_each(spark: Any, tmp_path: Path) -> None:
    paths: list[str] = []
    for nth in range(5):
        records = [
            record(f"h{nth}.example", reply(f"User-agent: *\nDisallow: /{nth}\n")),
            record(f"absent-{nth}.example", reply("", "404 Not Found")),
        ]
        paths.append(str(write(tmp_path / f"{nth}.warc.gz", records)))
    given = [*paths[:4], f"file://{paths[4]}"]
    found = verger_spark.captures(spark, given)
    assert found.rdd.getNumPartitions() == 5
    table = as_table(found.drop("time"), tmp_path / "captures", "authority")
    wanted = pa.concat_tables([pa.table(columns.captures(path)) for path in paths]).sort_by("authority")
    times = found.orderBy("authority").select(f.expr("unix_micros(time)")).collect()
    assert [row[0] for row in times] == wanted["time"].cast(pa.timestamp("us", "UTC")).cast(pa.int64()).to_pylist()
    rows: list[dict[str, Any]] = wanted.drop(["time"]).to_pylist()
    named = [{**row, "file": given[4] if row["file"] == paths[4] else row["file"]} for row in rows]
    assert table.to_pylist() == named
    bodies = found.where("body is not null").withColumnRenamed("body", "robots")
    urls = spark.createDataFrame([("https://h3.example/3",), ("https://h3.example/4",)], "url string")
    answers = verger_spark.check(urls, bodies, "*").orderBy("url").collect()
    assert [row["allowed"] for row in answers] == [False, True]
    assert verger_spark.captures(spark, []).collect() == []
    assert verger_spark.captures(spark, [tmp_path / "0.warc.gz"]).count() == 2
    ones: list[Any] = [paths[0], tmp_path / "0.warc.gz"]
    for one in ones:
        with pytest.raises(TypeError, match="paths is a single path"):
            verger_spark.captures(spark, one)
    with pytest.raises(Exception, match="absent.warc"):
        verger_spark.captures(spark, [str(tmp_path / "absent.warc")]).collect()
