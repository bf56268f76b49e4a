"""Captures as columns against warcio, which reads the same files."""

from __future__ import annotations

import hashlib
import importlib
import random
from pathlib import Path
from typing import Any

import pytest
from arrow import rows
from warcs import record, reply, write

from verger import columns

# warcio has no types.
warcio: Any = importlib.import_module("warcio.archiveiterator")

STATUSES = ["200 OK", "200 OK", "404 Not Found", "403 Forbidden", "500 Internal Server Error", "503 Service Unavailable"]


def records(count: int) -> list[bytes]:
    """Responses with bodies of every length from none on, and requests between them."""
    chance = random.Random(9309)
    found: list[bytes] = []
    for number in range(count):
        response = record(f"s{number}.example", reply("Disallow: /ü\n" * chance.randrange(40), chance.choice(STATUSES)))
        found += [response.replace(b"response", b"request"), response]
    return found


def by_warcio(path: Path) -> list[dict[str, Any]]:
    """What warcio reads: one row a response."""
    found: list[dict[str, Any]] = []
    with path.open("rb") as file:
        read = warcio.ArchiveIterator(file)
        for each in read:
            if each.rec_type != "response":
                continue
            status = int(each.http_headers.get_statuscode())
            body = each.content_stream().read()
            found.append(
                {
                    "url": each.rec_headers["WARC-Target-URI"],
                    "time": each.rec_headers["WARC-Date"],
                    "status": status,
                    "body_sha256": hashlib.sha256(body).hexdigest() if status == 200 else None,
                    "offset": read.get_record_offset(),
                    "length": read.get_record_length(),
                }
            )
    return found


def compared(row: dict[str, Any]) -> dict[str, Any]:
    """A row, as far as warcio says it."""
    said = {name: row[name] for name in ("url", "time", "status", "body_sha256", "offset", "length")}
    return {**said, "time": row["time"].strftime("%Y-%m-%dT%H:%M:%SZ")}


@pytest.mark.parametrize("compressed", [True, False])
def test_captures_are_what_warcio_reads(tmp_path: Path, compressed: bool) -> None:
    path = tmp_path / "a.warc"
    if compressed:
        write(path, records(300))
    else:
        path.write_bytes(b"".join(records(300)))
    wanted = by_warcio(path)
    if not compressed:
        # There warcio counts a record without the line ends after it.
        wanted = [{**row, "length": row["length"] + 4} for row in wanted]
    assert [compared(row) for row in rows(columns.captures(path))] == wanted
    assert len(wanted) == 300
