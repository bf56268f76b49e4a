"""A drop-in replacement for `urllib.robotparser`, with Verger's answers.

    >>> from verger.compat.robotparser import RobotFileParser
    >>> parser = RobotFileParser()
    >>> parser.parse(["User-agent: *", "Disallow: /private/"])
    >>> parser.can_fetch("ExampleBot/1.0", "https://example.com/private/x")
    False

The rules are those of RFC 9309, which the standard library has followed since Python 3.13.14, 3.14.5 and 3.15. With
`dialect="koster1996"` they are those of 1996, as in Python 3.11 and 3.12: the first matching rule decides, and a `*` in
a path is a literal character. As in the standard library, only the part of an agent before the first `/` is used.

`read` fetches with `urllib.request` and handles status codes as Python 3.15 does, in every dialect: 401, 403 and 5xx
disallow everything, and any other 4xx allows everything. RFC 9309 does not treat 401 and 403 differently.
"""

from __future__ import annotations

import http.client
import re
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from verger._names import Dialect
from verger._values import Group, Rule
from verger._verger import _ENCODED_BYTES_MAX, Pacing, _decoded
from verger.compat._reading import DialectName, Reading
from verger.gate._blocking import finishes_within

__all__ = ["RobotFileParser"]

READ_SECONDS = 60.0
"""Time limit for `RobotFileParser.read`, in seconds."""

_LINE_END = re.compile(r"\r\n|\r|\n")


class RequestRate(NamedTuple):
    """A number of requests per number of seconds."""

    requests: int
    seconds: int


class RuleLine:
    """An allow or disallow line."""

    def __init__(self, path: str, allowance: bool) -> None:
        # An empty disallow line allows everything.
        self.allowance = allowance or not path
        self.path = path

    def __str__(self) -> str:
        return f"{'Allow' if self.allowance else 'Disallow'}: {self.path}"


class Entry:
    """The user agents of a group, with its rules, delay and rate."""

    def __init__(self) -> None:
        self.useragents: list[str] = []
        self.rulelines: list[RuleLine] = []
        self.delay: int | None = None
        self.req_rate: RequestRate | None = None

    def __str__(self) -> str:
        lines = [f"User-agent: {agent}" for agent in self.useragents]
        if self.delay is not None:
            lines.append(f"Crawl-delay: {self.delay}")
        if self.req_rate is not None:
            lines.append(f"Request-rate: {self.req_rate.requests}/{self.req_rate.seconds}")
        lines += map(str, self.rulelines) if self.rulelines else ["Allow:"]
        return "\n".join(lines)


