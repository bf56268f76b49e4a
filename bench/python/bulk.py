"""J10: a log, captures and a million URLs through the command, and the same questions in Python with warcio and
Protego. Reports user and system CPU seconds and peak resident memory, with one thread each.

    pip install pyarrow warcio protego
    cargo build --release -p verger-cli
    python bench/python/bulk.py target/release/verger [audit] [captures] [check] [python]
"""

from __future__ import annotations

import io
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import protego
import pyarrow as pa
import pyarrow.parquet as pq
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

AGENT = "GPTBot"
LOG_LINES = 5_000_000
CAPTURES = 60_000
URLS = 1_000_000
HOSTS = 4_000
PEER_CAPTURES = 20_000
URLS_OF_HOST = 20

BROWSER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"
CRAWLERS = [
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)",
    "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "CCBot/2.0 (https://commoncrawl.org/faq/)",
]


def body(host: int) -> str:
    """Return 1.3 KiB of robots.txt: 40 rules for all crawlers, every eighth with a wildcard."""
    rules = [
        f"{'Allow' if nth % 5 == 4 else 'Disallow'}: /section-{nth}/{'*/' if nth % 8 == 0 else ''}private-{host}/"
        for nth in range(40)
    ]
    return "\n".join(["User-agent: BadBot", "Disallow: /", "", "User-agent: *", *rules])


def url(host: int, nth: int) -> str:
    private = f"private-{host}/" if nth % 2 else "public/"
    return f"https://www.host-{host}.example/section-{nth % 40}/{private}page-{nth}.html?colour=red"


# Linux includes memory before `exec` in the peak, so a small process starts the commands.
LAUNCHER = """
import os, subprocess, sys

process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, usage = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
"""


class Run:
    """The cost of a command."""

    def __init__(self, *command: str | Path) -> None:
        launch = [sys.executable, "-I", "-S", "-c", LAUNCHER, *map(str, command)]
        report = subprocess.run(launch, stdout=subprocess.PIPE, check=True, text=True)
        status, seconds, kibibytes = report.stdout.split()
        if int(status):
            sys.exit(f"{command[1]} {command[2]} ended with {status}")
        self.seconds = float(seconds)
        self.mebibytes = int(kibibytes) / 1024


def write_log(path: Path) -> None:
    chance = random.Random(7)
    with path.open("w", encoding="ascii", newline="\n") as log:
        for nth in range(LOG_LINES):
            agent = CRAWLERS[nth % 4] if nth % 5 < 2 else BROWSER
            target = f"/section-{nth % 50}/{'private' if nth % 7 == 0 else 'public'}/page-{chance.randrange(100_000)}"
            log.write(
                f"198.51.{nth % 100}.{nth % 250} - - [{1 + nth // 250_000:02}/Oct/2026:{nth // 3_600 % 24:02}:"
                f"{nth // 60 % 60:02}:{nth % 60:02} +0000] "
                f'"GET {target} HTTP/1.1" 200 {1_000 + nth % 90_000} "-" "{agent}"\n'
            )


def audit(verger: str, folder: Path) -> None:
    log, robots = folder / "access.log", folder / "robots.txt"
    write_log(log)
    robots.write_text("User-agent: *\nDisallow: /*/private/\n\nUser-agent: GPTBot\nDisallow: /\n", encoding="ascii")
    run = Run(verger, "audit", "--robots", robots, "--format", "json", log)
    data = log.stat().st_size
    log.unlink()
    print(f"audit: {bytes / 1e9:.2f} GB, {LOG_LINES:,} lines: {run.seconds:.1f} s, {run.mebibytes:.0f} MiB")


def write_captures(path: Path, count: int) -> None:
    """Write captures in the format of Common Crawl: one in five is a 404, one in ten a redirect."""
    with path.open("wb") as output:
        writer = WARCWriter(output, gzip=True)
        for host in range(count):
            statuses = {0: "404 Not Found", 5: "404 Not Found", 7: "301 Moved Permanently"}
            status = statuses.get(host % 10, "200 OK")
            headers = [("Content-Type", "text/plain")]
            if status.startswith("301"):
                headers.append(("Location", f"https://www.host-{host - 1}.example/robots.txt"))
            content = body(host).encode() if status.startswith("200") else b""
            record = writer.create_warc_record(
                f"https://www.host-{host}.example/robots.txt",
                "response",
                payload=io.BytesIO(content),
                http_headers=StatusAndHeaders(status, headers, protocol="HTTP/1.1"),
                warc_headers_dict={"WARC-Date": "2026-10-01T00:00:00Z"},
            )
            writer.write_record(record)


