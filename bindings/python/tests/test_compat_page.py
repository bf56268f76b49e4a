"""`docs/compat.md` is up to date."""

from __future__ import annotations

import compat_page


def test_the_page_is_up_to_date() -> None:
    written = compat_page.PAGE.read_text(encoding="utf-8")
    assert written == compat_page.page(), "run `python tests/compat_page.py`"


def test_the_page_has_both_columns_of_the_standard_library() -> None:
    for version in (compat_page.OLD, compat_page.NEW):
        column = compat_page.kept_column(version)
        assert column and len(column) == len(compat_page.ROBOTPARSER)
