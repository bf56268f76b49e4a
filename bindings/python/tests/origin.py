"""The hostile origin of the repository, as a process of its own."""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from verger.access import Profile

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = Path(os.environ.get("VERGER_ORIGIN", ROOT / "target/debug/verger-origin"))
"""`cargo xtask python` builds it, and says where it is."""

PROFILES = tuple(map(str, Profile))
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


@dataclass(frozen=True)
class Expected:
    """What a profile makes of a behaviour."""

    stance: str
    seconds: int
    outcomes: tuple[str, ...]


@dataclass(frozen=True)
class Behaviour:
    """A port of the origin."""

    name: str
    url: str
    wire: str
    expected: dict[str, Expected]


def _wires() -> dict[str, str]:
    text = (ROOT / "testdata/origin.toml").read_text(encoding="utf-8")
    blocks = text.split("[[behaviour]]")[1:]
    found: dict[str, str] = {}
    for block in blocks:
        name, wire = re.search('^name = "(.*)"', block, re.M), re.search('^wire = "(.*)"', block, re.M)
        assert name and wire, block
        found[name[1]] = wire[1]
    return found


def _behaviours(listing: str) -> Iterator[Behaviour]:
    wires = _wires()
    for block in listing.strip().split("\n\n"):
        lines = block.splitlines()
        name, url = lines[0].split()
        expected: dict[str, Expected] = {}
        for line in lines[2:]:
            found = re.fullmatch(r"    ([a-z0-9, -]+): (\w+)(?: .*?)?; ask (\d+)([smhd]) \((.*)\)", line)
            if found is None:
                # A note.
                continue
            stance, outcomes = found[2], tuple(found[5].split(" | "))
            for profile in PROFILES if found[1] == "all" else found[1].split(", "):
                seconds = int(found[3]) * UNITS[found[4]]
                expected[profile] = Expected(stance, seconds, outcomes)
        assert len(expected) == len(PROFILES), block
        yield Behaviour(name, url, wires[name], expected)


@contextmanager
def running() -> Generator[dict[str, Behaviour], None, None]:
    """The behaviours of an origin on loopback, by their names."""
    for _ in range(20):
        port = str(random.randint(20_000, 32_000))
        command = [str(PROGRAM), "--port", port]
        listed = subprocess.run([*command, "--list"], capture_output=True, text=True, check=True)
        served = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert served.stdout is not None
        try:
            lines = [served.stdout.readline() for _ in listed.stdout.splitlines()]
            if lines[-1] or lines[0]:
                behaviours = {it.name: it for it in _behaviours("".join(lines))}
                yield behaviours
                return
            # Another program has one of the ports.
        finally:
            served.kill()
            served.communicate()
    raise AssertionError("the origin found no free ports")
