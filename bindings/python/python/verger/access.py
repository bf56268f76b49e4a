"""What to do with a server: fetch its robots.txt, and know what follows from what it does.

Three ways, the same answers:

- `Client` and `AsyncClient` fetch by themselves, over HTTP, HTTPS and FTP.
- `Fetch` is the machine without IO, for programs with an HTTP client of their own: it says what to send,
  and takes what came and the time. `Knowledge` is what is known after it, `Answer` what follows,
  `AccessPolicy` the same for one crawler.
- `verger.scrapy` has both settings for Scrapy.

Times are seconds since 1970, as `time.time()` returns them; results are whole seconds.
"""

from __future__ import annotations

from typing import Final

from verger._access_errors import AuthorityError, ClientError, StoreError
from verger._access_names import Failure, HopVerdict, Profile, Stance
from verger._access_values import Attempt, Hop, HopQuestion, Request
from verger._client import AsyncClient, Client
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
"""Bytes of a decoded body after which a transport may stop reading."""

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
