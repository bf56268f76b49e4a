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
from verger._drive import Waits
from verger.gate._gate import GateSender, Taken

_R = TypeVar("_R")

GRACE_SECONDS = 5.0
"""How long a fetch whose time is over may go on before its thread is ended: by then it waits for its server
and nothing else, so that no lock of the HTTP client is held."""


class _Landing:
    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        self._event.set()

    async def wait(self) -> None:
        self._event.wait()


class BlockingWaits(Waits):
    """Nothing suspends: `verger._drive.at_once` runs what waits so."""

    def landing(self) -> _Landing:
        return _Landing()

    def loop(self) -> None:
        return None

    async def blocking(self, call: Callable[..., _R], *arguments: object) -> _R:
        return call(*arguments)

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class BlockingSender(GateSender):
    """An HTTP client that blocks has limits for single steps alone: a server that sends a byte a second keeps
    all of them. So each response is received in a thread of its own, which is left behind when time is over.
    """

    @abstractmethod
    def receive(self, request: access.Request, taken: Taken, seconds: float) -> None:
        """Sends `request`, and puts what comes into `taken`; each step may take so many seconds at most."""

    async def finishes(self, request: access.Request, taken: Taken, seconds: float) -> bool:
        return finishes_within(seconds, lambda: self.receive(request, taken, seconds))


def finishes_within(seconds: float, call: Callable[[], None]) -> bool:
    """Whether `call` returns within so many seconds. It raises what that raises. Where time is over, or the
    caller is interrupted, the call is ended as soon as what it waits for lets it."""
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
    """Raised in a thread that is left behind."""


class _CallThread(threading.Thread):
    def __init__(self, call: Callable[[], None]) -> None:
        # The interpreter does not wait for it.
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
            # What was raised in this thread arrives here at the latest, not in code of others.
            for _ in range(100 if self._is_ended else 0):
                time.sleep(0)

    def end_later(self) -> None:
        timer = threading.Timer(GRACE_SECONDS, self._end)
        timer.daemon = True
        timer.start()

    def _end(self) -> None:
        """Raises `_Ended` in the thread, as Ctrl-C does in the main one: when its next byte comes."""
        with suppress(ImportError, AttributeError), self._lock:
            import ctypes

            if not self.done.is_set() and self.ident is not None:
                self._is_ended = True
                raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
                raise_in(ctypes.c_ulong(self.ident), ctypes.py_object(_Ended))
