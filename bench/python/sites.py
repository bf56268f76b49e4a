"""Measure `vergerd --sites`: processor time of a look at a site, memory, and the time of the pages.

Usage: sites.py VERGERD [SITES [DIRECTORY]]

VERGERD is the program. SITES are 10,000 unless given, each at an address of its own in 127.0.0.0/8, with a file of DIRECTORY
(`*.txt`) or a generated one. One site in a hundred changes its rules from each round to the next. Each site is looked at every
5 minutes, which is the shortest interval, in two rounds. The share of a core is that of an interval of an hour. The sites are
served by another process, whose time does not count.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

EVERY = 5 * 60
CHANGES = b"\nUser-agent: *\nDisallow: /%d\n"


def main() -> None:
    program = sys.argv[1]
    sites = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    files = sorted(Path(sys.argv[3]).glob("*.txt"))[:sites] if len(sys.argv) > 3 else []
    bodies = [file.read_bytes() for file in files] or [generated(number) for number in range(sites)]
    port, looks = multiprocessing.Value("i", 0), multiprocessing.Value("q", 0)
    origin = multiprocessing.Process(target=serve, args=(bodies, sites, port, looks), daemon=True)
    origin.start()
    while not port.value:
        time.sleep(0.1)
    with tempfile.TemporaryDirectory() as directory:
        listed = Path(directory, "sites.toml")
        urls = (f"http://{address(number)}:{port.value}" for number in range(sites))
        tables = (f'[[site]]\nurl = "{url}"\nevery = "{EVERY}s"\n' for url in urls)
        listed.write_text('own_addresses = ["127.0.0.0/8"]\n' + "".join(tables))
        measure(program, listed, sites, looks)


def measure(program: str, listed: Path, sites: int, looks) -> None:
    start = time.monotonic()
    server = subprocess.Popen(
        [program, "--listen", "127.0.0.1:18700", "--store", str(listed.with_name("store.db")), "--sites", str(listed)],
        stderr=subprocess.DEVNULL,
    )
    try:
        # Nothing else tells that a round is over: a look is logged only if it fails.
        spent = 0.0
        for number in (1, 2):
            while looks.value < sites * number:
                time.sleep(1)
            time.sleep(30)
            look = (cpu(server.pid) - spent) / sites
            print(
                f"round {number}, {time.monotonic() - start:.0f} s: {look * 1e3:.2f} ms a look, "
                f"{look * sites / 36:.2f} % of a core at one look an hour, {memory(server.pid)}"
            )
            print(f"  {states()} sites have a state without a problem")
            pages()
            # The pages are not part of the next round.
            spent = cpu(server.pid)
    finally:
        server.kill()


def states() -> int:
    """Return the number of sites that were looked at, from all pages of the list."""
    after, count = 0, 0
    while True:
        with urllib.request.urlopen(f"http://127.0.0.1:18700/v1/sites?after={after}") as response:
            lines = [json.loads(line) for line in response]
        if not lines:
            return count
        count += sum(line["state"] is not None and line["problem"] is None for line in lines)
        after = lines[-1]["place"]


def pages() -> None:
    for path in ("/sites", "/sites?after=5000", "/v1/sites", "/metrics", "/v1/events", "/events.atom"):
        times, size = [], 0
        for _ in range(21):
            start = time.perf_counter()
            with urllib.request.urlopen(f"http://127.0.0.1:18700{path}") as response:
                size = len(response.read())
            times.append((time.perf_counter() - start) * 1e3)
        print(f"  {path:16} median {statistics.median(times):6.1f} ms, at most {max(times):6.1f} ms, {size / 1024:8.1f} KiB")


def cpu(process: int) -> float:
    """Return user and system seconds, also of threads that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> str:
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    values = {name: int(value.split()[0]) >> 10 for name, _, value in (line.partition(":") for line in lines) if name[:3] == "VmH" or name == "VmRSS"}
    return f"{values['VmRSS']} MiB now, {values['VmHWM']} MiB at most"


def address(number: int) -> str:
    return f"127.{1 + (number >> 16)}.{number >> 8 & 255}.{number & 255}"


def generated(number: int) -> bytes:
    rules = "".join(f"Disallow: /{number % 97}/{rule}\n" for rule in range(30))
    return f"User-agent: *\n{rules}\nUser-agent: GPTBot\nDisallow: /\n".encode()


def serve(bodies: list[bytes], sites: int, port, looks) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                host = writer.get_extra_info("sockname")[0].split(".")
                number = (int(host[1]) - 1 << 16) + (int(host[2]) << 8) + int(host[3])
                body = bodies[number % len(bodies)]
                status = b"200 OK" if head.startswith(b"GET /robots.txt ") else b"404 Not Found"
                if status[0] == 50:
                    if number % 100 == 0:
                        body += CHANGES % (looks.value // sites)
                    with looks.get_lock():
                        looks.value += 1
                writer.write(b"HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "0.0.0.0", 0, backlog=1024)
        port.value = server.sockets[0].getsockname()[1]
        await server.serve_forever()

    asyncio.run(run())


if __name__ == "__main__":
    main()
