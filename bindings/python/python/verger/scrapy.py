"""Use Verger in Scrapy 2.13 and later: as a parser, or as a middleware that also handles status codes.

`RobotParser` parses the body that Scrapy's own middleware fetches:

    ROBOTSTXT_PARSER = "verger.scrapy.RobotParser"

`RobotsTxtMiddleware` replaces Scrapy's middleware. It fetches with Scrapy's downloader and drives
`verger.access.Fetch`, so the profile decides about status codes, redirects, expiry and the last good copy.

    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "verger.scrapy.RobotsTxtMiddleware": 100,
    }
"""

from __future__ import annotations

import asyncio
import logging
import math
import re
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy import signals
from scrapy.core.downloader import Slot
from scrapy.exceptions import IgnoreRequest, NotConfigured, StopDownload
from scrapy.http import Headers, Request, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser as _ScrapyParser
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred
from twisted.internet.task import deferLater
from twisted.internet.threads import deferToThread

import verger
from verger import access
from verger._drive import Robots, Sender
from verger._memory import AGENTS_MAX, MEMORY_BYTES_MAX, Entry, Policies
from verger._shortage import PROXY_STATUS, is_of_site
from verger._verger import _ENCODED_BYTES_MAX, _decoded

if TYPE_CHECKING:
    from typing_extensions import Self

    from scrapy.crawler import Crawler

__all__ = ["AnswerParser", "RobotParser", "RobotsTxtMiddleware", "agent_of", "failure_of"]

logger = logging.getLogger(__name__)

_Agent = str | verger.Crawler
_R = TypeVar("_R")


def agent_of(user_agent: str | bytes) -> _Agent:
    """Return the crawler that a `User-Agent` header, or the setting `ROBOTSTXT_USER_AGENT`, names.

    A product token is used as it is. A header is looked up in the registry. If it is not found there, the token is the
    text after `compatible;`, or the text at the start of the header.
    """
    text = user_agent.decode("utf-8", "replace") if isinstance(user_agent, bytes) else user_agent
    if text == "*" or re.fullmatch("[A-Za-z_-]+", text):
        return text
    known = verger.Crawler.from_user_agent(text)
    if known is not None:
        return known
    found = re.search(r"\bcompatible;\s*([A-Za-z_-]+)", text) or re.match("[A-Za-z_-]+", text)
    return found[found.lastindex or 0] if found else "*"


class RobotParser(_ScrapyParser):
    """A parser for `ROBOTSTXT_PARSER`. The setting `VERGER_DIALECT` selects the dialect (default: `rfc9309`)."""

    def __init__(self, robots: verger.RobotsTxt) -> None:
        self.robots = robots
        """The parsed file."""
        self._policies: dict[str | bytes, verger.Policy] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler | None, robotstxt_body: bytes) -> Self:
        dialect = crawler.settings.get("VERGER_DIALECT") if crawler is not None else None
        return cls(verger.RobotsTxt(robotstxt_body, dialect or verger.Dialect.RFC9309))

    def _policy(self, user_agent: str | bytes) -> verger.Policy:
        policy = self._policies.get(user_agent)
        if policy is None:
            if len(self._policies) >= AGENTS_MAX:
                self._policies.clear()
            policy = self._policies[user_agent] = self.robots.policy(agent_of(user_agent))
        return policy

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Return whether the URL may be fetched. `False` if the text is not a URL."""
        try:
            return self._policy(user_agent).allowed(url)
        except verger.TargetError:
            return False

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Return the Crawl-delay in seconds."""
        delay = self._policy(user_agent).pacing.crawl_delay
        return None if delay is None else delay.seconds


class AnswerParser(_ScrapyParser):
    """The answer about an authority, as passed to `robots_parsed` by `RobotsTxtMiddleware`."""

    def __init__(self, policies: Policies) -> None:
        self._policies = policies

    @classmethod
    def from_crawler(cls, crawler: Crawler | None, robotstxt_body: bytes) -> Self:
        raise NotImplementedError("AnswerParser cannot parse a body: use verger.scrapy.RobotParser")

    @property
    def answer(self) -> access.Answer:
        """The answer, with its outcome, stance, clauses and times."""
        return self._policies.answer

    def policy(self, user_agent: str | bytes) -> access.AccessPolicy:
        """Return the answer compiled for the crawler that a header names."""
        return self._policies.policy(user_agent, lambda: agent_of(user_agent))

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Return whether the URL may be fetched. `False` if the text is not a URL."""
        try:
            return self.policy(user_agent).allowed(url)
        except (verger.TargetError, access.AuthorityError):
            return False

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Return the Crawl-delay in seconds."""
        delay = self.policy(user_agent).pacing.crawl_delay
        return None if delay is None else delay.seconds


