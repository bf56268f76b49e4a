"""Check robots.txt in a Crawlee crawl, with a hook that runs before each page and fetches through Crawlee's HTTP
client.

Crawlee's own `respect_robots_txt_file` reads only the group for `*`, allows everything if a robots.txt cannot be
fetched, and does not support other parsers. Leave it off and use these hooks instead.
"""

from __future__ import annotations

import asyncio
import time
from urllib.parse import urljoin

import impit
from crawlee.crawlers import BasicCrawlingContext, HttpCrawlingContext
from crawlee.errors import ContextPipelineInterruptedError, ProxyError
from crawlee.http_clients import HttpClient, ImpitHttpClient
from crawlee.proxy_configuration import ProxyInfo

from verger import access


def http_client(user_agent: str) -> ImpitHttpClient:
    """Create a client that identifies itself and leaves redirects to `Fetch` and `Robots.follow`."""
    headers = {"User-Agent": user_agent}
    return ImpitHttpClient(browser=None, follow_redirects=False, headers=headers)


class Robots:
    """Knowledge about authorities. Create one per crawl."""

    def __init__(self, client: HttpClient, agent: str) -> None:
        self.client = client
        self.agent = agent
        self.known: dict[str, access.Knowledge] = {}
        self.locks: dict[str, asyncio.Lock] = {}

    async def ask(self, context: BasicCrawlingContext) -> None:
        """Skip a request that is denied, without retrying it. For `crawler.pre_navigation_hook`."""
        decision = await self.decide(context.request.url, context.proxy_info)
        if not decision.allowed:
            context.log.info(f"{context.request.url}: {decision}")
            raise ContextPipelineInterruptedError(str(decision))

    async def follow(self, context: HttpCrawlingContext) -> None:
        """Add the target of a redirect as a new request, so it is checked. For `crawler.post_navigation_hook`."""
        response = context.http_response
        location = response.headers.get("location")
        if 300 <= response.status_code < 400 and location:
            await context.add_requests([urljoin(context.request.url, location)])

    async def decide(self, url: str, proxy: ProxyInfo | None = None) -> access.Decision:
        """Return whether `url` may be fetched, after fetching the robots.txt if necessary."""
        authority = access.authority(url)
        async with self.locks.setdefault(authority, asyncio.Lock()):
            knowledge = self.known.get(authority, access.Knowledge())
            answer = knowledge.answer(now=time.time())
            if answer.is_due(now=time.time()):
                self.known[authority] = await self._fetched(url, knowledge, proxy)
                answer = self.known[authority].answer(now=time.time())
        return access.AccessPolicy(answer, self.agent).decide(url)

    async def _fetched(
        self, url: str, knowledge: access.Knowledge, proxy: ProxyInfo | None
    ) -> access.Knowledge:
        fetch = access.Fetch(url, knowledge=knowledge)
        while not isinstance(action := fetch.action, access.Attempt):
            if isinstance(action, access.HopQuestion):
                # The profile `google` asks this. `rfc9309` does not.
                fetch.hop(access.HopVerdict.UNKNOWN)
            else:
                await self._send(fetch, action, proxy)
        return fetch.knowledge

    async def _send(
        self, fetch: access.Fetch, request: access.Request, proxy: ProxyInfo | None
    ) -> None:
        headers = {**dict(request.conditions), "Accept-Encoding": "identity"}
        body = bytearray()
        try:
            async with self.client.stream(request.url, headers=headers, proxy_info=proxy) as response:
                async for data in response.read_stream():
                    body += data
                    if len(body) >= access.BODY_BYTES_WANTED:
                        break
        except (asyncio.TimeoutError, impit.HTTPError, ProxyError, ValueError) as error:
            fetch.failure(failure_of(error), now=time.time())
        else:
            whole, now = len(body) < access.BODY_BYTES_WANTED, time.time()
            status, headers = response.status_code, dict(response.headers)
            if 200 <= status < 300 and headers.get("content-encoding", "identity") != "identity":
                # The server sent a coding that was refused. If the body ended early in it, Crawlee may not notice.
                fetch.failure(access.Failure.CONTENT_ENCODING, now=now)
            else:
                fetch.response(status, headers, bytes(body), now=now, whole=whole)


def failure_of(error: Exception) -> access.Failure:
    """Return the failure for an exception of Crawlee's HTTP client."""
    if isinstance(error, (asyncio.TimeoutError, impit.TimeoutException)):
        return access.Failure.TIMEOUT
    if isinstance(error, (impit.ConnectError, impit.ProxyError, ProxyError)):
        return access.Failure.CONNECT
    if isinstance(error, impit.DecodingError):
        return access.Failure.CONTENT_ENCODING
    if isinstance(error, impit.NetworkError):
        return access.Failure.RESET
    return access.Failure.PROTOCOL
