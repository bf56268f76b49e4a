"""Captures of robots.txt in WARC files, as columns."""

from __future__ import annotations

import datetime
import io
from pathlib import Path
from typing import Any

import pytest
from arrow import pa, rows
from warcs import record, reply, write

from verger import columns

BODY = "User-agent: *\nDisallow: /a\n"
RECORDS = [
    record("a.example", reply(BODY)),
    record("b.example", reply("", "404 Not Found")),
    record("c.example", reply("", "503 Service Unavailable")),
]


def test_every_capture_is_a_row(tmp_path: Path) -> None:
    path = write(tmp_path / "a.warc.gz", RECORDS)
    captures = columns.captures(path)
    assert repr(captures) == f"<Captures of {path}>"
    found = rows(captures)
    assert [row["authority"] for row in found] == ["https://a.example", "https://b.example", "https://c.example"]
    assert [row["status"] for row in found] == [200, 404, 503]
    assert (found[0]["body"], found[1]["body"]) == (BODY.encode(), None)
    assert found[0]["time"] == datetime.datetime(2026, 11, 1, tzinfo=datetime.timezone.utc)
    assert [row["stance"]["rfc9309"] for row in found] == ["rules", "open", "closed"]
    assert {row["file"] for row in found} == {str(path)}
    assert found[0]["offset"] == 0 < found[1]["offset"]
    assert pa.schema(captures).names == list(found[0])
    with pytest.raises(ValueError, match="already been read"):
        pa.table(captures)


def test_open_files_are_read_too_and_captures_have_names(tmp_path: Path) -> None:
    path = write(tmp_path / "a.warc.gz", RECORDS)
    wanted = [{**row, "file": "given"} for row in rows(columns.captures(path))]
    with path.open("rb") as file:
        assert rows(columns.captures(file, name="given")) == wanted
    assert rows(columns.captures(io.BytesIO(path.read_bytes()), name="given")) == wanted
    assert rows(columns.captures(io.BytesIO(b"".join(RECORDS))))[0]["file"] == "-"
    assert rows(columns.captures(str(path), name="given")) == wanted


def test_captures_are_bodies_for_a_check(tmp_path: Path) -> None:
    found = pa.table(columns.captures(write(tmp_path / "a.warc.gz", RECORDS)))
    bodies = found.select(["authority", "body"]).rename_columns(["authority", "robots"])
    urls = pa.array(["https://a.example/a", "https://a.example/b", "https://b.example/"])
    assert [row["allowed"] for row in rows(columns.check(urls, bodies, "*"))] == [False, True, None]


class Broken:
    """A file that gives one thing after another; an exception is raised."""

    def __init__(self, *given: object) -> None:
        self._given = iter(given)

    def read(self, _size: int, /) -> Any:
        given = next(self._given)
        if isinstance(given, Exception):
            raise given
        return given


def test_what_cannot_be_read_says_which_file_and_where(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="absent.warc"):
        columns.captures(tmp_path / "absent.warc")
    with pytest.raises(TypeError, match="a path or a file"):
        columns.captures(3)  # type: ignore[arg-type]
    page = tmp_path / "page.html"
    page.write_text("<p>A page.</p>\n" * 100, encoding="utf-8")
    with pytest.raises(ValueError, match=f"`{page}` is not a WARC file"):
        pa.table(columns.captures(page))

    broken: tuple[tuple[Broken, str], ...] = (
        (Broken(OSError("the disk is gone")), "^cannot read `x`: OSError: the disk is gone$"),
        (Broken(RECORDS[0], OSError("the disk is gone")), f"`x` after offset {len(RECORDS[0])}: .*the disk is gone"),
        (Broken("text"), "did not return bytes: open the file in binary mode"),
        (Broken(b"x" * (1 << 24)), "more bytes than requested"),
    )
    for file, words in broken:
        with pytest.raises(ValueError, match=words):
            pa.table(columns.captures(file, name="x"))
    whole = b"".join(RECORDS)
    marks = [row["mark"] for row in rows(columns.captures(io.BytesIO(whole[: len(RECORDS[0]) + 150])))]
    assert marks[0] is None and len(marks) == 2 and marks[1] is not None