_COMPRESSED_MAX = 16 << 20
"""Maximum size of a decoded body, in bytes."""

_FAILURES: dict[str, str] = {
    "CannotResolveHostError": "dns",
    "DNSLookupError": "dns",
    "UnknownHostError": "dns",
    "DownloadConnectionRefusedError": "connect",
    "ConnectError": "connect",
    "DownloadTimeoutError": "timeout",
    "TimeoutError": "timeout",
    "UserTimeoutError": "timeout",
    "TCPTimedOutError": "timeout",
    "ResponseDataLossError": "truncated",
    "PotentialDataLoss": "truncated",
    "SSLError": "tls",
    "ConnectionLost": "reset",
    "ConnectionDone": "reset",
    "ParseError": "protocol",
    "BadResponse": "protocol",
    "DownloadCancelledError": "protocol",
    "BadGzipFile": "content-encoding",
    "ZstdError": "content-encoding",
}
"""Failures by the class name of an exception. The classes differ between versions of Scrapy."""


def failure_of(error: BaseException) -> str:
    """Return the failure for an exception of Scrapy's downloader or of Twisted."""
    if isinstance(error, UnicodeError):
        # A label of the name is empty or too long.
        return "dns"
    if type(error).__module__ == "zlib":
        return "content-encoding"
    for kind in type(error).__mro__:
        if kind.__name__ in _FAILURES:
            return _FAILURES[kind.__name__]
        if kind.__module__.startswith("OpenSSL"):
            return "tls"
    causes: Iterable[object] = getattr(error, "reasons", None) or ()
    for cause in causes:
        value = getattr(cause, "value", cause)
        if isinstance(value, BaseException) and value is not error:
            return failure_of(value)
    if error.__cause__ is not None:
        return failure_of(error.__cause__)
    return "reset"


class _Landing:
    def __init__(self) -> None:
        self._waiting: list[Deferred[None]] = []
        self._is_set = False

    def set(self) -> None:
        self._is_set = True
        waiting, self._waiting = self._waiting, []
        for landed in waiting:
            landed.callback(None)

    async def wait(self) -> None:
        if not self._is_set:
            landed: Deferred[None] = Deferred()
            self._waiting.append(landed)
            await maybe_deferred_to_future(landed)


class _Waits:
    """Waits with or without the asyncio reactor."""

    def landing(self) -> _Landing:
        return _Landing()

    def loop(self) -> None:
        return None

    async def sleep(self, seconds: float) -> None:
        # Importing it installs a reactor if there is none yet.
        from twisted.internet import reactor

        clock: Any = reactor
        slept: Deferred[None] = deferLater(clock, seconds)
        await maybe_deferred_to_future(slept)

    async def blocking(self, call: Callable[..., _R], *arguments: object) -> _R:
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return await maybe_deferred_to_future(deferToThread(call, *arguments))
        return await asyncio.to_thread(call, *arguments)


