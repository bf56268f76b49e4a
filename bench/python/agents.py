"""Compare `verger check` with mcp-server-fetch on the behaviours of the hostile origin.

Usage: agents.py MCP_SERVER_FETCH [PROGRAMS]

MCP_SERVER_FETCH is the program of the PyPI package, PROGRAMS the directory with `verger` and `verger-origin`. Prints how
often each pair of answers occurred, with the behaviours. FTP is left out, because the peer cannot fetch it.
"""

from __future__ import annotations

import collections
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading

PORT = 18600
AGENT = "ModelContextProtocol"
SECONDS_MAX = 15


def main() -> None:
    peer, programs = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "target/debug"
    with tempfile.TemporaryDirectory() as directory:
        root = os.path.join(directory, "root.pem")
        port = ["--port", str(PORT)]
        listed = subprocess.run([f"{programs}/verger-origin", "--list", *port], stdout=subprocess.PIPE, text=True, check=True)
        names = {found[2]: found[1] for found in re.finditer(r"(?m)^(\S+) +(https?://\S+)/robots.txt", listed.stdout)}
        origin = subprocess.Popen(
            [f"{programs}/verger-origin", *port, "--root-certificate", root], stdout=subprocess.PIPE, text=True
        )
        try:
            # It writes the list once it serves.
            origin.stdout.readline()
            compare(peer, programs, root, names, directory)
        finally:
            origin.kill()


def compare(peer: str, programs: str, root: str, names: dict[str, str], directory: str) -> None:
    urls = [f"{site}/page" for site in names]
    options = ["--json", "--allow-address", "127.0.0.0/8", "--ca-file", root, "--timeout", "10s"]
    checked = subprocess.run(
        [f"{programs}/verger", "check", "-a", AGENT, "--store", f"{directory}/store.db", *options, *urls],
        stdout=subprocess.PIPE,
        text=True,
    )
    ours = {answer["url"]: answer for answer in map(json.loads, checked.stdout.splitlines())}
    pairs = collections.defaultdict(list)
    for url, theirs in zip(urls, peer_answers(peer, root, urls)):
        answer = ours.get(url)
        own = "none" if answer is None else "allowed" if answer["allowed"] else answer["stance"]
        pairs[own, theirs].append(names[url.removesuffix("/page")])
    for (own, theirs), behaviours in sorted(pairs.items()):
        print(f"{own:10} {theirs:10} {len(behaviours):4}  {' '.join(behaviours)}")


def peer_answers(peer: str, root: str, urls: list[str]):
    """Yield the answer for each URL. A peer that ends or takes too long is started anew."""
    server = None
    for url in urls:
        server = server or Peer(peer, root)
        answer = server.call("tools/call", {"name": "fetch", "arguments": {"url": url}})
        if answer is None:
            server.process.kill()
            server = None
            yield "no-answer"
            continue
        text = json.dumps(answer)
        refused = "robots.txt" in text and ("not allowed" in text or "Failed to fetch robots.txt" in text)
        yield "refused" if refused else "fetches"
    if server is not None:
        server.process.kill()


class Peer:
    """A running server of the peer, with at most 2 GiB of memory."""

    def __init__(self, program: str, root: str) -> None:
        limit = (2 << 30, 2 << 30)
        self.process = subprocess.Popen(
            [program, "--allow-private-ips"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "SSL_CERT_FILE": root},
            text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit),
        )
        self.number = 0
        client = {"name": "bench", "version": "1"}
        self.call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: object) -> None:
        print(json.dumps(message), file=self.process.stdin, flush=True)

    def call(self, method: str, parameters: object) -> dict[str, object] | None:
        """Return the answer, or `None` without one in time."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": parameters})
        timer = threading.Timer(SECONDS_MAX, self.process.kill)
        timer.start()
        try:
            for line in self.process.stdout:
                message = json.loads(line)
                if message.get("id") == self.number:
                    return message
            return None
        finally:
            timer.cancel()


main()
