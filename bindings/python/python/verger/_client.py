"""`Client` and `AsyncClient`."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
import weakref
from collections.abc import Iterable, Sequence
from datetime import datetime
from types import TracebackType
from typing import TYPE_CHECKING, Any

from verger._access_names import Profile
from verger._errors import Error
from verger._verger import (
    Answer,
    Crawler,
    Decision,
    Pacing,
    ProductToken,
    _Client,
    _Question,
    _Runtime,
)

if TYPE_CHECKING:
    from typing_extensions import Self

Agent = str | ProductToken | Crawler | Sequence[str | ProductToken]
Path = str | os.PathLike[str]


class _Process:
    """Per-process state: the threads that clients fetch with."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.runtime: _Runtime | None = None
        self.clients: weakref.WeakSet[_Settings] = weakref.WeakSet()
        self.left: list[object] = []

    def threads(self) -> _Runtime:
        with self.lock:
            if self.runtime is None:
                self.runtime = _Runtime()
            return self.runtime

    def after_fork(self) -> None:
        # The threads belong to the parent. Do not touch them here, not even to end them: another thread of the
        # parent may have held a lock. Leak them instead.
        self.left.append(self.runtime)
        self.runtime = None
        self.lock = threading.Lock()
        for client in self.clients:
            self.left.append(client.core)
            client.core = None
            client.lock = threading.Lock()

    def end(self) -> None:
        if self.runtime is not None:
            self.runtime.end()


_process = _Process()
if hasattr(os, "register_at_fork"):  # Windows has no fork.
    os.register_at_fork(after_in_child=lambda: _process.after_fork())
atexit.register(lambda: _process.end())


class _Settings:
    """The settings of a client, and the client of this process once it is needed."""

    def __init__(
        self,
        user_agent: str,
        profile: Profile | str,
        store: Path | None,
        crawler: Agent | None,
        allow_addresses: Iterable[str],
        refuse_addresses: Iterable[str],
        root_certificates: Iterable[bytes],
        proxy: str | None,
        deadline: float | None,
        fetches_max: int | None,
        memory_bytes_max: int | None,
    ) -> None:
        self.named: dict[str, Any] = {
            "user_agent": user_agent,
            "profile": profile,
            "store": store,
            "crawler": crawler,
            "network": {
                "allow_addresses": list(allow_addresses),
                "refuse_addresses": list(refuse_addresses),
                "root_certificates": list(root_certificates),
                "proxy": proxy,
            },
            "deadline": deadline,
            "fetches_max": fetches_max,
            "memory_bytes_max": memory_bytes_max,
        }
        self.lock = threading.Lock()
        self.core: _Client | None = None
        _process.clients.add(self)
        # Report invalid settings now.
        self.client()

    def client(self) -> _Client:
        with self.lock:
            if self.core is None:
                self.core = _Client(_process.threads(), **self.named)
            return self.core


def _seconds(at: datetime | float) -> float:
    return at.timestamp() if isinstance(at, datetime) else at


class _Base:
    def __init__(
        self,
        user_agent: str,
        *,
        profile: Profile | str = Profile.RFC9309,
        store: Path | None = None,
        crawler: Agent | None = None,
        allow_addresses: Iterable[str] = (),
        refuse_addresses: Iterable[str] = (),
        root_certificates: Iterable[bytes] = (),
        proxy: str | None = None,
        deadline: float | None = None,
        fetches_max: int | None = None,
        memory_bytes_max: int | None = None,
    ) -> None:
        self._settings = _Settings(
            user_agent,
            profile,
            store,
            crawler,
            allow_addresses,
            refuse_addresses,
            root_certificates,
            proxy,
            deadline,
            fetches_max,
            memory_bytes_max,
        )

    def __repr__(self) -> str:
        named = self._settings.named
        return f"<{type(self).__name__} {named['user_agent']!r}, {named['profile']}>"


