"""What cannot be answered in columns says so, by a documented exception."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from arrow import pa, rows, values
from test_memory import HEAD

import verger
from verger import columns

ROBOTS = verger.parse("User-agent: *\nDisallow: /a")
HOST = "https://h.example"
BODIES = pa.table({"authority": [HOST], "robots": ["User-agent: *\nDisallow: /a"]})
IDS = pa.table({"id": [1], "robots": ["User-agent: *\nDisallow: /a"]})
URL = pa.array([f"{HOST}/a"])

NOT_ARROW: list[Any] = ["https://h.example/a", b"x", None, 7, ["https://h.example/a"], object()]


@pytest.mark.parametrize("urls", NOT_ARROW, ids=repr)
def test_what_gives_no_arrow_data_is_refused(urls: Any) -> None:
    calls: list[Callable[[], object]] = [
        lambda: columns.authority(urls),
        lambda: columns.check(urls, ROBOTS, "*"),
        lambda: columns.check(URL, urls, "*"),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="expected a column or a table that provides Arrow data"):
            call()


WRONG: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: columns.authority(pa.array([1])), TypeError, "column `url` has type Int64: expected strings"),
    (lambda: columns.check(pa.array([["/a"]]), ROBOTS, "*"), TypeError, "`url` has type List"),
    (lambda: columns.check(pa.array([1.5]).dictionary_encode(), ROBOTS, "*"), TypeError, "Dictionary"),
    (lambda: columns.check(pa.table({"a": [1]}), ROBOTS, "*"), ValueError, "no column `url`: the columns are `a`"),
    (lambda: columns.check(pa.table({"url": [1]}), ROBOTS, "*"), TypeError, "`url` has type Int64"),
    (lambda: columns.check(pa.table([URL, URL], ["url", "url"]), ROBOTS, "*"), ValueError, "several columns `url`"),
    (lambda: columns.check(pa.table({"url": URL, "line": [1]}), ROBOTS, "*"), ValueError, "already has a column `line`"),
    (lambda: columns.authority(pa.table({"url": URL, "authority": URL})), ValueError, "already has a column `authority`"),
    (lambda: columns.check(URL, URL, "*"), TypeError, "expected a table with the columns `authority` and `robots`"),
    (lambda: columns.check(URL, BODIES.drop(["robots"]), "*"), ValueError, "no column `robots`"),
    (lambda: columns.check(URL, BODIES.drop(["authority"]), "*"), ValueError, "no column `authority`"),
    (lambda: columns.check(URL, IDS, "*"), ValueError, "no column `authority`: the columns are `id`, `robots`"),
    (lambda: columns.check(URL, IDS, "*", by="id"), TypeError, "by=`id` cannot be used with a column"),
    (lambda: columns.check(pa.table({"url": URL}), IDS, "*", by="id"), ValueError, "no column `id`: the columns are `url`"),
    (
        lambda: columns.check(pa.table({"url": URL, "id": ["1"]}), IDS, "*", by="id"),
        TypeError,
        "column `id` has text in the URLs but integers in the bodies",
    ),
    (
        lambda: columns.check(pa.table({"url": URL, "id": [1.0]}), IDS, "*", by="id"),
        TypeError,
        "column `id` has type Float64: expected strings, binary or integers",
    ),
    (lambda: columns.Rulebook(ROBOTS, "*", by="id"), ValueError, "RobotsTxt applies to all URLs"),
    (lambda: columns.Rulebook(ROBOTS, "*", dialect="google"), ValueError, "RobotsTxt applies to all"),
    (lambda: columns.Rulebook(BODIES, "*", dialect="x"), ValueError, "x"),
    (lambda: columns.Rulebook(BODIES, 7), TypeError, "a crawler or a sequence of crawlers"),  # type: ignore[arg-type]
    (
        lambda: columns.Rulebook(pa.table({"authority": [HOST, "h.example"], "robots": ["", ""]}), "*"),
        ValueError,
        "bodies: column `authority`, row 1: `h.example` is not an absolute URL",
    ),
    (
        lambda: columns.Rulebook(pa.table({"authority": [f"{HOST}/a"], "robots": [""]}), "*"),
        ValueError,
        "is more than an authority",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "message"), WRONG, ids=[it[2] for it in WRONG])
def test_wrong_columns_are_refused(
    call: Callable[[], object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message.replace("(", r"\(")):
        call()


def strings(data: bytes, offsets: list[int]) -> Any:
    """A column of strings that were not checked."""
    buffers = [None, pa.array(offsets, pa.int32()).buffers()[1], pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), len(offsets) - 1, buffers)


def test_strings_that_are_not_utf_8_are_refused() -> None:
    broken = strings(b"/a/\xff", [0, 2, 4])
    with pytest.raises(ValueError, match="column `url`, row 1: the string is not UTF-8"):
        columns.check(broken, ROBOTS, "*")
    with pytest.raises(ValueError, match="not UTF-8"):
        columns.authority(broken)
    assert rows(columns.check(broken.slice(0, 1), ROBOTS, "*"))[0]["allowed"] is False
    with pytest.raises(ValueError, match="bodies: column `robots`, row 1: the string is not UTF-8"):
        columns.Rulebook(pa.table({"id": [1, 2], "robots": broken}), "*", by="id")
    lazy = columns.check(pa.table({"url": broken}), ROBOTS, "*")
    with pytest.raises(ValueError, match="column `url`, row 1: the string is not UTF-8"):
        pa.table(lazy)
    binary = broken.cast(pa.binary())
    assert [row["allowed"] for row in rows(columns.check(binary, ROBOTS, "*"))] == [False, True]


def test_a_row_is_counted_in_the_array_that_came_not_in_a_part_of_it() -> None:
    count = 70_000
    broken = strings(b"/a" * count + b"\xff", [*range(0, 2 * count + 1, 2), 2 * count + 1])
    calls: list[Callable[[], object]] = [
        lambda: columns.check(broken, ROBOTS, "*"),
        lambda: columns.authority(broken),
        lambda: columns.classes(broken, "*"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=f"row {count}: the string is not UTF-8"):
            call()


def test_a_stream_that_has_failed_fails_again() -> None:
    urls = pa.chunked_array([strings(b"/\xff", [0, 2]), strings(b"/a", [0, 2])])
    reader = pa.RecordBatchReader.from_stream(columns.check(pa.table({"url": urls}), ROBOTS, "*"))
    for _ in range(2):
        with pytest.raises(ValueError, match="row 0: the string is not UTF-8"):
            reader.read_next_batch()


@pytest.mark.parametrize("kind", [pa.int64(), pa.string(), pa.null()], ids=str)
def test_bodies_of_which_there_are_none_fit_ids_of_any_kind(kind: Any) -> None:
    bodies = pa.table({"id": pa.nulls(0), "robots": pa.nulls(0)})
    urls = pa.table({"url": [f"{HOST}/a", "h.example/a"], "id": pa.nulls(2, kind)})
    found = rows(columns.check(urls, bodies, "*", by="id"))
    assert [row["reason"] for row in found] == ["no-body", "not-a-url"]


def test_values_outside_their_column_are_refused() -> None:
    with pytest.raises(ValueError, match="row 1: the value lies outside the Arrow array"):
        columns.check(strings(b"/a/b", [0, 4, 2, 4]), ROBOTS, "*")
    indices = pa.array([0, 7], pa.int8())
    broken = pa.DictionaryArray.from_arrays(indices, pa.array(["/a"]), safe=False)
    with pytest.raises(ValueError, match="row 1: the value lies outside the Arrow array"):
        columns.check(broken, ROBOTS, "*")


class Giving:
    """Gives what it is made with as its Arrow data."""

    def __init__(self, array: object = None, stream: object = None) -> None:
        if array is not None:
            self.__arrow_c_array__ = lambda: array
        if stream is not None:
            self.__arrow_c_stream__ = lambda: stream


def test_capsules_of_another_kind_are_refused() -> None:
    schema, array = URL.__arrow_c_array__()
    stream = pa.table({"url": URL}).__arrow_c_stream__()
    for given in (
        Giving(array=7),
        Giving(array=(schema,)),
        Giving(array=(7, 8)),
        Giving(array=(array, schema)),
        Giving(stream=7),
        Giving(stream=schema),
    ):
        with pytest.raises((TypeError, ValueError)):
            columns.check(given, ROBOTS, "*")  # type: ignore[arg-type]
    given_twice: Any = Giving(stream=stream)
    assert len(rows(columns.check(given_twice, ROBOTS, "*"))) == 1
    with pytest.raises(ValueError, match="has already been read"):
        columns.check(given_twice, ROBOTS, "*")
    once: Any = Giving(array=(schema, array))
    assert len(rows(columns.check(once, ROBOTS, "*"))) == 1
    with pytest.raises(ValueError, match="has already been read"):
        columns.check(once, ROBOTS, "*")


def test_an_object_that_raises_is_heard() -> None:
    class Raising:
        def __arrow_c_stream__(self, requested_schema: object | None = None, /) -> object:
            raise KeyError("no such table")

    with pytest.raises(KeyError, match="no such table"):
        columns.check(Raising(), ROBOTS, "*")


def test_no_package_is_imported_and_none_has_to_be_there(script: Callable[..., str]) -> None:
    printed = script("""
