"""A client middleware for aiohttp 3.12 and later.

    async with aiohttp.ClientSession(middlewares=[GateMiddleware("ExampleBot")], headers=...) as session:

aiohttp sends each redirect through its middlewares, so each one is checked. A robots.txt is fetched over the connector
of the session and through the proxy of the request, without the headers, cookies and middlewares of the session. The
`total` of a `ClientTimeout` includes the wait for a delay and the fetch of a robots.txt. If it is shorter than the
fetch, it cancels the fetch, and the next request starts again.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import TypeVar

import aiohttp

from verger import access
from verger._memory import MEMORY_BYTES_MAX
from verger._waits import Waits
from verger.gate._gate import DEADLINE, Agent, Gate, GateSender, Taken

__all__ = ["GateMiddleware", "failure_of"]

_R = TypeVar("_R")


class GateMiddleware:
    """Check robots.txt before the session sends a request.

    Raises `verger.gate.GateError`. See `verger.gate` for the arguments. Put it last in the list. Then requests
    repeated by other middlewares are checked again.
    """

    def __init__(
        self,
        agent: Agent,
        *,
        profile: access.Profile | str = access.Profile.RFC9309,
        store: str | os.PathLike[str] | None = None,
        keep_delays: bool = True,
        longest_wait: float | None = None,
        least_delay: float = 0.0,
        deadline: float = DEADLINE,
        memory_bytes_max: int = MEMORY_BYTES_MAX,
    ) -> None:
        self.gate = Gate(
            agent,
            _AsyncioWaits(),
            profile=profile,
            store=store,
            keep_delays=keep_delays,
            longest_wait=longest_wait,
            least_delay=least_delay,
            deadline=deadline,
            memory_bytes_max=memory_bytes_max,
        )

    async def __call__(
        self, request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType
    ) -> aiohttp.ClientResponse:
        await self.gate.admit(str(request.url), _Sender(self.gate, request))
        return await handler(request)


class _AsyncioWaits(Waits):
    def landing(self) -> asyncio.Event:
        return asyncio.Event()

    def loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    async def blocking(self, call: Callable[..., _R], *arguments: object) -> _R:
        return await asyncio.to_thread(call, *arguments)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class _Sender(GateSender):
    def __init__(self, gate: Gate, request: aiohttp.ClientRequest) -> None:
        super().__init__(gate, request.headers.get("User-Agent"))
        self._session = request.session
        self._proxy = request.proxy
        self._proxy_auth = request.proxy_auth
        self._proxy_headers = request.proxy_headers
        self._ssl = request.ssl

    async def finishes(self, request: access.Request, taken: Taken, seconds: float) -> bool:
        queued: list[object] = []

        async def queue(*_: object) -> None:
            queued.append(None)

        async def leave(*_: object) -> None:
            queued.clear()

        trace = aiohttp.TraceConfig()
        trace.on_connection_queued_start.append(queue)
        trace.on_connection_queued_end.append(leave)
        # The headers, authorization, cookies and middlewares of the session are only for its own requests.
        async with aiohttp.ClientSession(
            connector=self._session.connector,
            connector_owner=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=self._session.trust_env,
            trace_configs=[trace],
        ) as session:
            await self._receive(session, request, taken, seconds, queued)
        return True

    async def _receive(
        self,
        session: aiohttp.ClientSession,
        request: access.Request,
        taken: Taken,
        seconds: float,
        queued: list[object],
    ) -> None:
        try:
            async with session.get(
                request.url,
                headers=self.headers(request),
                proxy=self._proxy,
                proxy_auth=self._proxy_auth,
                proxy_headers=self._proxy_headers,
                ssl=self._ssl,
                allow_redirects=False,
                raise_for_status=False,
                auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=seconds),
            ) as response:
                if taken.begin(response.status, response.raw_headers):
                    async for data in response.content.iter_any():
                        if not taken.take(data):
                            break
        except (aiohttp.ClientError, asyncio.TimeoutError, UnicodeError) as error:
            if queued:
                # Other requests use all connections. This is not a fact about the site.
                raise
            taken.fail(error, failure_of(error))


def failure_of(error: Exception) -> access.Failure:
    """Return the failure for an exception of aiohttp, for `access.Fetch.failure`."""
    if isinstance(error, UnicodeError):
        # A label of the name is empty or too long.
        return access.Failure.DNS
    if isinstance(error, asyncio.TimeoutError):
        return access.Failure.TIMEOUT
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return access.Failure.DNS
    if isinstance(error, aiohttp.ClientSSLError):
        return access.Failure.TLS
    if isinstance(error, aiohttp.ClientConnectorError):
        return access.Failure.CONNECT
    if isinstance(error, aiohttp.ClientPayloadError):
        return access.Failure.TRUNCATED
    if isinstance(error, (aiohttp.ClientResponseError, aiohttp.InvalidURL)):
        return access.Failure.PROTOCOL
    return access.Failure.RESET