class Client(_Base):
    """Decide whether crawlers may fetch URLs, and fetch the robots.txt files needed to decide.

    - `user_agent` is the header to send.
    - `store` is a file, created if missing, that several processes may share. It can also be the URL of a database,
      such as `postgres://crawler@db.example/robots`, that several machines may share. `verger store init` creates its
      tables. Without a store, results are kept in memory.
    - `crawler` is the crawler for which redirects are checked.
    - Only public addresses are contacted. `allow_addresses` adds networks such as `10.1.0.0/16`, and `refuse_addresses`
      excludes others.
    - `root_certificates` are trusted in addition to those of the public authorities, as DER.
    - `deadline` is the time limit of a call, in seconds.

    A client may be shared between threads. In a forked process it starts again with the same settings. Ctrl-C
    interrupts a call. If the server fails, the profile decides and no exception is raised.
    """

    def decide(
        self,
        agent: Agent,
        url: str,
        *,
        at: datetime | float | None = None,
        rest_of_site_is_up: bool = False,
    ) -> Decision:
        """Decide whether `agent` may fetch `url`.

        With `at`, decide as of that time, using only the store. If the store knew nothing then, the answer defers.

        Raises:
            AuthorityError: If no robots.txt applies to the URL.
            TargetError: If the URL is not valid.
            ClientError: If the client is closed or cannot answer in time.
            StoreError: With `at`, if the store fails.
            ValueError: With `at`, if there is no store.
        """
        client = self._settings.client()
        if at is not None:
            return client.past_decision(agent, url, _seconds(at))
        question = client.decide(agent, url, rest_of_site_is_up)
        found = client.at_once(question)
        if found is None:
            found = client.wait(question)
        return found

    def allowed(self, agent: Agent, url: str) -> bool:
        """Return whether `agent` may fetch `url`. Raises the same exceptions as `decide`."""
        return self.decide(agent, url).allowed

    def decide_many(self, agent: Agent, urls: Iterable[str]) -> list[Decision | Error]:
        """Decide each of `urls` and return, in the same order, a decision or the exception for it.

        Authorities are fetched concurrently, each once.
        """
        client = self._settings.client()
        decisions: list[Decision | Error] = client.wait(client.decide_many(agent, list(urls)))
        return decisions

    def answer(self, url: str, *, at: datetime | float | None = None) -> Answer:
        """Return what is known about the authority of `url`, with the body. With `at`, return what was known then."""
        client = self._settings.client()
        if at is not None:
            return client.past_answer(url, _seconds(at))
        answer: Answer = client.wait(client.answer(url, False))
        return answer

    def fetch(self, url: str) -> Answer:
        """Fetch the robots.txt of the authority of `url` now, even if a valid copy is known."""
        client = self._settings.client()
        answer: Answer = client.wait(client.answer(url, True))
        return answer

    def pacing(self, agent: Agent, url: str) -> Pacing:
        """Return the delays and visit times that the authority of `url` requests from `agent`."""
        return self.decide(agent, url).pacing

    def close(self) -> None:
        """Cancel all fetches. Other processes that share the store then do not have to wait for them."""
        client = self._settings.client()
        client.wait(client.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient(_Base):
    """`Client` for asyncio, with the same arguments and with methods to await.

    If a task is cancelled, its call ends. A fetch that has started continues, and its result is kept.
    """

    async def decide(
        self,
        agent: Agent,
        url: str,
        *,
        at: datetime | float | None = None,
        rest_of_site_is_up: bool = False,
    ) -> Decision:
        """See `Client.decide`."""
        client = self._settings.client()
        if at is not None:
            seconds = _seconds(at)
            return await asyncio.to_thread(client.past_decision, agent, url, seconds)
        question = client.decide(agent, url, rest_of_site_is_up)
        found = client.at_once(question)
        if found is None:
            found = await _told(client, question)
        return found

    async def allowed(self, agent: Agent, url: str) -> bool:
        """See `Client.allowed`."""
        return (await self.decide(agent, url)).allowed

    async def decide_many(self, agent: Agent, urls: Iterable[str]) -> list[Decision | Error]:
        """See `Client.decide_many`."""
        client = self._settings.client()
        decisions: list[Decision | Error] = await _told(
            client, client.decide_many(agent, list(urls))
        )
        return decisions

    async def answer(self, url: str, *, at: datetime | float | None = None) -> Answer:
        """See `Client.answer`."""
        client = self._settings.client()
        if at is not None:
            return await asyncio.to_thread(client.past_answer, url, _seconds(at))
        answer: Answer = await _told(client, client.answer(url, False))
        return answer

    async def fetch(self, url: str) -> Answer:
        """See `Client.fetch`."""
        client = self._settings.client()
        answer: Answer = await _told(client, client.answer(url, True))
        return answer

    async def pacing(self, agent: Agent, url: str) -> Pacing:
        """See `Client.pacing`."""
        return (await self.decide(agent, url)).pacing

    async def close(self) -> None:
        """See `Client.close`."""
        client = self._settings.client()
        await _told(client, client.close())

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


async def _told(client: _Client, question: _Question) -> Any:
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(answer: Any, error: BaseException | None) -> None:
        if future.done():
            return
        if error is None:
            future.set_result(answer)
        else:
            future.set_exception(error)

    def done(answer: Any, error: BaseException | None) -> None:
        try:
            loop.call_soon_threadsafe(settle, answer, error)
        except RuntimeError:
            # The loop was closed during the call.
            pass

    task = client.begin(question, done)
    try:
        return await future
    finally:
        task.cancel()