import sys
import verger.columns
print(*{"pyarrow", "polars", "duckdb", "numpy", "pandas"} & set(sys.modules))
sys.modules["pyarrow"] = sys.modules["numpy"] = sys.modules["pandas"] = None
import polars as pl
robots = verger.parse("User-agent: *\\nDisallow: /a")
frame = pl.DataFrame({"url": ["/a", "/b", None]})
print(pl.DataFrame(verger.columns.check(frame, robots, "*"))["allowed"].to_list())
""")
    assert printed.splitlines() == ["", "[False, True, None]"]


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the memory of a process is read from /proc")
@pytest.mark.parametrize(
    "work",
    [
        "rows(columns.check(urls, table, 'a', cache_bytes=50_000))",
        "rows(book.check(pa.table({'url': urls})))",
        "book.check(pa.table({'url': urls})).__arrow_c_stream__()",
        "raises(lambda: book.check(pa.table({'url': [nth]})))",
        "raises(lambda: pa.table(book.check(pa.RecordBatchReader.from_batches(schema, broken()))))",
    ],
)
def test_memory_is_flat(work: str, script: Callable[..., str]) -> None:
    set_up = """
import pyarrow as pa
from verger import columns

names = [f"https://h{nth}.example" for nth in range(100)]
table = pa.table({"authority": names, "robots": ["User-agent: *\\nDisallow: /a"] * 100})
urls = pa.array([f"{name}/a" for name in names])
book = columns.Rulebook(table, ["a", "b"], cache_bytes=50_000)
schema = pa.schema([("url", pa.string())])

