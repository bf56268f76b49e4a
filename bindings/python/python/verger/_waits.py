"""How a program waits: blocking its threads, or with an event loop."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

_R = TypeVar("_R")


class Landing(Protocol):
    """An event that others wait for: the end of a fetch."""

    def set(self) -> object: ...
    async def wait(self) -> object: ...


class Waits(Protocol):
    """How a program waits: blocking, asyncio or another event loop."""

    def landing(self) -> Landing: ...
    def loop(self) -> object:
        """Return the running event loop, because events cannot wake another loop. `None` if there is only one."""
        ...

    async def sleep(self, seconds: float) -> None: ...
    async def blocking(self, call: Callable[..., _R], *arguments: object) -> _R:
        """Run a call that may block, and return its result."""
        ...


def at_once(coroutine: Coroutine[Any, Any, _R]) -> _R:
    """Run a coroutine whose waits all block the thread."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        result: _R = end.value
        return result
    coroutine.close()
    raise AssertionError("the coroutine suspended, but all waiting must block")
