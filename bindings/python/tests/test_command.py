"""`python -m verger` and the program `verger` are the command."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

import verger

PROGRAM = Path(sysconfig.get_path("scripts")) / "verger"
WAYS = [[sys.executable, "-m", "verger"], [str(PROGRAM)]]


def run(
    way: list[str], *arguments: str, given: str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run(
        [*way, *arguments],
        input=given,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("way", WAYS, ids=["module", "program"])
def test_both_ways_are_the_command(way: list[str], tmp_path: Path) -> None:
    robots = tmp_path / "robots.txt"
    robots.write_text("User-agent: *\nDisallow: /private\n")
    checked = run(way, "check", "--robots", str(robots), "-a", "ExampleBot", "/private/x")
    assert (checked.returncode, checked.stderr) == (1, "")
    assert "disallow" in checked.stdout
    assert run(way, "check", "--robots", str(robots), "-a", "ExampleBot", "/x").returncode == 0
    kept = run(way, "filter", "--robots", str(robots), "-a", "x", given="/private/x\n/y\n")
    assert kept.stdout == "/y\n"
    assert run(way, "--version").stdout == f"verger {verger.__version__}\n"
    wrong = run(way, "chek")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "did you mean `verger check`?" in wrong.stderr
    usage = run(way, "--help")
    assert usage.returncode == 0 and "Usage: verger" in usage.stdout


def test_a_closed_pipe_has_its_own_exit_code() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [*WAYS[0], "crawlers"], stdout=write, stderr=subprocess.PIPE, timeout=60, check=False
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def test_arguments_that_are_no_utf8_reach_the_command(tmp_path: Path) -> None:
    robots = tmp_path / "robots.txt"
    robots.write_bytes(b"User-agent: *\nDisallow: /\xff\n")
    done = subprocess.run(
        [*WAYS[0], "check", "--robots", str(robots), "-a", "x", b"/\xff"],
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stderr
