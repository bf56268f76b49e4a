"""What several tests need."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def script() -> Callable[..., str]:
    """Runs a script in a Python of its own, and returns what it printed."""

    def run(text: str, *options: str) -> str:
        done = subprocess.run(
            [sys.executable, *options, "-c", text],
            capture_output=True,
            text=True,
            timeout=300 * int(os.environ.get("VERGER_TEST_ROUNDS", "1")),
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return run
