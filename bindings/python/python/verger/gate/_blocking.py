"""Waits that block the thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from verger.gate._gate import GateWaits

_R = TypeVar("_R")


class _Landing:
    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        self._event.set()

    async def wait(self) -> None:
        self._event.wait()


class BlockingWaits(GateWaits):
    """Nothing suspends: `verger._drive.at_once` runs what waits so."""

    def landing(self) -> _Landing:
        return _Landing()

    async def blocking(self, call: Callable[..., _R], *arguments: object) -> _R:
        return call(*arguments)

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)
