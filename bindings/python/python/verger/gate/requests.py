"""For requests: an adapter around another adapter.

    session = requests.Session()
    adapter = GateAdapter("ExampleBot", HTTPAdapter(pool_maxsize=100))
    session.mount("http://", adapter)
    session.mount("https://", adapter)

requests sends each redirect through the adapter, so each is asked about. What urllib3 repeats by itself (the
`max_retries` of `HTTPAdapter`) is the same request, and is not asked about again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import requests
from requests import exceptions
from requests.adapters import BaseAdapter, HTTPAdapter

from verger import access
from verger._drive import at_once
from verger._memory import MEMORY_BYTES_MAX
from verger.gate._blocking import BlockingSender, BlockingWaits
from verger.gate._gate import CHUNK_OCTETS, DEADLINE, Agent, Gate, Taken

__all__ = ["GateAdapter", "failure_of"]


class GateAdapter(BaseAdapter):
    """Asks robots.txt before it sends a request through `adapter` (`HTTPAdapter()`).

    Raises `verger.gate.GateError`; `verger.gate` has the other arguments. Threads may share it. It is pickled
    with its session, without what it knows about sites and their delays: a copy asks anew.
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
        deadline: float = DEADLINE,
        memory_bytes_max: int = MEMORY_BYTES_MAX,
    ) -> None:
        super().__init__()
        self.adapter = HTTPAdapter() if adapter is None else adapter
        """The adapter that sends."""
        self._settings: dict[str, Any] = {
            "profile": profile,
            "store": store,
            "keep_delays": keep_delays,
            "longest_wait": longest_wait,
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
        network: dict[str, Any] = {"verify": verify, "cert": cert, "proxies": proxies}
        sender = _Sender(self.gate, request, self.adapter, network, timeout)
        at_once(self.gate.admit(request.url or "", sender))
        return self.adapter.send(request, stream=stream, timeout=timeout, **network)

    def close(self) -> None:
        self.adapter.close()


def _undecoded(stream: Callable[..., Iterator[bytes]]) -> Callable[..., Iterator[bytes]]:
    """The octets of a body as they were sent, for requests, which would have them decoded."""

    def undecoded(octets_max: int, decode_content: bool) -> Iterator[bytes]:
        return stream(octets_max, decode_content=False)

    return undecoded


def _limits(timeout: object, seconds: float) -> Any:
    """The limits of the request, none of them longer than so many seconds."""
    if timeout is None:
        return seconds
    if isinstance(timeout, tuple):
        return tuple(_limits(it, seconds) for it in cast("tuple[object, ...]", timeout))
    # An object of urllib3 has limits of its own.
    return min(timeout, seconds) if isinstance(timeout, (int, float)) else timeout


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
        limits = _limits(self._timeout, seconds)
        try:
            asked = requests.Request("GET", request.url, headers=self.headers(request)).prepare()
            response = self._adapter.send(asked, stream=True, timeout=limits, **self._network)
        except exceptions.RequestException as error:
            taken.break_off(failure_of(error))
            return
        headers = [
            (name.encode("latin-1", "replace"), value.encode("latin-1", "replace"))
            for name, value in response.headers.items()
        ]
        # What an adapter has read already is decoded; it has another name for that in each HTTP client.
        is_read = response.__dict__.get("_content_consumed") is True
        if hasattr(response.raw, "stream"):
            response.raw.stream = _undecoded(response.raw.stream)
        try:
            if taken.begin(response.status_code, headers, is_read):
                for octets in response.iter_content(CHUNK_OCTETS):
                    if not taken.take(octets):
                        break
        except exceptions.RequestException as error:
            taken.break_off(failure_of(error))
        finally:
            response.close()


def failure_of(error: exceptions.RequestException) -> access.Failure:
    """What an exception of requests means: the failure that `access.Fetch.failure` takes."""
    if isinstance(error, exceptions.Timeout):
        return access.Failure.TIMEOUT
    if isinstance(error, exceptions.SSLError):
        return access.Failure.TLS
    if isinstance(error, exceptions.ChunkedEncodingError):
        return access.Failure.TRUNCATED
    if isinstance(error, exceptions.ContentDecodingError):
        return access.Failure.CONTENT_ENCODING
    if isinstance(error, exceptions.ConnectionError):
        return access.Failure.CONNECT
    return access.Failure.PROTOCOL
