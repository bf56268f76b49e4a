"""What is installed."""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("name", ["LICENSE-MIT", "LICENSE-APACHE"])
def test_the_licences_are_installed(name: str) -> None:
    found = [it for it in distribution("verger").files or () if it.name == name]
    assert [it.read_text() for it in found] == [(REPOSITORY / name).read_text()]
