"""The HTTP clients with a gate before them, all alike, and a server for them."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import aiohttp
import httpx
import requests

from verger.gate import GateError
from verger.gate._gate import Gate
from verger.gate.aiohttp import GateMiddleware
from verger.gate.httpx import AsyncGateTransport, GateTransport
from verger.gate.requests import GateAdapter

USER_AGENT = "ExampleBot/1.0 (+https://example.com/bot)"

Reply = tuple[int, dict[str, str], bytes]
Got = int | GateError
"""A status, or what was raised."""


class Site:
    """A server on the loopback, its pages, and what it was asked for."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.robots: Callable[[], Reply] = lambda: (404, {}, b"")
        self.redirects: dict[str, str] = {}
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.trickle: Literal["head", "body", None] = None
        """What of its robots.txt comes byte by byte, without an end."""
        self.is_left = threading.Event()
        """Set once a client has gone away from that."""
        self.is_over = threading.Event()

    def has_robots(self, body: bytes, status: int = 200, **headers: str) -> None:
        """What its robots.txt is."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.robots = lambda: (status, named, body)

    def reply(self, path: str) -> Reply:
        """What a request gets."""
        if path.partition("?")[0] == "/robots.txt":
            return self.robots()
        if path in self.redirects:
            return 302, {"Location": self.redirects[path]}, b""
        return 200, {}, b"a page"


class _Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True


@contextmanager
def site() -> Generator[Site, None, None]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            found.headers.append({name.lower(): value for name, value in self.headers.items()})
            if found.trickle and self.path == "/robots.txt":
                self.trickles(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n")
                return
            status, headers, body = found.reply(self.path)
            try:
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except ConnectionError:
                pass  # The client went away.

        def trickles(self, head: bytes, line: bytes) -> None:
            self.close_connection = True
            if found.trickle == "body":
                head, line = head + b"\r\n", b"#"
            try:
                self.wfile.write(head)
                while not found.is_over.wait(0.02):
                    self.wfile.write(line)
            except ConnectionError:
                found.is_left.set()

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    found = Site(f"http://127.0.0.1:{server.server_port}")
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield found
    finally:
        found.is_over.set()
        server.shutdown()
        thread.join()
        server.server_close()


class VirtualTime:
    """Time that passes where a gate sleeps, and only there: for requests one after the other."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0
        self.slept: list[float] = []
        self.on_sleep: Callable[[], None] = lambda: None

    async def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        self.on_sleep()

    def rules(self, gate: Gate) -> None:
        """Gives a gate this time."""
        gate.clock = gate.monotonic = lambda: self.now
        gate.sleep = self._sleep


class Client(ABC):
    """An HTTP client with a gate before it."""

    def __init__(self, time: VirtualTime | None = None, **options: Any) -> None:
        self.time = time
        self.options = options

    def _timed(self, gate: Gate) -> None:
        if self.time is not None:
            self.time.rules(gate)

    @abstractmethod
    def get(self, urls: list[str], *, at_once: bool = False) -> list[Got]:
        """What becomes of requests, one after the other or all at once."""


class _Threads(Client):
    @abstractmethod
    def _open(self) -> Callable[[str], int]: ...

    def get(self, urls: list[str], *, at_once: bool = False) -> list[Got]:
        send = self._open()

        def one(url: str) -> Got:
            try:
                return send(url)
            except GateError as error:
                return error

        with ThreadPoolExecutor(len(urls) if at_once else 1) as threads:
            return list(threads.map(one, urls))


class Httpx(_Threads):
    def _open(self) -> Callable[[str], int]:
        transport = GateTransport("ExampleBot", **self.options)
        self._timed(transport.gate)
        client = httpx.Client(
            transport=transport, follow_redirects=True, timeout=60, headers={"User-Agent": USER_AGENT}
        )
        return lambda url: client.get(url).status_code


class Requests(_Threads):
    def _open(self) -> Callable[[str], int]:
        adapter = GateAdapter("ExampleBot", **self.options)
        self._timed(adapter.gate)
        session = requests.Session()
        session.trust_env = False
        session.headers["User-Agent"] = USER_AGENT
        session.mount("http://", adapter)
        return lambda url: session.get(url, timeout=60).status_code


class _Tasks(Client):
    @abstractmethod
    async def talk(self, use: Callable[[Callable[[str], Awaitable[int]]], Awaitable[None]]) -> None:
        """Calls `use` with what sends a request."""

    def get(self, urls: list[str], *, at_once: bool = False) -> list[Got]:
        got: list[Got] = []

        async def use(send: Callable[[str], Awaitable[int]]) -> None:
            async def one(url: str) -> Got:
                try:
                    return await send(url)
                except GateError as error:
                    return error

            if at_once:
                got.extend(await asyncio.gather(*(one(url) for url in urls)))
            else:
                for url in urls:
                    got.append(await one(url))

        asyncio.run(self.talk(use))
        return got


class AsyncHttpx(_Tasks):
    async def talk(self, use: Callable[[Callable[[str], Awaitable[int]]], Awaitable[None]]) -> None:
        transport = AsyncGateTransport("ExampleBot", **self.options)
        self._timed(transport.gate)
        async with httpx.AsyncClient(
            transport=transport, follow_redirects=True, timeout=60, headers={"User-Agent": USER_AGENT}
        ) as client:

            async def send(url: str) -> int:
                return (await client.get(url)).status_code

            await use(send)


class Aiohttp(_Tasks):
    async def talk(self, use: Callable[[Callable[[str], Awaitable[int]]], Awaitable[None]]) -> None:
        middleware = GateMiddleware("ExampleBot", **self.options)
        self._timed(middleware.gate)
        async with aiohttp.ClientSession(
            middlewares=[middleware], headers={"User-Agent": USER_AGENT}
        ) as session:

            async def send(url: str) -> int:
                async with session.get(url) as response:
                    return response.status

            await use(send)


CLIENTS: tuple[type[Client], ...] = (Httpx, AsyncHttpx, Requests, Aiohttp)
ASYNC_CLIENTS: tuple[type[_Tasks], ...] = (AsyncHttpx, Aiohttp)
