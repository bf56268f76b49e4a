"""The code of docs/columns.md does what the page says."""

from __future__ import annotations

from test_readme import README, statements_checked


def test_every_line_of_code_does_what_it_says() -> None:
    assert statements_checked(README.parent / "docs" / "columns.md") >= 14