def rows(columns):
    assert pa.table(columns).num_rows == 100

def broken():
    yield pa.record_batch({"url": urls})
    raise OSError("broken")

def raises(call):
    try:
        call()
    except (TypeError, ValueError):
        return
    raise AssertionError
"""
    assert int(script(f"{HEAD}\n{set_up}\ngrows(lambda nth: {work}, 600)")) < 2 << 20


class FaultyArray:
    """An array whose producer says another number than it has."""

    def __init__(self, column: Any, at: int, number: int) -> None:
        self.column = column
        self.at = at
        self.number = number

    def __arrow_c_array__(self, _schema: object = None) -> tuple[object, object]:
        schema, array = self.column.__arrow_c_array__()
        address = ctypes.pythonapi.PyCapsule_GetPointer
        address.restype = ctypes.c_void_p
        address.argtypes = [ctypes.py_object, ctypes.c_char_p]
        numbers = ctypes.cast(address(array, b"arrow_array"), ctypes.POINTER(ctypes.c_int64))
        numbers[self.at] = self.number
        return schema, array


@pytest.mark.parametrize("at", [0, 2], ids=["length", "offset"])
@pytest.mark.parametrize("number", [-1, -(2**63), 2**62, 2**63 - 1])
def test_numbers_that_no_array_has_are_refused(at: int, number: int) -> None:
    column = pa.array(["https://h.example/"])
    with pytest.raises(ValueError, match="impossible length or offset"):
        columns.authority(FaultyArray(column, at, number))


def test_a_null_row_of_a_struct_has_no_answer_whatever_its_fields_are() -> None:
    url = pa.array(["https://h.example/", "https://i.example/"])
    number = pa.array([1, 2])
    union = pa.UnionArray.from_sparse(pa.array([0, 0], pa.int8()), [pa.array([3, 4])])
    fields = [
        pa.field("url", pa.string()),
        pa.field("number", pa.int64(), nullable=False),
        pa.field("union", union.type),
    ]
    table = pa.StructArray.from_arrays(
        [url, number, union], fields=fields, mask=pa.array([False, True])
    )
    found = values(columns.authority(table))
    assert [row["authority"] for row in found] == ["https://h.example", None]
    assert [row["url"] for row in found] == ["https://h.example/", None]


class FaultySchema:
    """A schema whose format is not that of the array."""

    def __init__(self, column: Any, form: bytes) -> None:
        self.column = column
        self.form = ctypes.create_string_buffer(form)

    def __arrow_c_array__(self, _schema: object = None) -> tuple[object, object]:
        schema, array = self.column.__arrow_c_array__()
        address = ctypes.pythonapi.PyCapsule_GetPointer
        address.restype = ctypes.c_void_p
        address.argtypes = [ctypes.py_object, ctypes.c_char_p]
        pointers = ctypes.cast(address(schema, b"arrow_schema"), ctypes.POINTER(ctypes.c_void_p))
        pointers[0] = ctypes.addressof(self.form)
        return schema, array


@pytest.mark.parametrize("form", [b"", b"w:-1", b"+w:x", b"+l", b"+m", b"+r", b"\xff", b"d:1"])
def test_schemas_that_cannot_be_read_are_refused(form: bytes) -> None:
    with pytest.raises(ValueError, match="Arrow|interface"):
        columns.authority(FaultySchema(pa.array(["https://h.example/"]), form))