class RobotFileParser:
    """A robots.txt, read from a URL or from lines."""

    def __init__(
        self, url: str | urllib.request.Request = "", *, dialect: DialectName = "rfc9309"
    ) -> None:
        self.dialect = Dialect(dialect)
        self.disallow_all = False
        self.allow_all = False
        self.sitemaps: list[str] = []
        self.last_checked: float = 0
        self._reading = Reading("", self.dialect)
        self.set_url(url)

    def mtime(self) -> float:
        """Return when the file was last read, in seconds as in `time.time`. 0 if never."""
        return self.last_checked

    def modified(self) -> None:
        """Record that the file is read now."""
        self.last_checked = time.time()

    def set_url(self, url: str | urllib.request.Request) -> None:
        """Set the URL of the file. A `Request` may carry headers, such as a User-Agent."""
        self.url = url
        parts = urlsplit(url.full_url if isinstance(url, urllib.request.Request) else url)
        self.host, self.path = parts.netloc, parts.path

    def read(self) -> None:
        """Fetch and parse the file. A server's reply replaces the previous contents.

        Raises the exceptions of `urllib.request.urlopen` if there is no response (`OSError`, `ValueError`),
        `TimeoutError` after 60 s, and `ValueError` if a content coding cannot be decoded. In that case the previous
        contents are kept. No more of a file is read than RFC 9309 asks for.
        """
        try:
            body: list[bytes] = []
            if not finishes_within(READ_SECONDS, lambda: body.append(_fetched(self.url))):
                raise TimeoutError(f"the file did not arrive within {READ_SECONDS:.0f} s")
        except urllib.error.HTTPError as error:
            error.close()
            if 400 <= error.code < 600:
                self.disallow_all = error.code in (401, 403) or error.code >= 500
                self.allow_all = not self.disallow_all
        else:
            self.disallow_all = self.allow_all = False
            self.parse(_LINE_END.split(body[0].decode("utf-8", "surrogateescape")))

    def parse(self, lines: Iterable[str]) -> None:
        """Parse the lines of a file, with or without line ends, replacing the previous contents.

        A `str` is parsed as a whole file. Raises `UnicodeEncodeError` if there are surrogates that are not escaped
        bytes (PEP 383).
        """
        if not isinstance(lines, str):
            lines = "\n".join([line.rstrip("\r\n") for line in lines])
        self._reading = Reading(lines, self.dialect)
        self.sitemaps = list(self._reading.robots.sitemaps)
        self.modified()

    def can_fetch(self, useragent: str, url: str) -> bool:
        """Return whether the agent may fetch the URL. `False` before a file is read.

        Text that is not a URL is read as a path from the root. Raises `ValueError` if `urllib.parse` does (`http:[`),
        and for surrogates that are not escaped bytes.
        """
        if self.disallow_all:
            return False
        if self.allow_all:
            return True
        return bool(self.last_checked) and self._reading.allowed(url, _name(useragent))

    def crawl_delay(self, useragent: str) -> int | None:
        """Return the delay, in seconds, that is requested between two requests of the agent, rounded up."""
        return _delay(self._pacing(useragent))

    def request_rate(self, useragent: str) -> RequestRate | None:
        """Return the last request rate for the agent that applies all day."""
        return _rate(self._pacing(useragent))

    def site_maps(self) -> list[str] | None:
        """Return the distinct sitemaps. `None` if there are none."""
        return self.sitemaps or None

    @property
    def entries(self) -> list[Entry]:
        """The groups in file order. In `koster1996`, groups for `*` are left out, as before Python 3.13.14."""
        groups = self._reading.robots.groups
        if self.dialect is Dialect.KOSTER1996:
            groups = tuple(group for group in groups if "*" not in group.user_agents)
        return self._entries(groups)

    @property
    def default_entry(self) -> Entry | None:
        """The first group for `*` in `koster1996`. `None` in other dialects, where it is in `entries`."""
        groups = self._reading.robots.groups if self.dialect is Dialect.KOSTER1996 else ()
        for_star = [group for group in groups if "*" in group.user_agents]
        return self._entries(for_star[:1])[0] if for_star else None

    def __str__(self) -> str:
        default = self.default_entry
        return "\n\n".join(map(str, self.entries + ([default] if default else [])))

    def _pacing(self, useragent: str) -> Pacing | None:
        return self._reading.pacing(_name(useragent)) if self.last_checked else None

    def _entries(self, groups: Iterable[Group]) -> list[Entry]:
        robots = self._reading.robots
        lines = _LINE_END.split(robots.body.decode("utf-8", "surrogateescape"))
        starts = [group.line for group in robots.groups]
        end_of = dict(zip(starts, [*starts[1:], len(lines) + 1]))
        # Parse the lines of each group separately, because the pacing of the file merges groups.
        return [_entry(group, lines[group.line - 1 : end_of[group.line] - 1]) for group in groups]


def _fetched(url: str | urllib.request.Request) -> bytes:
    with urllib.request.urlopen(url, timeout=READ_SECONDS) as response:
        data: bytes = response.read(_ENCODED_BYTES_MAX)
        if len(data) < _ENCODED_BYTES_MAX and getattr(response, "length", None):
            raise http.client.IncompleteRead(data, response.length)
        codings = [it.encode("latin-1", "replace") for it in response.headers.get_all("Content-Encoding", ())]
    return _decoded(codings, data, len(data) < _ENCODED_BYTES_MAX)[0]


def _name(useragent: str) -> str:
    return useragent.split("/")[0]


def _delay(pacing: Pacing | None) -> int | None:
    delay = pacing.crawl_delay if pacing else None
    return -(-delay.milliseconds // 1000) if delay else None


def _rate(pacing: Pacing | None) -> RequestRate | None:
    rates = [rate for rate in pacing.request_rates if rate.window is None] if pacing else []
    return RequestRate(rates[-1].requests, rates[-1].seconds) if rates else None


def _entry(group: Group, lines: list[str]) -> Entry:
    entry = Entry()
    entry.useragents = list(group.user_agents)
    entry.rulelines = [_rule_line(rule) for rule in group.rules]
    pacing = Reading("\n".join(lines), Dialect.RFC9309).pacing(entry.useragents[0])
    entry.delay, entry.req_rate = _delay(pacing), _rate(pacing)
    return entry


def _rule_line(rule: Rule) -> RuleLine:
    return RuleLine(rule.pattern, rule.effect == "allow")
