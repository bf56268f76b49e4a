"""The code of README.md returns what the page shows."""

from __future__ import annotations

import ast
import re
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STATED = re.compile(r"(?:^|\s{2})# => (.*)$")


def stated_after(lines: list[str], node: ast.stmt) -> str | None:
    """Return the value in a comment after the statement, or on the next line."""
    assert node.end_lineno is not None
    for line in lines[node.end_lineno - 1 : node.end_lineno + 1]:
        found = STATED.search(line)
        if found and (line.startswith("#") or line == lines[node.end_lineno - 1]):
            return found[1]
    return None


def statements_checked(page: Path) -> int:
    """Run the code of a page, and count the statements whose value it shows."""
    names: dict[str, object] = {}
    checked = 0
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        lines = block.splitlines()
        for node in ast.parse(block).body:
            expected = stated_after(lines, node)
            if isinstance(node, ast.Expr):
                found = eval(compile(ast.Expression(node.value), str(page), "eval"), names)
                assert expected is not None, f"the page shows no value for {lines[node.lineno - 1]}"
                assert repr(found) == expected, lines[node.lineno - 1]
                checked += 1
            else:
                exec(compile(ast.Module([node], []), str(page), "exec"), names)
    return checked


def test_every_statement_returns_what_the_page_shows() -> None:
    assert statements_checked(README) > 20


def test_the_page_about_owners_shows_what_it_returns() -> None:
    assert statements_checked(README.parent / "docs" / "owner.md") > 6
