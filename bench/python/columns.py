"""Columns of URLs compared with the same work in Rust, on one thread each, in alternating rounds: medians.
Each round compiles the rules of all bodies, and keeps the answers: allowed, reason, line and rule.

    pip install pyarrow polars verger-*.whl
    cargo build --release -p verger-inputs --features rulebook --example many_urls
    python bench/python/columns.py target/release/examples/many_urls
"""

from __future__ import annotations

import json
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pyarrow as pa

import verger
from verger import columns

ROUNDS = 7
AGENT = "FooBot"
HOSTS = 4000
URLS = 1_000_000


def body(host: int) -> str:
    """Return 1.3 KiB of robots.txt: 40 rules for all crawlers, every eighth with a wildcard."""
    rules = [
        f"{'Allow' if nth % 5 == 4 else 'Disallow'}: /section-{nth}/{'*/' if nth % 8 == 0 else ''}private-{host}/"
        for nth in range(40)
    ]
    return "\n".join(["User-agent: BadBot", "Disallow: /", "", "User-agent: *", *rules])


def url(nth: int) -> str:
    host = nth * HOSTS // URLS
    private = f"private-{host}/" if nth % 2 else "public/"
    return f"https://www.host-{host}.example/section-{nth % 40}/{private}page-{nth}.html?colour=red"


def nanoseconds(work: Callable[[], object]) -> float:
    start = time.perf_counter_ns()
    work()
    return time.perf_counter_ns() - start


def in_rust(program: str, bodies: Path, urls: Path) -> float:
    command = [program, AGENT, str(bodies), str(urls), "1"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return float(printed.split()[0])


def race(order: str, urls: list[str], bodies: pa.Table, program: str, folder: Path) -> None:
    listed, given = folder / "urls.txt", folder / "bodies.jsonl"
    listed.write_text("\n".join(urls), encoding="utf-8")
    given.write_text("\n".join(json.dumps(row) for row in bodies.to_pylist()), encoding="utf-8")
    column = pa.array(urls)
    table = pa.table({"url": column})
    frame = pl.DataFrame({"url": urls})
    policies = {row["authority"]: verger.parse(row["robots"]).policy(AGENT) for row in bodies.to_pylist()}
    sample = random.Random(7).sample(urls, 2000)
    answers = pa.table(columns.check(pa.array(sample), bodies, AGENT))["allowed"].to_pylist()
    if answers != [policies["/".join(url.split("/", 3)[:3])].allowed(url) for url in sample]:
        sys.exit("columns and policies answer otherwise, so no times are compared")
    contestants: dict[str, Callable[[], float]] = {
        "Rust, rulebook": lambda: in_rust(program, given, listed),
        "a pyarrow array": lambda: nanoseconds(lambda: columns.check(column, bodies, AGENT)),
        "a pyarrow table, as a stream": lambda: nanoseconds(lambda: pa.table(columns.check(table, bodies, AGENT))),
        "a Polars frame": lambda: nanoseconds(lambda: pl.DataFrame(columns.check(frame, bodies, AGENT))),
        "authorities of a pyarrow array": lambda: nanoseconds(lambda: columns.authority(column)),
    }
    figures: dict[str, list[float]] = {name: [] for name in contestants}
    for round_number in range(ROUNDS + 1):
        for name, run in contestants.items():
            taken = run() / len(urls)
            if round_number:
                figures[name].append(taken)
    reference = statistics.median(figures["Rust, rulebook"])
    print(f"\n{len(urls):,} URLs, {HOSTS:,} bodies, {order}: a URL")
    for name, of_rounds in figures.items():
        figure = statistics.median(of_rounds)
        print(f"  {name:<32} {figure:8.0f} ns   {figure / reference:5.2f}× Rust")


def main(program: str) -> None:
    print(f"Python {platform.python_version()}, medians of {ROUNDS} rounds")
    names = [f"https://www.host-{host}.example" for host in range(HOSTS)]
    bodies = pa.table({"authority": names, "robots": [body(host) for host in range(HOSTS)]})
    urls = [url(nth) for nth in range(URLS)]
    with tempfile.TemporaryDirectory() as folder:
        race("sorted by host", urls, bodies, program, Path(folder))
        random.Random(7).shuffle(urls)
        race("in any order", urls, bodies, program, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1])
