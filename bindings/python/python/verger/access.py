"""Fetch robots.txt files and decide what their servers' replies mean.

Three ways lead to the same answers:

- `Client` and `AsyncClient` fetch over HTTP, HTTPS and FTP.
- `Fetch` is a state machine without I/O, for programs with their own HTTP client. It tells you what to send, and you
  pass it the reply and the time. `Knowledge` stores the results, `Answer` is the conclusion, and `AccessPolicy` is
  the answer for one crawler.
- `verger.scrapy` integrates with Scrapy.

Times are seconds since 1970, as returned by `time.time()`. Results are whole seconds.
"""

from __future__ import annotations

from typing import Final

from verger._access_errors import AuthorityError, ClientError, StoreError
from verger._access_names import Failure, HopVerdict, Profile, Stance
from verger._access_values import Attempt, Hop, HopQuestion, Request
from verger._client import AsyncClient, Client
from verger._names import say_where_they_are
from verger._verger import (
    AccessPolicy,
    Answer,
    Decision,
    Fetch,
    Knowledge,
    Lease,
    Store,
    authority,
)

BODY_BYTES_WANTED: Final = 512_001
"""Number of bytes of a decoded body after which a transport may stop reading."""

__all__ = [
    "BODY_BYTES_WANTED",
    "AccessPolicy",
    "Answer",
    "AsyncClient",
    "Attempt",
    "AuthorityError",
    "Client",
    "ClientError",
    "Decision",
    "Failure",
    "Fetch",
    "Hop",
    "HopQuestion",
    "HopVerdict",
    "Knowledge",
    "Lease",
    "Profile",
    "Request",
    "Stance",
    "Store",
    "StoreError",
    "authority",
]

say_where_they_are(__name__, globals())
