"""Transports for httpx that wrap another transport, blocking or with asyncio or trio.

    transport = GateTransport("ExampleBot", httpx.HTTPTransport(http2=True))
    client = httpx.Client(transport=transport, headers={"User-Agent": "ExampleBot/1.0 (+https://...)"})

With `transport=`, a client takes certificates, HTTP/2, limits and proxies from the wrapped transport, not from its own
arguments. `proxy=` and `mounts=` of a client replace its transport, so requests sent through them are not checked.
httpx sends each redirect through the transport, so each one is checked.
"""

from __future__ import annotations

import os
import socket
import ssl
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread
import httpx
from anyio.lowlevel import RunVar

from verger import access
from verger._memory import MEMORY_BYTES_MAX
from verger._shortage import causes
from verger._waits import Waits, at_once
from verger.gate._blocking import BlockingSender, BlockingWaits
from verger.gate._gate import DEADLINE, Agent, Gate, GateSender, Taken

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["AsyncGateTransport", "GateTransport", "failure_of"]

_R = TypeVar("_R")


class GateTransport(httpx.BaseTransport):
    """Check robots.txt before sending a request through `transport` (default: `httpx.HTTPTransport()`).

    Raises `verger.gate.GateError`. See `verger.gate` for the other arguments.
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
        least_delay: float = 0.0,
        deadline: float = DEADLINE,
        memory_bytes_max: int = MEMORY_BYTES_MAX,
    ) -> None:
        self.transport = httpx.HTTPTransport() if transport is None else transport
        """The wrapped transport."""
        self.gate = Gate(
            agent,
            BlockingWaits(),
            profile=profile,
            store=store,
            keep_delays=keep_delays,
            longest_wait=longest_wait,
            least_delay=least_delay,
            deadline=deadline,
            memory_bytes_max=memory_bytes_max,
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request once it is admitted."""
        at_once(self.gate.admit(str(request.url), _Sender(self.gate, request, self.transport)))
        return self.transport.handle_request(request)

    def close(self) -> None:
        """Close the wrapped transport."""
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
    """`GateTransport` for `httpx.AsyncClient`. Wraps `httpx.AsyncHTTPTransport()` by default."""

    def __init__(
        self,
        agent: Agent,
        transport: httpx.AsyncBaseTransport | None = None,
        *,
        profile: access.Profile | str = access.Profile.RFC9309,
        store: str | os.PathLike[str] | None = None,
        keep_delays: bool = True,
        longest_wait: float | None = None,
        least_delay: float = 0.0,
        deadline: float = DEADLINE,
        memory_bytes_max: int = MEMORY_BYTES_MAX,
    ) -> None:
        self.transport = httpx.AsyncHTTPTransport() if transport is None else transport
        """The wrapped transport."""
        self.gate = Gate(
            agent,
            _AnyioWaits(),
            profile=profile,
            store=store,
            keep_delays=keep_delays,
            longest_wait=longest_wait,
            least_delay=least_delay,
            deadline=deadline,
            memory_bytes_max=memory_bytes_max,
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request once it is admitted."""
        await self.gate.admit(str(request.url), _AsyncSender(self.gate, request, self.transport))
        return await self.transport.handle_async_request(request)

    async def aclose(self) -> None:
        """Close the wrapped transport."""
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


_loop: RunVar[object] = RunVar("verger_gate_loop")
"""A value that differs between event loops."""


class _AnyioWaits(Waits):
    def landing(self) -> anyio.Event:
        return anyio.Event()

    def loop(self) -> object:
        loop = _loop.get(None)
        if loop is None:
            loop = object()
            _loop.set(loop)
        return loop

    async def blocking(self, call: Callable[..., _R], *arguments: object) -> _R:
        return await anyio.to_thread.run_sync(call, *arguments, abandon_on_cancel=True)

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


_FAILED = httpx.TransportError, httpx.InvalidURL, UnicodeError


def _asked(headers: dict[str, str], limits: dict[str, Any], url: str, seconds: float) -> httpx.Request:
    """Return the request for a robots.txt. Its limits are those of the original request, and at most `seconds`."""
    steps = ("connect", "read", "write", "pool")
    own = {step: limits.get(step) for step in steps}
    # Stop waiting for a connection before the fetch times out.
    longest = {step: seconds / 2 if step == "pool" else seconds for step in steps}
    timeout = {step: longest[step] if it is None else min(it, longest[step]) for step, it in own.items()}
    return httpx.Request("GET", url, headers=headers, extensions={"timeout": timeout})


class _Sender(BlockingSender):
    def __init__(self, gate: Gate, request: httpx.Request, transport: httpx.BaseTransport) -> None:
        super().__init__(gate, request.headers.get("User-Agent"))
        self._limits: dict[str, Any] = request.extensions.get("timeout") or {}
        self._transport = transport

    def receive(self, request: access.Request, taken: Taken, seconds: float) -> None:
        try:
            asked = _asked(self.headers(request), self._limits, request.url, seconds)
            response = self._transport.handle_request(asked)
        except httpx.PoolTimeout:
            # Other requests use all connections. This is not a fact about the site.
            raise
        except _FAILED as error:
            taken.fail(error, failure_of(error))
            return
        response.request = asked
        try:
            is_read = response.is_stream_consumed
            if taken.begin(response.status_code, response.headers.raw, is_read):
                for data in response.iter_bytes() if is_read else response.iter_raw():
                    if not taken.take(data):
                        break
        except httpx.RequestError as error:
            taken.fail(error, failure_of(error))
        finally:
            response.close()


class _AsyncSender(GateSender):
    def __init__(
        self, gate: Gate, request: httpx.Request, transport: httpx.AsyncBaseTransport
    ) -> None:
        super().__init__(gate, request.headers.get("User-Agent"))
        self._limits: dict[str, Any] = request.extensions.get("timeout") or {}
        self._transport = transport

    async def finishes(self, request: access.Request, taken: Taken, seconds: float) -> bool:
        with anyio.move_on_after(seconds) as scope:
            await self._receive(request, taken, seconds)
        return not scope.cancelled_caught

    async def _receive(self, request: access.Request, taken: Taken, seconds: float) -> None:
        try:
            asked = _asked(self.headers(request), self._limits, request.url, seconds)
            response = await self._transport.handle_async_request(asked)
        except httpx.PoolTimeout:
            raise
        except _FAILED as error:
            taken.fail(error, failure_of(error))
            return
        response.request = asked
        try:
            is_read = response.is_stream_consumed
            if taken.begin(response.status_code, response.headers.raw, is_read):
                async for data in response.aiter_bytes() if is_read else response.aiter_raw():
                    if not taken.take(data):
                        break
        except httpx.RequestError as error:
            taken.fail(error, failure_of(error))
        finally:
            await response.aclose()


def failure_of(error: Exception) -> access.Failure:
    """Return the failure for an exception of httpx, for `access.Fetch.failure`."""
    if isinstance(error, UnicodeError):
        # A label of the name is empty or too long.
        return access.Failure.DNS
    if isinstance(error, httpx.TimeoutException):
        return access.Failure.TIMEOUT
    if isinstance(error, httpx.ConnectError):
        for cause in causes(error):
            if isinstance(cause, ssl.SSLError):
                return access.Failure.TLS
            if isinstance(cause, socket.gaierror):
                return access.Failure.DNS
        return access.Failure.CONNECT
    if isinstance(error, httpx.ProxyError):
        return access.Failure.CONNECT
    if isinstance(error, httpx.DecodingError):
        return access.Failure.CONTENT_ENCODING
    if isinstance(error, httpx.NetworkError):
        return access.Failure.RESET
    return access.Failure.PROTOCOL
