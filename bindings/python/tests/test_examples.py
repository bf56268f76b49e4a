"""The examples, over the hostile origin."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import aiohttp
import httpx
import origin
import pytest
import with_aiohttp
import with_httpx

ROWS = {
    "usual": "rules",
    "body-endless": "rules",
    "redirects-5": "rules",
    "redirects-6": "open",
    "status-404": "open",
    "status-403": "open",
    "status-503": "closed",
    "connection-refused": "closed",
    "reset-in-body": "closed",
    "length-cut": "closed",
}


@pytest.fixture(scope="module")
def behaviours() -> Iterator[dict[str, origin.Behaviour]]:
    with origin.running() as found:
        yield found


def test_httpx(behaviours: dict[str, origin.Behaviour]) -> None:
    with httpx.Client(timeout=60) as client:
        robots = with_httpx.Robots(client, "ExampleBot")
        for name, stance in ROWS.items():
            url = behaviours[name].url.replace("robots.txt", "private/x")
            decision = robots.decide(url)
            assert (name, decision.answer.stance) == (name, stance)
            assert decision.allowed == (stance == "open")
            assert robots.decide(url).answer == decision.answer


def test_aiohttp(behaviours: dict[str, origin.Behaviour]) -> None:
    async def decide() -> None:
        timeout = aiohttp.ClientTimeout(total=60)
        async with aiohttp.ClientSession(timeout=timeout) as session:
            robots = with_aiohttp.Robots(session, "ExampleBot")
            urls = [behaviours[name].url.replace("robots.txt", "private/x") for name in ROWS]
            found = await asyncio.gather(*(robots.decide(url) for url in urls * 2))
            stances = [str(it.answer.stance) for it in found]
            assert stances == list(ROWS.values()) * 2

    asyncio.run(decide())
