"""The examples, over the hostile origin; that of Crawlee in a crawl, too."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import aiohttp
import gate_clients
import httpx
import origin
import pytest
import with_aiohttp
import with_crawlee
import with_httpx
from crawlee.crawlers import HttpCrawler, HttpCrawlingContext
from crawlee.storage_clients import MemoryStorageClient

from verger import access

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
    "gzip": "rules",
    "gzip-cut": "closed",
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


def test_what_a_client_sends_to_its_own_sites_goes_to_no_other() -> None:
    own: Any = {"headers": {"Authorization": "Bearer secret"}, "cookies": {"session": "secret"}}

    async def decide(url: str) -> access.Decision:
        async with aiohttp.ClientSession(**own) as session:
            return await with_aiohttp.Robots(session, "ExampleBot").decide(url)

    with gate_clients.site() as site, gate_clients.site() as other, httpx.Client(**own) as client:
        site.has_robots(b"", 301, Location=f"{other.url}/robots.txt")
        other.has_robots(b"User-agent: *\nDisallow: /private/\n")
        url = f"{site.url}/private/x"
        assert not asyncio.run(decide(url)).allowed
        assert not with_httpx.Robots(client, "ExampleBot").decide(url).allowed
        assert [it["user-agent"] for it in other.headers] == ["ExampleBot", client.headers["User-Agent"]]
        assert "secret" not in str([it.items() for it in site.headers + other.headers])
        # A name that is none is a failure.
        site.has_robots(b"", 301, Location=f"http://{'a' * 64}.example/robots.txt")
        for decision in asyncio.run(decide(url)), with_httpx.Robots(client, "ExampleBot").decide(url):
            assert decision.answer.outcome == "redirect bad-location"


def test_crawlee(behaviours: dict[str, origin.Behaviour]) -> None:
    async def decide() -> None:
        robots = with_crawlee.Robots(with_crawlee.http_client("ExampleBot/1.0"), "ExampleBot")
        urls = [behaviours[name].url.replace("robots.txt", "private/x") for name in ROWS]
        found = await asyncio.gather(*(robots.decide(url) for url in urls * 2))
        assert [str(it.answer.stance) for it in found] == list(ROWS.values()) * 2

    asyncio.run(decide())


def test_a_crawl_with_crawlee_asks_before_each_page_and_each_redirect() -> None:
    async def crawl(url: str) -> list[str]:
        client = with_crawlee.http_client(gate_clients.USER_AGENT)
        robots = with_crawlee.Robots(client, "ExampleBot")
        storage = MemoryStorageClient()
        crawler = HttpCrawler(http_client=client, storage_client=storage, configure_logging=False)
        crawler.pre_navigation_hook(robots.ask)
        crawler.post_navigation_hook(robots.follow)
        handled: list[str] = []

        @crawler.router.default_handler
        async def note(context: HttpCrawlingContext) -> None:
            handled.append(f"{context.http_response.status_code} {context.request.url}")

        paths = ("page", "private/x", "to-page", "to-private")
        await crawler.run([f"{url}/{path}" for path in paths])
        return sorted(handled)

    with gate_clients.site() as site:
        site.has_robots(b"User-agent: ExampleBot\nDisallow: /private/\n")
        site.redirects = {"/to-page": "/other", "/to-private": "/private/y"}
        handled = asyncio.run(crawl(site.url))
        pages = ["200 {}/other", "200 {}/page", "302 {}/to-page", "302 {}/to-private"]
        assert handled == [it.format(site.url) for it in pages]
        assert sorted(site.asked) == ["/other", "/page", "/robots.txt", "/to-page", "/to-private"]
        assert {it["user-agent"] for it in site.headers} == {gate_clients.USER_AGENT}
