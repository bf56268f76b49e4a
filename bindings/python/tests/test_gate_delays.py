"""The delays of a gate, in virtual time."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from verger._waits import at_once
from verger.access import Store
from verger.gate._blocking import BlockingWaits
from verger.gate._delays import SITES_KEPT, SLEEP_SECONDS_MAX, Delays, TooLong
from verger.gate.aiohttp import _AsyncioWaits  # pyright: ignore[reportPrivateUsage]


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


async def no_store(site: str, delay: float, longest: float | None) -> tuple[bool, float]:
    return True, 0.0


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


class Sites:
    """Requests, and when they were sent."""

    def __init__(self) -> None:
        self.time = Time()
        self.delays = Delays(_AsyncioWaits(), self.time.clock, self.time.sleep, no_store)
        self.sent: list[tuple[str, float]] = []
        self.delay = 1.0
        """What each site asks for when it is looked at."""
        self.look: Callable[[], Awaitable[None]] = settle
        """What happens after each wait, as a robots.txt may be fetched then."""

    async def send(self, name: str, longest: float | None = None) -> None:
        with self.delays.turn(name.rstrip("0123456789"), self.delay, longest) as turn:
            while not await turn.comes(self.delay):
                await self.look()
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
        assert sites.sent == [("a0", 0), ("a999", 1), ("a1001", 2), ("a1002", 3)]

    asyncio.run(run())


def test_those_whose_turn_comes_during_a_fetch_are_not_sent_together() -> None:
    async def run() -> None:
        sites = Sites()

        async def fetch() -> None:
            await sites.time.sleep(10)

        sites.look = fetch
        tasks = sites.start(*(sites.send(f"a{number}") for number in range(3)))
        await sites.time.run(tasks)
        times = [at for _, at in sites.sent]
        assert len(times) == 3 and all(later - earlier >= 1 for earlier, later in zip(times, times[1:])), times

    asyncio.run(run())


@pytest.mark.parametrize(("delay", "sent"), [(5.0, [0, 5, 10]), (0.0, [0, 1, 1])])
def test_a_delay_that_has_changed_is_that_of_those_that_wait(delay: float, sent: list[float]) -> None:
    async def run() -> None:
        sites = Sites()

        async def change() -> None:
            sites.delay = delay

        sites.look = change
        await sites.time.run(sites.start(*(sites.send(f"a{number}") for number in range(3))))
        assert [at for _, at in sites.sent] == sent

    asyncio.run(run())


def test_one_that_is_not_sent_after_all_leaves_its_turn_to_the_next() -> None:
    async def run() -> None:
        sites = Sites()

        async def refuse() -> None:
            sites.look = settle
            raise RuntimeError("denied")

        tasks = sites.start(*(sites.send(f"a{number}") for number in range(3)))
        sites.look = refuse
        await sites.time.run(tasks)
        assert isinstance(tasks[1].exception(), RuntimeError)
        assert sites.sent == [("a0", 0), ("a2", 1)]

    asyncio.run(run())


def test_requests_of_two_loops_share_the_delays() -> None:
    class Loops(_AsyncioWaits):
        def loop(self) -> Any:
            return asyncio.current_task()

    async def run() -> None:
        sites = Sites()
        # Each task is a loop of its own: none wakes another.
        sites.delays.waits = Loops()
        await sites.time.run(sites.start(*(sites.send(f"a{number}") for number in range(4))))
        assert [at for _, at in sites.sent] == [0, 1, 2, 3]

    asyncio.run(run())


def test_threads_take_turns() -> None:
    time, sent = Time(), list[float]()

    async def sleep(seconds: float) -> None:
        time.now += seconds

    delays = Delays(BlockingWaits(), time.clock, sleep, no_store)

    def send(number: int) -> None:
        with delays.turn("a", 1.0, None) as turn:
            while not at_once(turn.comes(1.0)):
                pass
            sent.append(time.now)

    with ThreadPoolExecutor(50) as threads:
        list(threads.map(send, range(50)))
    assert sent == list(range(50))


def test_processes_that_share_a_store_take_turns(tmp_path: Path) -> None:
    """Each of three "processes" has delays and a store of its own, in one file."""

    async def look() -> None:
        """A decision from memory takes no time."""

    async def run() -> None:
        time, processes = Time(), [Sites(), Sites(), Sites()]
        for process in processes:
            store = Store(tmp_path / "store.db")

            async def take(
                site: str, delay: float, longest: float | None, store: Store = store
            ) -> tuple[bool, float]:
                return store._take_turn(site, delay, longest, 1_800_000_000 + time.now)

            process.time, process.look = time, look
            process.delays = Delays(_AsyncioWaits(), time.clock, time.sleep, take)
        requests = [process.send(f"a{number}") for process in processes for number in range(4)]
        await time.run(processes[0].start(*requests))
        sent = sorted(at for process in processes for _, at in process.sent)
        assert sent == pytest.approx(list(range(12)), abs=0.002)
        with pytest.raises(TooLong):
            await processes[0].send("a9", longest=0.5)

    asyncio.run(run())


def test_a_long_wait_is_made_of_several() -> None:
    async def run() -> None:
        sites, slept = Sites(), list[float]()

        async def sleep(seconds: float) -> None:
            slept.append(seconds)
            await sites.time.sleep(seconds)

        sites.delays.sleep = sleep
        sites.delay = 2.5 * SLEEP_SECONDS_MAX
        await sites.time.run(sites.start(sites.send("a1"), sites.send("a2")))
        assert slept == [SLEEP_SECONDS_MAX, SLEEP_SECONDS_MAX, SLEEP_SECONDS_MAX / 2]

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
    time = Time()
    delays = Delays(BlockingWaits(), time.clock, time.sleep, no_store)
    for number in range(10 * SITES_KEPT):
        with delays.turn(str(number), 1.0, None) as turn:
            assert at_once(turn.comes(1.0))
        time.now += 1 / 64
        assert len(delays) <= SITES_KEPT