class RobotsTxtMiddleware:
    """Fetch robots.txt files with Scrapy's downloader, and drop the requests that they disallow.

    Settings, in addition to `ROBOTSTXT_OBEY` and `ROBOTSTXT_USER_AGENT`:

    - `VERGER_PROFILE`: the profile (default: `rfc9309`).
    - `VERGER_STORE`: a file or database that crawls share (default: none).
    - `VERGER_CRAWL_DELAY`: whether to respect the delays of sites (default: yes).
    - `VERGER_MEMORY_BYTES_MAX`: memory for what is known about sites, in bytes (default: 512 MiB).

    `DOWNLOAD_TIMEOUT` limits the whole fetch of a robots.txt, including redirects. The time that a request waits in its
    slot does not count.
    """

    DOWNLOAD_PRIORITY: int = 1000

    clock: Callable[[], float] = staticmethod(time.time)
    """Seconds since 1970."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not settings.getbool("ROBOTSTXT_OBEY"):
            raise NotConfigured
        self.crawler = crawler
        self._default_user_agent: str = settings["USER_AGENT"]
        self._robots_user_agent: str | None = settings["ROBOTSTXT_USER_AGENT"]
        self._keeps_delays = settings.getbool("VERGER_CRAWL_DELAY", True)
        profile = access.Profile(settings.get("VERGER_PROFILE") or "rfc9309")
        deadline = settings.getfloat("DOWNLOAD_TIMEOUT") or math.inf
        store: str | None = settings.get("VERGER_STORE") or None
        memory = settings.getint("VERGER_MEMORY_BYTES_MAX", MEMORY_BYTES_MAX)
        self._robots = Robots(_Waits(), lambda: self.clock(), profile, store, "scrapy", deadline, memory)
        crawler.signals.connect(self._headers_received, signal=signals.headers_received)
        crawler.signals.connect(self._bytes_received, signal=signals.bytes_received)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Create the middleware of a crawl. Raise `NotConfigured` if `ROBOTSTXT_OBEY` is off."""
        return cls(crawler)

    async def process_request(self, request: Request, spider: object = None) -> None:
        """Raise `IgnoreRequest` if robots.txt disallows the request."""
        if request.meta.get("dont_obey_robotstxt"):
            return
        if not request.url.startswith(("http:", "https:", "ftp:")):
            return
        user_agent = self._user_agent(request)
        sender = _Sender(self, request, user_agent)
        entry = await self._robots.entry(access.authority(request.url), sender)
        policy = AnswerParser(entry.policies).policy(user_agent)
        if self._keeps_delays:
            self._pace(request, policy)
        decision = policy.decide(request.url)
        if not decision.allowed:
            reason = "rule" if decision.verdict is not None else str(decision.answer.stance)
            self._drop(request, reason, str(decision))

    def answer(self, url: str) -> access.Answer | None:
        """Return what is known in memory about the authority of a URL.

        If redirects were checked, an answer is valid for one crawler only. This returns the answer for the crawler in
        the settings.
        """
        agent = agent_of(self._robots_user_agent or self._default_user_agent)
        entry = self._robots.memory.known(access.authority(url), agent)
        return None if entry is None else entry.answer

    def _drop(self, request: Request, reason: str, why: str) -> None:
        logger.debug(
            "Forbidden by robots.txt: %(request)s (%(why)s)",
            {"request": request, "why": why},
            extra={"spider": self.crawler.spider},
        )
        self.count("forbidden")
        self.count(f"forbidden/{reason}")
        raise IgnoreRequest(f"Forbidden by robots.txt: {why}")

    def count(self, name: str) -> None:
        """Increment a counter of the stats."""
        self.crawler.stats.inc_value(f"robotstxt/{name}")

    def _user_agent(self, request: Request) -> str | bytes:
        if self._robots_user_agent:
            return self._robots_user_agent
        header: bytes | None = request.headers.get(b"User-Agent")
        return header or self._default_user_agent

    def _headers_received(self, headers: Headers, request: Request) -> None:
        if _BYTES in request.meta:
            request.meta[_HEAD_AT] = time.monotonic()
            request.meta[_CODINGS] = headers.getlist(b"Content-Encoding")

    def _bytes_received(self, data: bytes, request: Request) -> None:
        if _BYTES not in request.meta:
            return
        request.meta[_BYTES] += data
        if len(request.meta[_BYTES]) > _ENCODED_BYTES_MAX:
            raise StopDownload(fail=False)

    def _pace(self, request: Request, policy: access.AccessPolicy) -> None:
        """Apply the delay between two requests to the slot of the request."""
        delay = policy.pacing._wait_seconds(self.clock())
        if not delay:
            return
        engine: Any = self.crawler.engine
        downloader = engine.downloader
        key = downloader.get_slot_key(request)
        slot = downloader.slots.get(key)
        # If Scrapy creates the slot again, it has the delay from the start.
        named = downloader.per_slot_settings.setdefault(key, {})
        default = self.crawler.settings.getfloat("DOWNLOAD_DELAY")
        own: float = slot.delay if slot is not None else named.get("delay", default)
        if own < delay / _SHORTEST_JITTERED:
            # Scrapy's jitter would make some waits shorter than the delay.
            own = max(own, delay)
            named[_JITTER] = 0
            if slot is not None:
                setattr(slot, _JITTER, 0)
        named["delay"] = own
        if slot is not None:
            slot.delay = own
        request.meta.setdefault("autothrottle_dont_adjust_delay", True)


