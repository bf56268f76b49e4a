"""For Scrapy 2.13 and later: a parser by one setting, and a middleware that knows what a status means.

`RobotParser` reads the body that Scrapy's own middleware fetches:

    ROBOTSTXT_PARSER = "verger.scrapy.RobotParser"

`RobotsTxtMiddleware` takes the place of Scrapy's own. It fetches with Scrapy's downloader, in the way that
`verger.access.Fetch` says: statuses, redirects, expiry and the last good copy count as the profile has it.

    DOWNLOADER_MIDDLEWARES = {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        "verger.scrapy.RobotsTxtMiddleware": 100,
    }
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy import signals
from scrapy.core.downloader import Slot
from scrapy.exceptions import IgnoreRequest, NotConfigured, StopDownload
from scrapy.http import Request, Response
from scrapy.http.request import NO_CALLBACK
from scrapy.robotstxt import RobotParser as _ScrapyParser
from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread

import verger
from verger import access

if TYPE_CHECKING:
    from typing_extensions import Self

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_Agent = str | verger.Crawler
_R = TypeVar("_R")


def agent_of(user_agent: str | bytes) -> _Agent:
    """The crawler that a `User-Agent` header, or the setting `ROBOTSTXT_USER_AGENT`, names.

    A product token is taken as it is. A header is looked up in the registry; of one that is not there,
    the token is what stands behind `compatible;`, or what the header begins with.
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
    """The parser for `ROBOTSTXT_PARSER`. The setting `VERGER_DIALECT` has the dialect (`rfc9309`)."""

    def __init__(self, robots: verger.RobotsTxt) -> None:
        self.robots = robots
        """The file, read."""
        self._policies: dict[str | bytes, verger.Policy] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler | None, robotstxt_body: bytes) -> Self:
        dialect = crawler.settings.get("VERGER_DIALECT") if crawler is not None else None
        return cls(verger.parse(robotstxt_body, dialect or verger.Dialect.RFC9309))

    def _policy(self, user_agent: str | bytes) -> verger.Policy:
        policy = self._policies.get(user_agent)
        if policy is None:
            if len(self._policies) >= _AGENTS_MAX:
                self._policies.clear()
            policy = self._policies[user_agent] = self.robots.policy(agent_of(user_agent))
        return policy

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Whether the URL may be fetched; no for a text that is no URL."""
        try:
            return self._policy(user_agent).allowed(url)
        except verger.TargetError:
            return False

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """The Crawl-delay in seconds."""
        delay = self._policy(user_agent).pacing.crawl_delay
        return None if delay is None else delay.seconds


class AnswerParser(_ScrapyParser):
    """What `robots_parsed` gets from `RobotsTxtMiddleware`: the answer about an authority."""

    def __init__(self, answer: access.Answer) -> None:
        self.answer = answer
        """Fact, stance, clauses and times."""
        self._policies: dict[str | bytes, access.AccessPolicy] = {}

    @classmethod
    def from_crawler(cls, crawler: Crawler | None, robotstxt_body: bytes) -> Self:
        raise NotImplementedError("an answer is no body: use verger.scrapy.RobotParser")

    def policy(self, user_agent: str | bytes) -> access.AccessPolicy:
        """The answer, compiled for the crawler that a header names."""
        policy = self._policies.get(user_agent)
        if policy is None:
            if len(self._policies) >= _AGENTS_MAX:
                self._policies.clear()
            policy = access.AccessPolicy(self.answer, agent_of(user_agent))
            self._policies[user_agent] = policy
        return policy

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Whether the URL may be fetched; no for a text that is no URL."""
        try:
            return self.policy(user_agent).allowed(url)
        except verger.TargetError:
            return False

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """The Crawl-delay in seconds."""
        delay = self.policy(user_agent).pacing.crawl_delay
        return None if delay is None else delay.seconds


_AGENTS_MAX = 100
"""Policies that a parser keeps: a crawl may rotate its headers."""

_AUTHORITIES_MAX = 10_000
"""Authorities whose answers are kept in memory."""

_COMPRESSED_MAX = 16 << 20
"""Octets that a body may have once its encoding is undone."""

_LEASE_SECONDS = 60
_LEASE_POLL_SECONDS = 0.25
_LEASE_POLLS_MAX = 2 * int(_LEASE_SECONDS / _LEASE_POLL_SECONDS)

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
"""What exceptions mean, by the name of the class: each version of Scrapy has others."""


