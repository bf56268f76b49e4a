"""The test suites of the originals, and the lists of what fails in them."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
TMP = HERE.parent / "tmp"
PROTEGO = "protego-0.7.0"


def left_out(why: str) -> None:
    """Skips the test; in CI it fails."""
    if os.environ.get("CI"):
        pytest.fail(f"NOT RUN: {why}")
    pytest.skip(f"NOT RUN: {why}")


def protego_tests() -> Path:
    """The folder with the tests of Protego, out of its source distribution."""
    folder = TMP / PROTEGO
    if not folder.exists():
        TMP.mkdir(exist_ok=True)
        requirement = PROTEGO.replace("-", "==")
        # Another Python may be tested at the same time.
        with tempfile.TemporaryDirectory(dir=TMP) as own:
            options = ["--quiet", "--no-deps", "--no-binary", ":all:", "--dest", own, requirement]
            done = subprocess.run(
                [sys.executable, "-m", "pip", "download", *options], capture_output=True, text=True, check=False
            )
            if done.returncode:
                left_out(f"the source distribution of {requirement} cannot be had: {done.stderr}")
            unpack_tests(Path(own) / f"{PROTEGO}.tar.gz", folder)
    return folder


def unpack_tests(archive: Path, folder: Path) -> None:
    """Writes the files of the folder `tests`, and none that would be elsewhere. The folder
    gets its name last, so that a part of it is never taken for all."""
    partial = folder.with_name(f"{folder.name}.{os.getpid()}")
    with tarfile.open(fileobj=io.BytesIO(archive.read_bytes())) as members:
        for member in members:
            parts = Path(member.name).parts[1:]
            content = members.extractfile(member) if member.isfile() else None
            if content is None or parts[:1] != ("tests",) or ".." in parts:
                continue
            file = partial.joinpath(*parts[1:])
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content.read())
    try:
        partial.rename(folder)
    except OSError:
        # The other one was first.
        shutil.rmtree(partial)
        if not folder.is_dir():
            raise


def robotparser_tests() -> Path:
    """The tests of `urllib.robotparser` that this Python has."""
    spec = find_spec("test.test_robotparser") if find_spec("test") else None
    if not spec or not spec.origin:
        pytest.skip("NOT RUN: this Python has no test.test_robotparser")
    return Path(spec.origin)


def listed(name: str) -> set[str]:
    """The tests in a list; each has a reason."""
    found: set[str] = set()
    for line in (HERE / "failing" / name).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            test, separator, reason = line.rpartition(" | ")
            assert separator and test and reason, line
            assert test not in found, line
            found.add(test)
    return found


def run(which: str, place: Path, dialect: str) -> tuple[int, set[str]]:
    """How many tests of a suite ran against our module, and which failed."""
    done = subprocess.run(
        [sys.executable, str(HERE / "run_original.py"), which, str(place), dialect],
        capture_output=True,
        text=True,
        check=False,
        cwd=place if place.is_dir() else place.parent,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    read = json.loads(done.stdout)
    return read["ran"], set(read["failed"])


def assert_as_listed(failed: set[str], name: str) -> None:
    expected = listed(name)
    assert not failed - expected, f"these fail, and {name} does not list them: {sorted(failed - expected)}"
    assert not expected - failed, f"{name} lists these, and they pass: {sorted(expected - failed)}"