class _Sender(Sender):
    def __init__(
        self, middleware: RobotsTxtMiddleware, request: Request, user_agent: str | bytes
    ) -> None:
        self._middleware = middleware
        self._request = request
        self._user_agent = user_agent
        self._seconds_left: float | None = None
        """Time left for the fetch after its first request, in seconds."""

    @property
    def agent(self) -> _Agent:
        return agent_of(self._user_agent)

    async def fetched(self, attempt: access.Attempt, entry: Entry) -> None:
        self._middleware.count(f"outcome/{attempt.outcome}")
        self._middleware.count(f"stance/{entry.answer.stance}")
        # New in Scrapy 2.18.
        parsed = getattr(signals, "robots_parsed", None)
        if entry.is_checked and parsed is not None:
            await self._middleware.crawler.signals.send_catch_log_async(
                signal=parsed, robotparser=AnswerParser(entry.policies), request=self._request
            )

    def store_failed(self, error: access.StoreError) -> None:
        self._middleware.count("store_error_count")
        logger.warning("%s", error, extra={"spider": self._middleware.crawler.spider})

    async def send(self, fetch: access.Fetch, request: access.Request) -> None:
        meta: dict[str, Any] = {
            "dont_obey_robotstxt": True,
            "dont_redirect": True,
            "dont_retry": True,
            "dont_cache": True,
            "allow_offsite": True,
            "download_fail_on_dataloss": True,
            "download_maxsize": _COMPRESSED_MAX,
            _BYTES: bytearray(),
        }
        if self._seconds_left is not None:
            if self._seconds_left <= 0:
                fetch.failure(access.Failure.TIMEOUT, now=self._middleware.clock())
                return
            meta["download_timeout"] = self._seconds_left
        if "proxy" in self._request.meta:
            meta["proxy"] = self._request.meta["proxy"]
        asked = Request(
            request.url,
            # Scrapy does not report an encoded body that ends early.
            headers={**dict(request.conditions), "Accept-Encoding": "identity"},
            priority=self._middleware.DOWNLOAD_PRIORITY,
            meta=meta,
            callback=NO_CALLBACK,
            dont_filter=True,
        )
        self._middleware.count("request_count")
        try:
            response = await self._download(asked)
        except IgnoreRequest:
            # Another middleware dropped it, which is not a fact about the site.
            fetch.failure(access.Failure.ADDRESS_REFUSED, now=self._middleware.clock())
        except Exception as error:
            self._middleware.count(f"exception_count/{type(error)}")
            logger.info(
                "Error downloading %(request)s: %(error)s",
                {"request": asked, "error": error},
                extra={"spider": self._middleware.crawler.spider},
            )
            if not is_of_site(error):
                raise
            fetch.failure(failure_of(error), now=self._middleware.clock())
        else:
            self._middleware.count("response_count")
            self._middleware.count(f"response_status_count/{response.status}")
            if "download_timeout" in asked.meta:
                self._seconds_left = asked.meta["download_timeout"] - seconds_downloaded(asked)
            self._take(fetch, response.request or asked, response)

    async def _download(self, request: Request) -> Response:
        engine: Any = self._middleware.crawler.engine
        if hasattr(engine, "download_async"):
            response: Response = await engine.download_async(request)
        else:
            response = await maybe_deferred_to_future(engine.download(request))
        return response

    def _take(self, fetch: access.Fetch, asked: Request, response: Response) -> None:
        now, whole = self._middleware.clock(), "download_stopped" not in response.flags
        status, body = response.status, response.body
        # If the downloader did not send these signals, Scrapy has removed the header when it decoded the body.
        codings: list[bytes] = asked.meta.get(_CODINGS) or response.headers.getlist(b"Content-Encoding")
        if response.url.startswith("ftp:"):
            if status == 200:
                fetch.ftp_file(body, now=now, whole=whole)
            elif status == 404:
                # Scrapy reports FTP reply 550 as 404.
                fetch.ftp_reply(550, now=now)
            else:
                fetch.failure(access.Failure.CONNECT, now=now)
            return
        if status == PROXY_STATUS:
            fetch.failure(access.Failure.CONNECT, now=now)
            return
        if codings and status < 300:
            data = bytes(asked.meta[_BYTES])
            try:
                if body and not data:
                    raise ValueError("the encoded bytes are not available")
                body, whole = _decoded(codings, data, whole)
            except ValueError:
                fetch.failure(access.Failure.CONTENT_ENCODING, now=now)
                return
        fetch.response(status, response.headers, body, now=now, whole=whole)


def seconds_downloaded(request: Request) -> float:
    """Return how long a request has been on the network: until its head arrived, and from then until now."""
    head_at: float = request.meta.get(_HEAD_AT, time.monotonic())
    latency: float = request.meta.get("download_latency", 0.0)
    return latency + time.monotonic() - head_at


_BYTES = "verger_bytes"
_HEAD_AT = "verger_head_at"
_CODINGS = "verger_codings"

_SHORTEST_JITTERED = 0.5
"""The smallest factor that Scrapy's default jitter applies to a delay."""

_JITTER = "jitter" if hasattr(Slot, "jitter") else "randomize_delay"
"""Name of the jitter attribute, which depends on the version of Scrapy."""
