"""Columns of classes: how much each body disallows, as `verger who` says it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from arrow import Row, pa, rows

import verger
from verger import columns

NOTHING: Row = {
    "disallowed": None,
    "group_line": None,
    "group_named": None,
    "disallowed_url": None,
    "disallowed_line": None,
    "allowed_url": None,
    "allowed_line": None,
    "states": None,
}
BODY = "User-agent: GPTBot\nDisallow: /\nAllow: /p\n\nUser-agent: *\nDisallow:\n"
SOME: Row = {
    **NOTHING,
    "disallowed": "some",
    "group_line": 1,
    "group_named": True,
    "disallowed_url": "https://example.com/",
    "disallowed_line": 2,
    "allowed_url": "https://example.com/p",
    "allowed_line": 3,
}
OF_OTHERS: Row = {**NOTHING, "disallowed": "nothing", "group_line": 5, "group_named": False, "allowed_url": "https://example.com/"}


def test_a_body_has_a_class_and_a_path_each_way() -> None:
    table = pa.table({"nth": [1, 2, 3], "robots": [BODY, None, "User-agent: *\nDisallow: /"]})
    everything: Row = {
        **NOTHING,
        "disallowed": "everything",
        "group_line": 1,
        "group_named": False,
        "disallowed_url": "https://example.com/",
        "disallowed_line": 2,
    }
    of_one = rows(columns.classes(table, "GPTBot"))
    given: list[Row] = table.to_pylist()
    assert of_one == [{**row, **made} for row, made in zip(given, (SOME, NOTHING, everything), strict=True)]
    several = pa.table(columns.classes(table, [verger.Crawler("gptbot"), "*"]))
    assert several.column_names == ["nth", "robots", "gptbot", "*"]
    assert several["gptbot"].to_pylist() == [SOME, NOTHING, everything]
    assert several["*"].to_pylist() == [OF_OTHERS, NOTHING, everything]


@pytest.mark.parametrize("kind", ["string", "large_string", "string_view", "binary", "binary_view", "dictionary"])
def test_every_layout_has_the_same_classes(kind: str) -> None:
    texts = pa.array([BODY, None, BODY])
    column = texts.dictionary_encode() if kind == "dictionary" else texts.cast(getattr(pa, kind)())
    assert rows(columns.classes(column, "GPTBot")) == [SOME, NOTHING, SOME]
    assert rows(columns.classes(pa.table({"body": column}).select(["body"]), "*", robots="body"))[0][
        "disallowed"
    ] == "nothing"


def test_dialects_and_options_are_those_of_parse() -> None:
    body = pa.array(["User-agent: *\nDisalow: /", "User-agent: *\n\nDisallow: /"])
    words = [it["disallowed"] for it in rows(columns.classes(body, "*", dialect="google"))]
    assert words == ["everything", "everything"]
    words = [it["disallowed"] for it in rows(columns.classes(body, "*", options=["lenient-lines"]))]
    assert words == ["everything", "everything"]
    words = [it["disallowed"] for it in rows(columns.classes(body, "*", dialect="koster1996"))]
    assert words == ["nothing", "nothing"]


def test_wrong_columns_are_refused() -> None:
    table = pa.table({"robots": [BODY], "n": [1]})
    with pytest.raises(TypeError, match="column `n` has type Int64"):
        columns.classes(table, "*", robots="n")
    with pytest.raises(ValueError, match="no column `body`: the columns are `robots`, `n`"):
        columns.classes(table, "*", robots="body")
    with pytest.raises(ValueError, match="already has a column `states`"):
        columns.classes(table.rename_columns(["robots", "states"]), "*")
    with pytest.raises(verger.ProductTokenError):
        columns.classes(table, "Foo/1.0")


def test_the_command_says_the_same(tmp_path: Path) -> None:
    file = tmp_path / "robots.txt"
    file.write_text(BODY, encoding="utf-8")
    command = [sys.executable, "-m", "verger", "who", str(file), "-a", "gptbot", "--format", "json"]
    said = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    names = ("disallowed", "disallowed_url", "allowed_url")
    assert {name: said[name] for name in names} == {name: SOME[name] for name in names}
    assert (said["rule_line"], said["group"]["line"]) == (SOME["disallowed_line"], SOME["group_line"])
