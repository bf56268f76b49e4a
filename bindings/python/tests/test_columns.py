"""Columns of answers are what the policies answer, in whichever layout the URLs come."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from arrow import Row, pa, rows, values
from hypothesis import given, settings
from hypothesis import strategies as st
from test_cases import OPTIONS, SENT, data, tables
from test_parallel import runs_beside_at_last

import verger
from verger import access, columns

BODY = "User-agent: *\nDisallow: /a\nAllow: /a/b\n\nUser-agent: FooBot\nDisallow: /*.pdf$\n"
ROBOTS = verger.parse(BODY)
HOST = "https://h.example"


def bodies(**by_authority: str) -> Any:
    names = [f"https://{name}.example" for name in by_authority]
    return pa.table({"authority": names, "robots": list(by_authority.values())})


def expected(policy: verger.Policy, url: Any) -> Row:
    """The answer of a policy, in the words of the columns."""
    if url is None:
        return {"allowed": None, "reason": "no-url", "line": None, "rule": None}
    try:
        verdict = policy.verdict(url)
    except verger.TargetError:
        return {"allowed": None, "reason": "not-a-url", "line": None, "rule": None}
    rule = str(verdict.rule) if verdict.rule else None
    return {"allowed": verdict.allowed, "reason": verdict.reason, "line": verdict.line, "rule": rule}


Group = tuple[str, str, tuple[str, ...]]


def test_every_case_is_answered_as_stated() -> None:
    groups: dict[Group, list[tuple[int, bytes, str]]] = defaultdict(list)
    cases = tables()["case"]
    for number, case in enumerate(cases):
        for ask in case["asks"]:
            url = data(ask["url_base64"])
            is_sent = SENT.fullmatch(url) is not None
            for dialect, words in ask["verdicts"].items():
                # In google, columns are about what is sent, and cases about any text.
                if is_sent or dialect != "google":
                    group = (dialect, case["option"] or "", tuple(ask["agents"]))
                    groups[group].append((number, url, words))
    robots = pa.table({"case": range(len(cases)), "robots": [data(it["robots_base64"]) for it in cases]})
    asked = 0
    for (dialect, option, agents), asks in groups.items():
        options = [OPTIONS[option]] if option else []
        urls = pa.table({"url": [ask[1] for ask in asks], "case": [ask[0] for ask in asks]})
        try:
            answers = columns.check(
                urls, robots, [agents], by="case", dialect=dialect, options=options
            )
        except ValueError:
            assert {ask[2] for ask in asks} == {"error"}, (dialect, option, agents)
            continue
        for ask, row in zip(asks, rows(answers), strict=True):
            *_, answer = row.values()
            effect = {True: "allow", False: "disallow", None: "error"}[answer["allowed"]]
            words = effect if effect == "error" else f"{effect} {answer['line'] or answer['reason']}"
            assert words == ask[2], (dialect, option, agents, ask)
            asked += 1
    assert asked > 1000


PATHS = st.lists(st.sampled_from(["/", "a", "b", "*", "$", ".pdf", "%61", "ü", "?q"]), max_size=5).map("".join)
RULES = st.lists(st.tuples(st.sampled_from(["Allow", "Disallow"]), PATHS), max_size=4)
BODIES = RULES.map(lambda rules: "User-agent: *\n" + "\n".join(f"{key}: /{path}" for key, path in rules))
HOSTS = ["https://a.example", "HTTPS://B.example:443", "http://c.example:81", "http://b.example", "no", ""]
URLS = st.one_of(st.none(), st.tuples(st.sampled_from(HOSTS), PATHS).map(lambda it: f"{it[0]}/{it[1]}"))
NAMES = ["https://a.example", "https://b.example", "http://c.example:81"]


def dictionary(urls: list[Any]) -> Any:
    return pa.array(urls, pa.string()).dictionary_encode()


LAYOUTS: list[Callable[[list[Any]], Any]] = [
    lambda urls: pa.array(urls, pa.string()),
    lambda urls: pa.array(urls, pa.large_string()),
    lambda urls: pa.array(urls, pa.string_view()),
    lambda urls: pa.array(urls, pa.string()).cast(pa.binary()),
    lambda urls: pa.array(urls, pa.string()).cast(pa.large_binary()),
    lambda urls: pa.array(urls, pa.string()).cast(pa.binary()).cast(pa.binary_view()),
    dictionary,
    lambda urls: pa.array(["x", None, *urls, "y"], pa.string()).slice(2, len(urls)),
    lambda urls: pa.array([None, *urls], pa.string_view()).slice(1),
    lambda urls: dictionary(["x", "y", *urls]).slice(2),
    lambda urls: pa.chunked_array([pa.array(urls[:2], pa.string()), pa.array(urls[2:], pa.string())]),
    lambda urls: pa.chunked_array([dictionary(urls[:1]), dictionary(urls[1:])]),
]


@settings(max_examples=300, deadline=None)
@given(st.lists(BODIES, min_size=3, max_size=3), st.lists(URLS, max_size=8), st.sampled_from(LAYOUTS))
def test_columns_are_what_the_policies_answer(texts: list[str], urls: list[Any], layout: Any) -> None:
    table = pa.table({"authority": NAMES, "robots": texts})
    crawlers = ["*", "FooBot"]
    book = columns.Rulebook(table, crawlers, cache_bytes=4096)
    by_name = dict(zip(NAMES, texts, strict=True))

    def answer(url: str | None, crawler: str) -> Row:
        unknown: Row = {"allowed": None, "line": None, "rule": None}
        if url is None:
            return {**unknown, "reason": "no-url"}
        try:
            text = by_name.get(access.authority(url))
        except access.AuthorityError:
            return {**unknown, "reason": "not-a-url"}
        if text is None:
            return {**unknown, "reason": "no-body"}
        return expected(verger.parse(text).policy(crawler), url)

    wanted = [{crawler: answer(url, crawler) for crawler in crawlers} for url in urls]
    column = layout(urls)
    assert rows(book.check(column)) == wanted
    assert rows(book.check(pa.table({"url": column}))) == [
        {"url": value, **row} for value, row in zip(column.to_pylist(), wanted, strict=True)
    ]
    one = columns.check(column, table, "FooBot")
    assert rows(one) == [row["FooBot"] for row in wanted]


def test_one_file_applies_to_all_urls() -> None:
    policy = ROBOTS.policy("FooBot")
    urls = ["/a", "/x.pdf", "https://any.example/x.pdf", "no URL", None]
    answers = columns.check(pa.array(urls), ROBOTS, "FooBot")
    assert rows(answers) == [expected(policy, url) for url in urls]
    assert repr(answers) == "<Columns allowed, reason, line, rule>"
    google = verger.parse("Disalow: /\nuser-agent: *\ndisalow: /", "google")
    answers = columns.check(pa.array(["/no%20URL", "no URL"]), google, "any text")
    assert [row["line"] for row in rows(answers)] == [3, None]


def test_bodies_are_found_by_authority_in_any_spelling() -> None:
    table = pa.table(
        {
            "authority": ["HTTPS://H.example:443/", "https://h.example/robots.txt", None, "http://n.example"],
            "robots": ["User-agent: *\nAllow: /", BODY, BODY, None],
        }
    )
    urls = [f"{HOST}/a", "https://u:p@H.EXAMPLE/a", "http://h.example/a", "http://n.example/a"]
    found = rows(columns.check(pa.array(urls), table, "*"))
    assert [row["allowed"] for row in found] == [False, False, None, None]
    assert {row["reason"] for row in found} == {"rule", "no-body"}


@pytest.mark.parametrize("robots_type", ["string", "large_string", "string_view", "binary"])
def test_bodies_are_found_by_id(robots_type: str) -> None:
    texts = pa.array([BODY, "User-agent: *\nDisallow: /", None]).cast(getattr(pa, robots_type)())
    paths = pa.array(["/a", "/a/b", "/c", "/a", "/a"])
    ids: list[tuple[Any, Any]] = [
        (pa.array([7, 8, 9], pa.int64()), pa.array([7, 7, 8, 9, None], pa.uint8())),
        (pa.array([-1, 8, 9], pa.int16()), pa.array([-1, -1, 8, 9, None], pa.int32())),
        (pa.array(["x", "y", "z"]), pa.array([b"x", b"x", b"y", b"z", None], pa.binary(1))),
        (pa.array(["x", "y", "z"]), dictionary(["x", "x", "y", "z", None])),
    ]
    for of_bodies, of_urls in ids:
        table = pa.table({"id": of_bodies, "robots": texts})
        urls = pa.table({"id": of_urls, "url": paths})
        found = rows(columns.check(urls, table, "*", by="id"))
        assert [row["allowed"] for row in found] == [False, True, False, None, None]
        assert [row["id"] for row in found] == of_urls.to_pylist()


def test_nulls_are_unknown() -> None:
    table = bodies(h=BODY)
    assert [row["reason"] for row in rows(columns.check(pa.nulls(2), table, "*"))] == ["no-url"] * 2
    urls = pa.table({"url": [f"{HOST}/a"], "id": pa.nulls(1)})
    by_id = pa.table({"id": [1], "robots": [BODY]})
    assert rows(columns.check(urls, by_id, "*", by="id"))[0]["reason"] == "no-body"
    mask = pa.array([False, True, False])
    structs = pa.StructArray.from_arrays([pa.array([f"{HOST}/a"] * 3)], ["url"], mask=mask)
    found = rows(columns.check(structs, table, "*"))
    assert [row["url"] for row in found] == [f"{HOST}/a", None, f"{HOST}/a"]
    assert [row["allowed"] for row in found] == [False, None, False]


def test_no_rows_give_no_rows() -> None:
    table = bodies(h=BODY)
    schema = pa.schema([("url", pa.string())])
    for urls in (
        pa.array([], pa.string()),
        pa.chunked_array([], pa.string()),
        dictionary([]),
        schema.empty_table(),
        pa.RecordBatchReader.from_batches(schema, []),
    ):
        answers = pa.table(columns.check(urls, table, ["*", "FooBot"]))
        assert answers.num_rows == 0
        assert answers.schema.names[-2:] == ["*", "FooBot"]
    assert rows(columns.check(pa.array([f"{HOST}/a"]), table.slice(1), "*"))[0]["reason"] == "no-body"
    assert values(columns.authority(pa.array([], pa.string()))) == []


def test_a_table_keeps_its_columns_row_by_row_however_long_its_batches_are() -> None:
    count = 150_000
    paths = pa.array([f"{HOST}/{'a' if nth % 3 else 'c'}" for nth in range(count)])
    table = pa.table({"nth": range(count), "list": [[1]] * count, "url": paths}, metadata={"key": "value"})
    assert table["url"].num_chunks == 1
    answers = pa.table(columns.check(table.slice(1), bodies(h=BODY), "*"))
    assert answers.schema.names == ["nth", "list", "url", "allowed", "reason", "line", "rule"]
    assert answers.schema.metadata == {b"key": b"value"}
    assert answers.select(["nth", "list", "url"]).equals(table.slice(1))
    assert answers["allowed"].to_pylist() == [nth % 3 == 0 for nth in range(1, count)]
    assert answers["url"].num_chunks > 1


def reader(batches: Any) -> Any:
    return pa.RecordBatchReader.from_batches(pa.schema([("url", pa.string())]), batches)


def test_a_stream_is_answered_batch_by_batch() -> None:
    given: list[int] = []

    def batches() -> Any:
        for nth in range(1000):
            given.append(nth)
            yield pa.record_batch({"url": [f"{HOST}/a", f"{HOST}/{nth}"]})

    answers = pa.RecordBatchReader.from_stream(columns.check(reader(batches()), bodies(h=BODY), "*"))
    assert len(given) <= 1
    for nth, batch in zip(range(10), answers, strict=False):
        assert batch["allowed"].to_pylist() == [False, True]
        assert len(given) <= nth + 2
    del answers
    assert len(given) <= 11


def test_what_can_be_read_once_says_so_and_the_rest_is_read_again() -> None:
    book = columns.Rulebook(bodies(h=BODY), "*")
    batch = pa.record_batch({"url": [f"{HOST}/a"]})
    once = book.check(reader([batch]))
    assert pa.table(once).num_rows == 1
    with pytest.raises(ValueError, match="has already been read"):
        once.__arrow_c_stream__()
    with pytest.raises(ValueError, match="has already been read"):
        once.read_all()
    for again in (
        book.check(reader([batch])).read_all(),
        book.check(batch),
        book.check(pa.table({"url": [f"{HOST}/a"]})),
        book.check(pa.chunked_array([[f"{HOST}/a"]])),
    ):
        assert [pa.table(again).num_rows for _ in range(2)] == [1, 1]
        assert again.read_all().read_all().__arrow_c_stream__() is not None


def test_a_stream_that_fails_says_why() -> None:
    def batches() -> Any:
        yield pa.record_batch({"url": [f"{HOST}/a"]})
        raise OSError("the disk is gone\0really")

    book = columns.Rulebook(bodies(h=BODY), "*")
    answers = pa.RecordBatchReader.from_stream(book.check(reader(batches())))
    assert answers.read_next_batch().num_rows == 1
    for _ in range(2):
        with pytest.raises(ValueError, match="the disk is gone"):
            answers.read_next_batch()
    with pytest.raises(ValueError, match="the disk is gone"):
        book.check(reader(batches())).read_all()
    first = bodies(h=BODY).to_batches()[0]

    def robots() -> Any:
        yield first
        raise OSError("the disk is gone")

    with pytest.raises(ValueError, match="bodies: .*the disk is gone"):
        columns.Rulebook(pa.RecordBatchReader.from_batches(first.schema, robots()), "*")


def test_long_rules_are_cut_and_broken_ones_replaced() -> None:
    long = "é" * 300
    robots = verger.parse(f"User-agent: *\nDisallow: /{long}\nDisallow: /b".encode() + b"\xff")
    found = rows(columns.check(pa.array([f"/{long}", b"/b\xff".decode("latin-1")]), robots, "*"))
    rule = found[0]["rule"]
    assert len(rule.encode()) == 258
    assert rule == f"Disallow: /{'é' * 122}…"[: len(rule)]
    by_bytes = rows(columns.check(pa.array([b"/b\xff"]), robots, "*"))
    assert by_bytes[0]["rule"] == "Disallow: /b\ufffd"


def test_authorities_are_those_of_each_url() -> None:
    urls = [*(f"{host}/x" for host in HOSTS), None, "https://exämple.com/", "mailto:a@b", "http://127.1", "//h"]

    def authority(url: str | None) -> str | None:
        try:
            return None if url is None else access.authority(url)
        except access.AuthorityError:
            return None

    wanted = [authority(url) for url in urls]
    assert "https://xn--exmple-cua.com" in wanted
    for layout in LAYOUTS:
        assert values(columns.authority(layout(urls))) == wanted
    table = pa.table({"page": urls, "nth": range(len(urls))})
    assert verger.authority("https://H.example:443/x") == "https://h.example"
    found = pa.table(columns.authority(table, url="page"))
    assert found.schema.names == ["page", "nth", "authority"]
    assert found["authority"].to_pylist() == wanted


def test_crawlers_are_named_as_elsewhere() -> None:
    url = pa.array(["/x.pdf"])
    several: list[Any] = ["FooBot", verger.ProductToken("BarBot"), verger.Crawler("gptbot"), ["NewsBot", "FooBot"]]
    answers = pa.table(columns.check(url, ROBOTS, several))
    assert answers.schema.names[:3] == ["FooBot", "BarBot", "gptbot"]
    found = answers.to_pylist()[0].values()
    assert [answer["allowed"] for answer in found] == [False, True, True, False]
    for one in several[:3]:
        assert rows(columns.check(url, ROBOTS, one)) == rows(columns.check(url, ROBOTS, one))
        assert pa.table(columns.check(url, ROBOTS, one)).schema.names[0] == "allowed"
    with pytest.raises(verger.ProductTokenError):
        columns.Rulebook(ROBOTS, "Foo/1.0")
    with pytest.raises(ValueError, match="crawlers is empty"):
        columns.Rulebook(ROBOTS, [])
    with pytest.raises(ValueError, match="two crawlers have the name `FooBot`"):
        columns.Rulebook(ROBOTS, ["FooBot", "FooBot"])
    book = columns.Rulebook(bodies(h=BODY), ["FooBot", "BarBot"], dialect="google")
    assert repr(book) == "<Rulebook google, bodies: 1, crawlers: FooBot, BarBot>"


def test_sixteen_threads_share_a_rulebook_of_which_little_is_kept() -> None:
    hosts = 60
    texts = {f"h{nth}": f"User-agent: *\nDisallow: /{nth}\n" for nth in range(hosts)}
    urls = pa.array([f"https://h{nth % hosts}.example/{nth % 7}" for nth in range(5000)])
    wanted = [not str(nth % 7).startswith(str(nth % hosts)) for nth in range(5000)]
    for cache_bytes in (0, 20_000, 1 << 20):
        book = columns.Rulebook(bodies(**texts), "*", cache_bytes=cache_bytes)
        start = threading.Barrier(16)

        def ask(_thread: int, book: columns.Rulebook = book, start: threading.Barrier = start) -> bool:
            start.wait()
            return [row["allowed"] for row in rows(book.check(urls))] == wanted

        with ThreadPoolExecutor(16) as pool:
            assert list(pool.map(ask, range(16))) == [True] * 16


def test_other_threads_run_while_batches_are_decided() -> None:
    def urls(times: int) -> Any:
        return pa.array([f"{HOST}/{'a/' * 50}{nth}" for nth in range(100_000)] * times)

    def batches(times: int) -> Any:
        return pa.table({"url": urls(times)}).to_batches()

    book = columns.Rulebook(bodies(h="User-agent: *\nDisallow: /*/*/*/b"), "*")
    assert runs_beside_at_last(book.check, urls)
    assert runs_beside_at_last(lambda given: book.check(reader(given)).read_all(), batches)
    assert runs_beside_at_last(columns.authority, urls)


def test_a_known_crawler_is_judged_as_its_operator_reads_unless_a_dialect_is_given() -> None:
    table = pa.table({"authority": ["https://h.example"], "robots": ["User-agent: *\nDisallow: /*%"]})
    known = [verger.Crawler("googlebot"), verger.Crawler("gptbot")]
    assert repr(columns.Rulebook(table, known)).startswith("<Rulebook google, rfc9309,")
    assert repr(columns.Rulebook(table, known, dialect="rfc9309")).startswith("<Rulebook rfc9309,")
    assert repr(columns.Rulebook(table, ["Googlebot"])).startswith("<Rulebook rfc9309,")
    urls = pa.array(["https://h.example/%E6"])
    both = [[row["allowed"] for row in found] for found in pa.table(columns.check(urls, table, known)).to_pydict().values()]
    alone = [verger.parse("User-agent: *\nDisallow: /*%", it).policy("*").allowed("/%E6") for it in ("google", "rfc9309")]
    assert both == [[it] for it in alone]