def failure_of(error: BaseException) -> str:
    """The failure that an exception of Scrapy's downloader, or of Twisted, stands for."""
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


class _Entry:
    """What is known about an authority, and what follows."""

    def __init__(self, knowledge: access.Knowledge, answer: access.Answer) -> None:
        self.knowledge = knowledge
        self.parser = AnswerParser(answer)
        self.is_checked = True
        """Whether the redirects on the way were checked, where the profile asks for that."""

    @property
    def answer(self) -> access.Answer:
        return self.parser.answer


class RobotsTxtMiddleware:
    """Fetches robots.txt files with Scrapy's downloader, and drops the requests that they disallow.

    Settings, beside `ROBOTSTXT_OBEY` and `ROBOTSTXT_USER_AGENT`: `VERGER_PROFILE` (`rfc9309`), `VERGER_STORE` (a
    file that crawls share; none), `VERGER_CRAWL_DELAY` (whether delays are kept; yes).
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
        self._profile = access.Profile(settings.get("VERGER_PROFILE") or "rfc9309")
        self._keeps_delays = settings.getbool("VERGER_CRAWL_DELAY", True)
        store = settings.get("VERGER_STORE")
        self._store = access.Store(store) if store else None
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._flights: dict[str, list[Deferred[_Entry | None]]] = {}
        self._waits: dict[str, str] = {}
        crawler.signals.connect(self._bytes_received, signal=signals.bytes_received)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request, spider: object = None) -> None:
        """Drops the request where robots.txt disallows it, by `IgnoreRequest`."""
        if request.meta.get("dont_obey_robotstxt"):
            return
        if not request.url.startswith(("http:", "https:", "ftp:")):
            return
        entry = await self._entry(access.authority(request.url), request)
        if entry is None:
            self._drop(request, "unknown", "the robots.txt could not be requested")
            return
        user_agent = self._user_agent(request)
        policy = entry.parser.policy(user_agent)
        if self._keeps_delays:
            self._pace(request, policy)
        decision = policy.decide(request.url)
        if not decision.allowed:
            reason = "rule" if decision.verdict is not None else str(decision.answer.stance)
            self._drop(request, reason, str(decision))

    def answer(self, url: str) -> access.Answer | None:
        """What is known about the authority of a URL, as far as it is in memory."""
        entry = self._entries.get(access.authority(url))
        return None if entry is None else entry.answer

    def _drop(self, request: Request, reason: str, why: str) -> None:
        logger.debug(
            "Forbidden by robots.txt: %(request)s (%(why)s)",
            {"request": request, "why": why},
            extra={"spider": self.crawler.spider},
        )
        self._count("forbidden")
        self._count(f"forbidden/{reason}")
        raise IgnoreRequest(f"Forbidden by robots.txt: {why}")

    def _count(self, name: str) -> None:
        self.crawler.stats.inc_value(f"robotstxt/{name}")

    def _user_agent(self, request: Request) -> str | bytes:
        if self._robots_user_agent:
            return self._robots_user_agent
        header: bytes | None = request.headers.get(b"User-Agent")
        return header or self._default_user_agent

    # ---- what is known ---------------------------------------------------------------------------

    def _current(self, authority: str) -> _Entry | None:
        """What is known, where it is still good."""
        entry = self._entries.get(authority)
        if entry is None:
            return None
        self._entries.move_to_end(authority)
        now = self.clock()
        if now < entry.answer.holds_until:
            return entry
        answer = entry.knowledge.answer(now=now, profile=self._profile)
        if answer.is_due(now=now):
            return None
        return self._keep(authority, _Entry(entry.knowledge, answer))

    def _keep(self, authority: str, entry: _Entry) -> _Entry:
        self._entries[authority] = entry
        self._entries.move_to_end(authority)
        while len(self._entries) > _AUTHORITIES_MAX:
            self._entries.popitem(last=False)
        return entry

    async def _entry(self, authority: str, request: Request, depth: int = 0) -> _Entry | None:
        """What is known, after a fetch where one is due: one for all requests that wait for it."""
        while True:
            entry = self._current(authority)
            if entry is not None:
                return entry
            waiting = self._flights.get(authority)
            if waiting is None:
                return await self._fly(authority, request, depth)
            landed: Deferred[_Entry | None] = Deferred()
            waiting.append(landed)
            found = await maybe_deferred_to_future(landed)
            # What asked about no hop answers a question about a hop alone.
            if found is None or found.is_checked or depth:
                return found

    async def _fly(self, authority: str, request: Request, depth: int) -> _Entry | None:
        waiting = self._flights[authority] = []
        entry = None
        try:
            entry = await self._find_out(authority, request, depth)
        finally:
            del self._flights[authority]
            for landed in waiting:
                landed.callback(entry)
        return entry

    async def _find_out(self, authority: str, request: Request, depth: int) -> _Entry:
        before = self._entries.get(authority)
        knowledge = before.knowledge if before else access.Knowledge()
        store, lease = self._store, None
        if store is not None:
            try:
                knowledge, lease = await _in_thread(self._known_or_lease, store, authority, knowledge)
            except access.StoreError as error:
                self._store_failed(error)
                store = None
            else:
                if lease is None:
                    answer = knowledge.answer(now=self.clock(), profile=self._profile)
                    return self._keep(authority, _Entry(knowledge, answer))
        fetch = access.Fetch(
            authority,
            profile=self._profile,
            knowledge=knowledge,
            jitter=random.randint(-100, 100),
        )
        try:
            attempt, is_checked = await self._drive(fetch, authority, request, depth)
        except BaseException:
            if store is not None and lease is not None:
                await _in_thread(store.release, lease)
            raise
        if store is not None and lease is not None:
            try:
                if is_checked:
                    await _in_thread(store.put, lease, fetch)
                else:
                    await _in_thread(store.release, lease)
            except access.StoreError as error:
                self._store_failed(error)
        answer = fetch.knowledge.answer(now=self.clock(), profile=self._profile)
        entry = _Entry(fetch.knowledge, answer)
        entry.is_checked = is_checked
        self._count(f"outcome/{attempt.outcome}")
        self._count(f"stance/{answer.stance}")
        if is_checked:
            self._keep(authority, entry)
            await self._send_parsed(entry, request)
        return entry

    def _known_or_lease(
        self, store: access.Store, authority: str, knowledge: access.Knowledge
    ) -> tuple[access.Knowledge, access.Lease | None]:
        """What the store knows, where that is recent enough; otherwise the right to fetch. Blocks while
        another process fetches; where that takes too long, what is known has expired and defers."""
        holder = f"scrapy, process {os.getpid()}"
        for _ in range(_LEASE_POLLS_MAX):
            now = self.clock()
            known = store.knowledge(authority, at=now, profile=self._profile)
            if known is not None and (known.seen_at or 0) >= (knowledge.seen_at or 0):
                knowledge = known
                if not knowledge.answer(now=now, profile=self._profile).is_due(now=now):
                    return knowledge, None
            lease = store.acquire(authority, holder=holder, now=now, seconds=_LEASE_SECONDS)
            if lease is not None:
                return knowledge, lease
            time.sleep(_LEASE_POLL_SECONDS)
        return knowledge, None

    def _store_failed(self, error: access.StoreError) -> None:
        self._count("store_error_count")
        logger.warning("%s", error, extra={"spider": self.crawler.spider})

    async def _send_parsed(self, entry: _Entry, request: Request) -> None:
        # Scrapy 2.18 has it.
        parsed = getattr(signals, "robots_parsed", None)
        if parsed is not None:
            await self.crawler.signals.send_catch_log_async(
                signal=parsed, robotparser=entry.parser, request=request
            )

    # ---- one fetch -------------------------------------------------------------------------------

    async def _drive(
        self, fetch: access.Fetch, authority: str, request: Request, depth: int
    ) -> tuple[access.Attempt, bool]:
        is_checked = True
        while True:
            action = fetch.action
            if isinstance(action, access.Request):
                await self._send(fetch, action, request)
            elif isinstance(action, access.HopQuestion):
                if depth:
                    is_checked = False
                    fetch.hop(access.HopVerdict.UNKNOWN)
                else:
                    fetch.hop(await self._hop_verdict(action.url, authority, request))
            else:
                return action, is_checked

    async def _hop_verdict(self, url: str, authority: str, request: Request) -> access.HopVerdict:
        asked = access.authority(url)
        # Two fetches must not wait for each other.
        on_the_way: str | None = asked
        while on_the_way is not None:
            if on_the_way == authority:
                return access.HopVerdict.UNKNOWN
            on_the_way = self._waits.get(on_the_way)
        self._waits[authority] = asked
        try:
            entry = await self._entry(asked, request, depth=1)
        finally:
            del self._waits[authority]
        if entry is None:
            return access.HopVerdict.UNKNOWN
        return entry.answer.hop_verdict(url, agent=agent_of(self._user_agent(request)))

    async def _send(self, fetch: access.Fetch, action: access.Request, request: Request) -> None:
        meta: dict[str, Any] = {
            "dont_obey_robotstxt": True,
            "dont_redirect": True,
            "dont_retry": True,
            "dont_cache": True,
            "allow_offsite": True,
            "download_fail_on_dataloss": True,
            "download_maxsize": _COMPRESSED_MAX,
            _OCTETS: 0,
        }
        if "proxy" in request.meta:
            meta["proxy"] = request.meta["proxy"]
        asked = Request(
            action.url,
            headers=dict(action.conditions),
            priority=self.DOWNLOAD_PRIORITY,
            meta=meta,
            callback=NO_CALLBACK,
            dont_filter=True,
        )
        self._count("request_count")
        try:
            response = await self._download(asked)
        except IgnoreRequest:
            # Another middleware dropped it: that says nothing about the site.
            fetch.failure(access.Failure.ADDRESS_REFUSED, now=self.clock())
        except Exception as error:
            self._count(f"exception_count/{type(error)}")
            logger.info(
                "Error downloading %(request)s: %(error)s",
                {"request": asked, "error": error},
                extra={"spider": self.crawler.spider},
            )
            fetch.failure(failure_of(error), now=self.clock())
        else:
            self._count("response_count")
            self._count(f"response_status_count/{response.status}")
            self._take(fetch, response)

    async def _download(self, request: Request) -> Response:
        engine: Any = self.crawler.engine
        if hasattr(engine, "download_async"):
            response: Response = await engine.download_async(request)
        else:
            response = await maybe_deferred_to_future(engine.download(request))
        return response

    def _take(self, fetch: access.Fetch, response: Response) -> None:
        now, whole = self.clock(), "download_stopped" not in response.flags
        if response.url.startswith("ftp:"):
            if response.status == 200:
                fetch.ftp_file(response.body, now=now, whole=whole)
            elif response.status == 404:
                # Scrapy's name for 550.
                fetch.ftp_reply(550, now=now)
            else:
                fetch.failure(access.Failure.CONNECT, now=now)
        elif response.headers.get(b"Content-Encoding") and response.status < 300:
            # What Scrapy has decoded has this header no more.
            fetch.failure(access.Failure.CONTENT_ENCODING, now=now)
        else:
            fetch.response(response.status, response.headers, response.body, now=now, whole=whole)

    def _bytes_received(self, data: bytes, request: Request) -> None:
        if _OCTETS not in request.meta:
            return
        request.meta[_OCTETS] += len(data)
        if request.meta[_OCTETS] > access.BODY_OCTETS_WANTED:
            raise StopDownload(fail=False)

    # ---- delays ----------------------------------------------------------------------------------

    def _pace(self, request: Request, policy: access.AccessPolicy) -> None:
        """Keeps the delay between two requests in the slot of the request."""
        pacing = policy.pacing
        if not pacing:
            return
        at = datetime.fromtimestamp(self.clock(), timezone.utc).time()
        delay = pacing.wait_milliseconds(at) / 1000
        if not delay:
            return
        engine: Any = self.crawler.engine
        downloader = engine.downloader
        key = downloader.get_slot_key(request)
        slot = downloader.slots.get(key)
        # A slot that Scrapy makes again has the delay from the beginning.
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


_OCTETS = "verger_octets"

_SHORTEST_JITTERED = 0.5
"""What Scrapy's default jitter leaves of a delay at least."""

_JITTER = "jitter" if hasattr(Slot, "jitter") else "randomize_delay"
"""The name of the jitter, which depends on the version of Scrapy."""


async def _in_thread(call: Callable[..., _R], *arguments: object) -> _R:
    """What a call returns that may block."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return await maybe_deferred_to_future(deferToThread(call, *arguments))
    return await asyncio.to_thread(call, *arguments)