def captures(verger: str, folder: Path) -> None:
    warc, columns = folder / "robots.warc.gz", folder / "captures.parquet"
    write_captures(warc, CAPTURES)
    run = Run(verger, "bulk", "captures", warc, "-o", columns, "--threads", "1", "--quiet")
    mebibytes = warc.stat().st_size / 2**20
    print(
        f"bulk captures: {CAPTURES:,} records, {mebibytes:.1f} MiB of gzip: {run.seconds:.2f} s, "
        f"{CAPTURES / run.seconds:,.0f} records a second, {mebibytes / run.seconds:.0f} MiB a second, "
        f"{run.mebibytes:.0f} MiB"
    )


def check(verger: str, folder: Path) -> None:
    warc, columns, listed = folder / "hosts.warc.gz", folder / "hosts.parquet", folder / "urls.parquet"
    write_captures(warc, HOSTS)
    Run(verger, "bulk", "captures", warc, "-o", columns, "--quiet")
    of_host = URLS // HOSTS
    urls = [url(host, nth) for host in range(HOSTS) for nth in range(of_host)]
    for order in ("sorted by host", "in any order"):
        pq.write_table(pa.table({"url": urls}), listed)
        command = ["--captures", columns, "-a", AGENT, "--threads", "1", "--quiet"]
        run = Run(verger, "bulk", "check", listed, *command, "-o", folder / "answers.parquet")
        print(
            f"bulk check: {URLS:,} URLs {order}, {HOSTS:,} captures: {run.seconds:.2f} s, "
            f"{URLS / run.seconds / 1e6:.2f} million a second, {run.mebibytes:.0f} MiB"
        )
        random.Random(7).shuffle(urls)


def answers(warc: Path) -> Iterator[tuple[str, bool]]:
    with warc.open("rb") as stream:
        for record in ArchiveIterator(stream):
            if record.rec_type != "response" or record.http_headers.get_statuscode() != "200":
                continue
            host = int(record.rec_headers.get_header("WARC-Target-URI").split("-")[1].split(".")[0])
            rules = protego.Protego.parse(record.content_stream().read().decode("utf-8", "replace"))
            for nth in range(URLS_OF_HOST):
                asked = url(host, nth)
                yield asked, rules.can_fetch(asked, AGENT)


def python(verger: str, folder: Path) -> None:
    """Measure captures to answers in Parquet both ways, and compare the answers about parsed bodies."""
    warc, columns, listed = folder / "peer.warc.gz", folder / "peer.parquet", folder / "peer-urls.parquet"
    write_captures(warc, PEER_CAPTURES)
    start = time.process_time()
    by_protego = list(answers(warc))
    names, allowed = zip(*by_protego, strict=True)
    pq.write_table(pa.table({"url": names, "allowed": allowed}), folder / "protego.parquet")
    taken = time.process_time() - start
    pq.write_table(pa.table({"url": names}), listed)
    run = Run(verger, "bulk", "captures", warc, "-o", columns, "--threads", "1", "--quiet")
    given = ["--captures", columns, "-a", AGENT, "--threads", "1", "--quiet"]
    second = Run(verger, "bulk", "check", listed, *given, "-o", folder / "verger.parquet")
    by_verger = pq.read_table(folder / "verger.parquet")
    answered = dict(zip(by_verger["url"].to_pylist(), by_verger["allowed"].to_pylist(), strict=True))
    others = sum(answered[asked] != allowed for asked, allowed in by_protego)
    seconds = run.seconds + second.seconds
    print(
        f"{PEER_CAPTURES:,} captures and {len(by_protego):,} URLs: warcio with Protego {taken:.2f} s, "
        f"verger {seconds:.2f} s ({taken / seconds:.0f}×); {others} answers differ"
    )


def main(verger: str, parts: list[str]) -> None:
    jobs = {"audit": audit, "captures": captures, "check": check, "python": python}
    for part in parts or jobs:
        with tempfile.TemporaryDirectory() as folder:
            jobs[part](verger, Path(folder))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
