"""WARC files for the tests."""

from __future__ import annotations

import gzip
from pathlib import Path


def record(host: str, reply: bytes, date: str = "2026-11-01T00:00:00Z") -> bytes:
    """A response for the robots.txt of a host."""
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: {date}\r\nWARC-Target-URI: https://{host}/robots.txt\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(reply)}\r\n\r\n"
    )
    return head.encode() + reply + b"\r\n\r\n"


def reply(body: str, status: str = "200 OK") -> bytes:
    """A response of HTTP."""
    return f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\n\r\n{body}".encode()


def write(path: Path, records: list[bytes]) -> Path:
    """A file with a gzip member for each record."""
    path.write_bytes(b"".join(gzip.compress(record) for record in records))
    return path
