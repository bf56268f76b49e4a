"""For httpx: transports around another transport, with and without asyncio or trio.

    transport = GateTransport("ExampleBot", httpx.HTTPTransport(http2=True))
    client = httpx.Client(transport=transport, headers={"User-Agent": "ExampleBot/1.0 (+https://...)"})

With `transport=`, a client takes certificates, HTTP/2, limits and proxies from the transport inside, not from
its own arguments. httpx sends each redirect through the transport, so each is asked about.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread
import httpx

from verger import access
from verger._drive import at_once
from verger.gate._blocking import BlockingWaits
from verger.gate._gate import SECONDS_MAX, Agent, Gate, GateSender, GateWaits

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["AsyncGateTransport", "GateTransport", "failure_of"]

_R = TypeVar("_R")


class GateTransport(httpx.BaseTransport):
    """Asks robots.txt before it sends a request through `transport` (`httpx.HTTPTransport()`).

    Raises `verger.gate.GateError`; `verger.gate` has the other arguments.
    """

    def __init__(
        self,
        agent: Agent,
        transport: httpx.BaseTransport | None = None,
        *,
        profile: access.Profile | str = access.Profile.RFC9309,
        store: str | os.PathLike[str] | None = None,
        keep_delays: bool = True,
        longest_wait: float | None = None,
    ) -> None:
        self.transport = httpx.HTTPTransport() if transport is None else transport
        """The transport that sends."""
        self.gate = Gate(
            agent,
            BlockingWaits(),
            profile=profile,
            store=store,
            keep_delays=keep_delays,
            longest_wait=longest_wait,
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Sends the request once it may be sent."""
        at_once(self.gate.admit(str(request.url), _Sender(self.gate, request, self.transport)))
        return self.transport.handle_request(request)

    def close(self) -> None:
        """Closes the transport that sends."""
        self.transport.close()

    def __enter__(self) -> Self:
        self.transport.__enter__()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        self.transport.__exit__(exc_type, exc_value, traceback)


class AsyncGateTransport(httpx.AsyncBaseTransport):
    """`GateTransport` for `httpx.AsyncClient`, around `httpx.AsyncHTTPTransport()` or another."""

    def __init__(
        self,
        agent: Agent,
        transport: httpx.AsyncBaseTransport | None = None,
        *,
        profile: access.Profile | str = access.Profile.RFC9309,
        store: str | os.PathLike[str] | None = None,
        keep_delays: bool = True,
        longest_wait: float | None = None,
    ) -> None:
        self.transport = httpx.AsyncHTTPTransport() if transport is None else transport
        """The transport that sends."""
        self.gate = Gate(
            agent,
            _AnyioWaits(),
            profile=profile,
            store=store,
            keep_delays=keep_delays,
            longest_wait=longest_wait,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Sends the request once it may be sent."""
        await self.gate.admit(str(request.url), _AsyncSender(self.gate, request, self.transport))
        return await self.transport.handle_async_request(request)

    async def aclose(self) -> None:
        """Closes the transport that sends."""
        await self.transport.aclose()

    async def __aenter__(self) -> Self:
        await self.transport.__aenter__()
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None = None,
        exc_value: BaseException | None = None,
        traceback: TracebackType | None = None,
    ) -> None:
        await self.transport.__aexit__(exc_type, exc_value, traceback)


class _AnyioWaits(GateWaits):
    def landing(self) -> anyio.Event:
        return anyio.Event()

    async def blocking(self, call: Callable[..., _R], *arguments: object) -> _R:
        return await anyio.to_thread.run_sync(call, *arguments)

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


class _HttpxSender(GateSender):
    def __init__(self, gate: Gate, request: httpx.Request) -> None:
        super().__init__(gate, request.headers.get("User-Agent"))
        limits: dict[str, Any] = dict(request.extensions.get("timeout") or {})
        for step in ("connect", "read", "write", "pool"):
            if limits.get(step) is None:
                limits[step] = SECONDS_MAX
        self._limits = limits

    def request(self, request: access.Request) -> httpx.Request:
        """What is sent."""
        extensions = {"timeout": self._limits}
        return httpx.Request("GET", request.url, headers=self.headers(request), extensions=extensions)


class _Sender(_HttpxSender):
    def __init__(self, gate: Gate, request: httpx.Request, transport: httpx.BaseTransport) -> None:
        super().__init__(gate, request)
        self._transport = transport

    async def send(self, fetch: access.Fetch, request: access.Request) -> None:
        asked = self.request(request)
        try:
            response = self._transport.handle_request(asked)
        except (httpx.TransportError, httpx.InvalidURL) as error:
            self.failed(fetch, failure_of(error))
            return
        response.request = asked
        taken = self.begin(fetch, response.status_code, response.headers.raw)
        try:
            if taken.wants_body:
                for octets in response.iter_bytes():
                    if not taken.take(octets):
                        break
        except httpx.RequestError as error:
            taken.break_off(failure_of(error))
        finally:
            response.close()
        taken.end()


class _AsyncSender(_HttpxSender):
    def __init__(
        self, gate: Gate, request: httpx.Request, transport: httpx.AsyncBaseTransport
    ) -> None:
        super().__init__(gate, request)
        self._transport = transport

    async def send(self, fetch: access.Fetch, request: access.Request) -> None:
        asked = self.request(request)
        try:
            response = await self._transport.handle_async_request(asked)
        except (httpx.TransportError, httpx.InvalidURL) as error:
            self.failed(fetch, failure_of(error))
            return
        response.request = asked
        taken = self.begin(fetch, response.status_code, response.headers.raw)
        try:
            if taken.wants_body:
                async for octets in response.aiter_bytes():
                    if not taken.take(octets):
                        break
        except httpx.RequestError as error:
            taken.break_off(failure_of(error))
        finally:
            await response.aclose()
        taken.end()


def failure_of(error: Exception) -> access.Failure:
    """What an exception of httpx means: the failure that `access.Fetch.failure` takes."""
    if isinstance(error, httpx.TimeoutException):
        return access.Failure.TIMEOUT
    if isinstance(error, httpx.ConnectError):
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ssl.SSLError):
                return access.Failure.TLS
            cause = cause.__cause__ or cause.__context__
        return access.Failure.CONNECT
    if isinstance(error, httpx.ProxyError):
        return access.Failure.CONNECT
    if isinstance(error, httpx.DecodingError):
        return access.Failure.CONTENT_ENCODING
    if isinstance(error, httpx.NetworkError):
        return access.Failure.RESET
    return access.Failure.PROTOCOL
