"""Waits that block the thread."""

from __future__ import annotations

import threading
import time
from abc import abstractmethod
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar

from verger import access
from verger._waits import Waits
from verger.gate._gate import GateSender, Taken

_R = TypeVar("_R")

GRACE_SECONDS = 5.0
"""How long a fetch may run past its deadline before its thread is interrupted, in seconds. By then it waits only for
its server, so it holds no lock of the HTTP client."""


class _Landing:
    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        self._event.set()

    async def wait(self) -> None:
        self._event.wait()


class BlockingWaits(Waits):
    """Waits that never suspend. Run them with `verger._waits.at_once`."""

    def landing(self) -> _Landing:
        return _Landing()

    def loop(self) -> None:
        return None

    async def blocking(self, call: Callable[..., _R], *arguments: object) -> _R:
        return call(*arguments)

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class BlockingSender(GateSender):
    """A sender for an HTTP client that blocks.

    Such a client limits only single steps, and a server that sends a byte a second stays within all of them. Each
    response is therefore received in its own thread, which is abandoned at the deadline.
    """

    @abstractmethod
    def receive(self, request: access.Request, taken: Taken, seconds: float) -> None:
        """Send `request` and store the reply in `taken`. No step may take longer than `seconds`."""

    async def finishes(self, request: access.Request, taken: Taken, seconds: float) -> bool:
        return finishes_within(seconds, lambda: self.receive(request, taken, seconds))


def finishes_within(seconds: float, call: Callable[[], None]) -> bool:
    """Return whether `call` finishes within `seconds`, and re-raise its exceptions.

    If time runs out or the caller is interrupted, the call is interrupted at its next opportunity.
    """
    thread = _CallThread(call)
    thread.start()
    try:
        is_done = thread.done.wait(seconds)
    except BaseException:
        thread.end_later()
        raise
    if not is_done:
        thread.end_later()
    elif thread.error is not None:
        raise thread.error
    return is_done


class _Ended(BaseException):
    """Raised in an abandoned thread."""


class _CallThread(threading.Thread):
    def __init__(self, call: Callable[[], None]) -> None:
        # A daemon thread, so the interpreter does not wait for it.
        super().__init__(name="verger-robots-txt", daemon=True)
        self.done = threading.Event()
        self.error: BaseException | None = None
        self._call = call
        self._context = copy_context()
        self._lock = threading.Lock()
        self._is_ended = False

    def run(self) -> None:
        with suppress(_Ended):
            try:
                self._context.run(self._call)
            except _Ended:
                raise
            except BaseException as error:
                self.error = error
            with self._lock:
                self.done.set()
            # An exception raised in this thread from outside arrives here at the latest, not in other code.
            for _ in range(100 if self._is_ended else 0):
                time.sleep(0)

    def end_later(self) -> None:
        timer = threading.Timer(GRACE_SECONDS, self._end)
        timer.daemon = True
        timer.start()

    def _end(self) -> None:
        """Raise `_Ended` in the thread, like Ctrl-C in the main thread. It takes effect when the next byte arrives."""
        with suppress(ImportError, AttributeError), self._lock:
            import ctypes

            if not self.done.is_set() and self.ident is not None:
                self._is_ended = True
                raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
                raise_in(ctypes.c_ulong(self.ident), ctypes.py_object(_Ended))
