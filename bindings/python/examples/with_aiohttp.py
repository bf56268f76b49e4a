"""Check robots.txt with an aiohttp session. All tasks that need one robots.txt share a single fetch."""

from __future__ import annotations

import asyncio
import time

import aiohttp

from verger import access
from verger.gate.aiohttp import failure_of


class Robots:
    """Knowledge about authorities. Create one per crawl."""

    def __init__(self, session: aiohttp.ClientSession, agent: str) -> None:
        self.session = session
        self.agent = agent
        self.known: dict[str, access.Knowledge] = {}
        self.locks: dict[str, asyncio.Lock] = {}

    async def decide(self, url: str) -> access.Decision:
        """Return whether `url` may be fetched, after fetching the robots.txt if necessary."""
        authority = access.authority(url)
        async with self.locks.setdefault(authority, asyncio.Lock()):
            knowledge = self.known.get(authority, access.Knowledge())
            answer = knowledge.answer(now=time.time())
            if answer.is_due(now=time.time()):
                self.known[authority] = await self._fetched(url, knowledge)
                answer = self.known[authority].answer(now=time.time())
        return access.AccessPolicy(answer, self.agent).decide(url)

    async def _fetched(self, url: str, knowledge: access.Knowledge) -> access.Knowledge:
        fetch = access.Fetch(url, knowledge=knowledge)
        while not isinstance(action := fetch.action, access.Attempt):
            if isinstance(action, access.HopQuestion):
                # The profile `google` asks this. `rfc9309` does not.
                fetch.hop(access.HopVerdict.UNKNOWN)
            else:
                await self._send(fetch, action)
        return fetch.knowledge

    async def _send(self, fetch: access.Fetch, request: access.Request) -> None:
        headers = {**dict(request.conditions), "Accept-Encoding": "identity"}
        headers["User-Agent"] = self.session.headers.get("User-Agent", self.agent)
        try:
            async with (
                self._bare_session() as session,
                session.get(request.url, headers=headers, allow_redirects=False) as response,
            ):
                body, whole = await self._body(response)
        except (aiohttp.ClientError, asyncio.TimeoutError, UnicodeError) as error:
            fetch.failure(failure_of(error), now=time.time())
        else:
            status, now = response.status, time.time()
            if response.ok and response.headers.get("Content-Encoding", "identity") != "identity":
                # The server sent a coding that was refused. If the body ended early in it, aiohttp may not notice.
                fetch.failure(access.Failure.CONTENT_ENCODING, now=now)
            else:
                fetch.response(status, response.raw_headers, body, now=now, whole=whole)

    def _bare_session(self) -> aiohttp.ClientSession:
        """A redirect may lead to another origin, which must not receive the headers, credentials and cookies."""
        return aiohttp.ClientSession(
            connector=self.session.connector,
            connector_owner=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=self.session.timeout,
            trust_env=self.session.trust_env,
        )

    async def _body(self, response: aiohttp.ClientResponse) -> tuple[bytes, bool]:
        body = bytearray()
        async for data in response.content.iter_any():
            body += data
            if len(body) >= access.BODY_BYTES_WANTED:
                return bytes(body), False
        return bytes(body), True
