"""The code of docs/columns.md returns what the page shows."""

from __future__ import annotations

from test_readme import README, statements_checked


def test_every_statement_returns_what_the_page_shows() -> None:
    assert statements_checked(README.parent / "docs" / "columns.md") >= 14
