"""The value classes of `verger.access`. The compiled part makes them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """A request to send: GET over HTTP and HTTPS, RETR after an anonymous login over FTP."""

    url: str
    conditions: tuple[tuple[str, str], ...]
    """The headers of a conditional request, to send beside those of the HTTP client."""


@dataclass(frozen=True, slots=True)
class HopQuestion:
    """The question whether the robots.txt of its own authority allows a URL that a redirect leads to."""

    url: str


@dataclass(frozen=True, slots=True)
class Hop:
    """A request of a fetch, and its reply."""

    url: str
    reply: str | None
    """`http 301` or `ftp 550`; `None` where no complete reply came."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A fetch that has ended."""

    outcome: str
    """How, for programs: `successful http 200`, `error http 404`, `failed dns`, `redirect too-many`."""
    what: str
    """How, for people."""
    at: int
    """When, in seconds since 1970."""
    is_about_the_site: bool
    """Whether it says something about the site, not only about this client."""
    hops: tuple[Hop, ...]
    """All requests, in order."""
    warnings: tuple[str, ...]
    body: bytes | None
    """The bytes that are used, where there is a body."""
