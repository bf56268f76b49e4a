"""Value classes of `verger.access`. The compiled module creates them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """A request to send: GET over HTTP and HTTPS, RETR after an anonymous login over FTP."""

    url: str
    conditions: tuple[tuple[str, str], ...]
    """Headers of a conditional request. Send them in addition to those of the HTTP client."""


@dataclass(frozen=True, slots=True)
class HopQuestion:
    """A redirect target that needs a decision: does the robots.txt of its own authority allow this URL?"""

    url: str


@dataclass(frozen=True, slots=True)
class Hop:
    """A request of a fetch and the reply to it."""

    url: str
    reply: str | None
    """The reply, such as `http 301` or `ftp 550`. `None` if no complete reply arrived."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A fetch that has ended."""

    outcome: str
    """How it ended, for programs: `successful http 200`, `error http 404`, `failed dns`, `redirect too-many`."""
    what: str
    """How it ended, for people."""
    at: int
    """When it ended, in seconds since 1970."""
    is_about_the_site: bool
    """Whether the outcome is about the site and not only about this client."""
    hops: tuple[Hop, ...]
    """All requests, in order."""
    warnings: tuple[str, ...]
    body: bytes | None
    """The bytes that are used, if there is a body."""
