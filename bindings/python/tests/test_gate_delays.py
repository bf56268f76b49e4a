"""The delays of a gate, in virtual time."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Coroutine
from typing import Any

import pytest

from verger._drive import at_once
from verger.gate._delays import SITES_KEPT, Delays, TooLong


class Time:
    """Time that passes once all tasks wait."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleeping: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0

    def clock(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._count += 1
        heapq.heappush(self._sleeping, (self.now + seconds, self._count, woken))
        await woken

    async def run(self, tasks: list[asyncio.Task[Any]]) -> None:
        while not all(task.done() for task in tasks):
            await settle()
            if self._sleeping:
                self.now, _, woken = heapq.heappop(self._sleeping)
                if not woken.done():
                    woken.set_result(None)


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


class Sites:
    """Requests, and when they were sent."""

    def __init__(self) -> None:
        self.time, self.delays = Time(), Delays()
        self.sent: list[tuple[str, float]] = []

    async def send(
        self, name: str, delay: float = 1.0, longest: float | None = None
    ) -> None:
        site = name.rstrip("0123456789")
        await self.delays.turn(site, delay, longest, self.time.clock, self.time.sleep)
        self.sent.append((name, self.time.now))

    def start(self, *requests: Coroutine[Any, Any, None]) -> list[asyncio.Task[None]]:
        return [asyncio.ensure_future(it) for it in requests]


def test_requests_to_one_site_take_turns() -> None:
    async def run() -> None:
        sites = Sites()
        tasks = sites.start(*(sites.send(name) for name in ("a1", "b1", "a2", "a3")))
        await sites.time.run(tasks)
        assert sites.sent == [("a1", 0), ("b1", 0), ("a2", 1), ("a3", 2)]

    asyncio.run(run())


def test_one_that_is_broken_off_takes_no_turn() -> None:
    async def run() -> None:
        sites = Sites()
        tasks = sites.start(*(sites.send(f"a{number}") for number in range(1000)))
        await settle()
        for task in tasks[1:-1]:
            task.cancel()
        await settle()
        tasks += sites.start(*(sites.send(f"a{number}") for number in (1001, 1002)))
        await sites.time.run(tasks)
        # The last of the first thousand was to be sent after 999 s, and nothing else waits for that.
        assert sorted(sites.sent)[1:3] == [("a1001", 2.0), ("a1002", 3.0)]

    asyncio.run(run())


def test_the_delay_is_kept_where_one_is_sent_late() -> None:
    async def run() -> None:
        sites = Sites()
        tasks = sites.start(*(sites.send(f"a{number}") for number in range(3)))
        await settle()
        # The loop was busy: both that wait are due when it goes on.
        sites.time.now = 10.0
        await sites.time.run(tasks)
        times = [at for _, at in sites.sent]
        assert all(later - earlier >= 1 for earlier, later in zip(times, times[1:])), times

    asyncio.run(run())


def test_a_wait_that_would_be_too_long_takes_no_turn() -> None:
    async def run() -> None:
        sites = Sites()
        first, second, third = sites.start(
            sites.send("a1"), sites.send("a2", longest=1.0), sites.send("a3", longest=1.0)
        )
        with pytest.raises(TooLong):
            await third
        await sites.time.run([first, second])
        await sites.time.run(sites.start(sites.send("a4", longest=1.0)))
        assert sites.sent == [("a1", 0), ("a2", 1), ("a4", 2)]

    asyncio.run(run())


def test_sites_whose_delay_has_passed_are_forgotten() -> None:
    time, delays = Time(), Delays()
    for number in range(10 * SITES_KEPT):
        at_once(delays.turn(str(number), 1.0, None, time.clock, time.sleep))
        time.now += 1 / 64
        assert len(delays) <= SITES_KEPT
