"""An adapter for requests that wraps another adapter.

    session = requests.Session()
    adapter = GateAdapter("ExampleBot", HTTPAdapter(pool_maxsize=100))
    session.mount("http://", adapter)
    session.mount("https://", adapter)

requests sends each redirect through the adapter, so each one is checked. Retries by urllib3 (`max_retries` of
`HTTPAdapter`) are the same request and are not checked again.
"""

from __future__ import annotations

import copy
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import requests
from requests import exceptions
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3 import PoolManager, Retry
from urllib3.exceptions import EmptyPoolError, HTTPError, LocationValueError

from verger import access
from verger._memory import MEMORY_BYTES_MAX
from verger._shortage import causes
from verger._waits import at_once
from verger.gate._blocking import BlockingSender, BlockingWaits
from verger.gate._gate import CHUNK_BYTES, DEADLINE, Agent, Gate, Taken

__all__ = ["GateAdapter", "failure_of"]


class GateAdapter(BaseAdapter):
    """Check robots.txt before sending a request through `adapter` (default: `HTTPAdapter()`).

    Raises `verger.gate.GateError`. See `verger.gate` for the other arguments. Threads may share the adapter. It can be
    pickled with its session, but a copy does not keep what is known about sites and their delays.
    """

    def __init__(
        self,
        agent: Agent,
        adapter: BaseAdapter | None = None,
        *,
        profile: access.Profile | str = access.Profile.RFC9309,
        store: str | os.PathLike[str] | None = None,
        keep_delays: bool = True,
        longest_wait: float | None = None,
        least_delay: float = 0.0,
        deadline: float = DEADLINE,
        memory_bytes_max: int = MEMORY_BYTES_MAX,
    ) -> None:
        super().__init__()
        self.adapter = HTTPAdapter() if adapter is None else adapter
        """The wrapped adapter."""
        self._settings: dict[str, Any] = {
            "profile": profile,
            "store": store,
            "keep_delays": keep_delays,
            "longest_wait": longest_wait,
            "least_delay": least_delay,
            "deadline": deadline,
            "memory_bytes_max": memory_bytes_max,
        }
        self.gate = Gate(agent, BlockingWaits(), **self._settings)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "gate": self.gate.agent}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.gate = Gate(state["gate"], BlockingWaits(), **self._settings)

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: bool | str = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """Send the request once it is admitted."""
        network: dict[str, Any] = {"verify": verify, "cert": cert, "proxies": proxies}
        sender = _Sender(self.gate, request, self.adapter, network, timeout)
        at_once(self.gate.admit(request.url or "", sender))
        return self.adapter.send(request, stream=stream, timeout=timeout, **network)

    def close(self) -> None:
        """Close the wrapped adapter."""
        self.adapter.close()


def _undecoded(stream: Callable[..., Iterator[bytes]]) -> Callable[..., Iterator[bytes]]:
    """Wrap the stream of a body to return the bytes as sent, because requests would decode them."""

    def undecoded(bytes_max: int, decode_content: bool) -> Iterator[bytes]:
        return stream(bytes_max, decode_content=False)

    return undecoded


def _limits(timeout: object, seconds: float) -> Any:
    """Return the limits of the request, each at most `seconds`."""
    if timeout is None:
        return seconds
    if isinstance(timeout, tuple):
        return tuple(_limits(it, seconds) for it in cast("tuple[object, ...]", timeout))
    # A timeout object of urllib3 keeps its own limits.
    return min(timeout, seconds) if isinstance(timeout, (int, float)) else timeout


def _apart(adapter: BaseAdapter) -> BaseAdapter:
    """Return a copy with its own connections and without retries.

    Retries wait as long as a server says, and an abandoned thread would keep a shared connection. An adapter of another
    class is returned unchanged.
    """
    manager = getattr(adapter, "poolmanager", None)
    if not isinstance(adapter, HTTPAdapter) or not isinstance(manager, PoolManager):
        return adapter
    own = copy.copy(manager)
    own.connection_pool_kw = {**manager.connection_pool_kw, "block": False}
    own.pools = type(manager.pools)(1, manager.pools.dispose_func)
    apart = object.__new__(type(adapter))
    named: dict[str, Any] = {"poolmanager": own, "proxy_manager": {}, "_pool_block": False}
    apart.__dict__.update(adapter.__dict__, max_retries=Retry(0, read=False), **named)
    return apart


class _Sender(BlockingSender):
    def __init__(
        self,
        gate: Gate,
        request: requests.PreparedRequest,
        adapter: BaseAdapter,
        network: dict[str, Any],
        timeout: Any,
    ) -> None:
        user_agent = request.headers.get("User-Agent")
        if isinstance(user_agent, bytes):
            user_agent = user_agent.decode("latin-1")
        super().__init__(gate, user_agent)
        self._adapter = adapter
        self._network = network
        self._timeout = timeout

    def receive(self, request: access.Request, taken: Taken, seconds: float) -> None:
        adapter = _apart(self._adapter)
        try:
            self._receive(adapter, request, taken, seconds)
        except _FAILED as error:
            if any(isinstance(it, EmptyPoolError) for it in causes(error)):
                # Other requests use all connections. This is not a fact about the site.
                raise
            taken.fail(error, failure_of(error))
        finally:
            if adapter is not self._adapter:
                # Close only the connections. A subclass may close things that the original adapter shares.
                HTTPAdapter.close(cast("HTTPAdapter", adapter))

    def _receive(self, adapter: BaseAdapter, request: access.Request, taken: Taken, seconds: float) -> None:
        limits = _limits(self._timeout, seconds)
        asked = requests.Request("GET", request.url, headers=self.headers(request)).prepare()
        response = adapter.send(asked, stream=True, timeout=limits, **self._network)
        headers = [
            (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
            for name, value in response.headers.items()
        ]
        # A body that an adapter has already read is decoded. Each HTTP client marks this differently.
        is_read = response.__dict__.get("_content_consumed") is True
        if hasattr(response.raw, "stream"):
            response.raw.stream = _undecoded(response.raw.stream)
        try:
            if taken.begin(response.status_code, headers, is_read):
                for data in response.iter_content(CHUNK_BYTES):
                    if not taken.take(data):
                        break
        finally:
            response.close()


_FAILED = exceptions.RequestException, HTTPError, UnicodeError


def failure_of(error: Exception) -> access.Failure:
    """Return the failure for an exception of requests, for `access.Fetch.failure`."""
    if isinstance(error, (LocationValueError, UnicodeError)):
        # A label of the name is empty or too long.
        return access.Failure.DNS
    if isinstance(error, exceptions.Timeout):
        return access.Failure.TIMEOUT
    if isinstance(error, exceptions.SSLError):
        return access.Failure.TLS
    if isinstance(error, exceptions.ChunkedEncodingError):
        return access.Failure.TRUNCATED
    if isinstance(error, exceptions.ContentDecodingError):
        return access.Failure.CONTENT_ENCODING
    if isinstance(error, exceptions.ConnectionError):
        is_of_name = any(isinstance(it, socket.gaierror) for it in causes(error))
        if is_of_name and not isinstance(error, exceptions.ProxyError):
            return access.Failure.DNS
        return access.Failure.CONNECT
    return access.Failure.PROTOCOL
