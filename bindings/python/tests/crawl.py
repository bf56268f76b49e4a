"""A crawl with Scrapy, in a process of its own: arguments and results as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from typing import Any

import scrapy
from scrapy import signals
from scrapy.crawler import CrawlerProcess
from scrapy.http import Request, Response, TextResponse

from verger import scrapy as verger_scrapy
from verger.scrapy import RobotsTxtMiddleware


class Pages:
    """Answers requests for pages, so that the robots.txt files alone are downloaded."""

    async def process_request(self, request: Request, spider: object = None) -> Response | None:
        if "verger_bytes" in request.meta or not request.meta.get("is_page"):
            return None
        return TextResponse(request.url, body=b"a page", request=request)


class Spider(scrapy.Spider):
    """Asks for its URLs, and notes what became of them. URLs in steps are asked for at a virtual time, and the
    next step begins once the last one has ended."""

    name = "spider"
    asked: list[str]
    steps: list[dict[str, Any]]
    is_page: bool

    async def start(self) -> AsyncIterator[Any]:
        self.became: dict[str, str] = {}
        self.slots: list[tuple[str, float, float, str]] = []
        self.parsed: list[str] = []
        self.ended: list[dict[str, Any]] = []
        self.pending = 0
        robots_parsed = getattr(signals, "robots_parsed", None)
        if robots_parsed is not None:
            self.crawler.signals.connect(self.note_parsed, signal=robots_parsed)
        self.crawler.signals.connect(self.note_slot, signal=signals.response_downloaded)
        for request in self.step() if self.steps else map(self.request, self.asked):
            yield request

    def request(self, url: str) -> Request:
        meta = {"is_page": self.is_page, "handle_httpstatus_all": True, "dont_redirect": True}
        # The same URL is asked for as often as it is named.
        return Request(url, meta=meta, dont_filter=True, errback=self.dropped)

    def parse(self, response: Response, **more: Any) -> list[Request]:
        return self.note(response.url, "allowed")

    def dropped(self, failure: Any) -> list[Request]:
        return self.note(failure.request.url, failure.getErrorMessage())

    def note(self, url: str, became: str) -> list[Request]:
        self.became[url] = became
        self.pending -= 1
        if not self.steps or self.pending:
            return []
        answer = self.robots.answer(url)
        assert answer is not None
        stats = self.crawler.stats.get_stats()
        self.ended.append(
            {
                "became": self.became,
                "stance": str(answer.stance),
                "outcome": answer.outcome,
                "fetches": stats["robotstxt/request_count"],
            }
        )
        return self.step()

    def step(self) -> list[Request]:
        """The requests of the next step, at its time."""
        if len(self.ended) == len(self.steps):
            return []
        step, self.became = self.steps[len(self.ended)], {}
        self.robots.clock = lambda: float(step["at"])
        self.pending = len(step["urls"])
        return [self.request(url) for url in step["urls"]]

    @property
    def robots(self) -> RobotsTxtMiddleware:
        found = self.crawler.get_downloader_middleware(RobotsTxtMiddleware)
        assert isinstance(found, RobotsTxtMiddleware)
        return found

    def note_parsed(self, robotparser: Any, request: Request) -> None:
        self.parsed.append(str(robotparser.answer.stance))

    def note_slot(self, response: Response, request: Request, spider: object) -> None:
        engine: Any = self.crawler.engine
        slot = engine.downloader.slots[request.meta["download_slot"]]
        jitter = float(slot.jitter if hasattr(slot, "jitter") else slot.randomize_delay)
        self.slots.append((response.url, slot.lastseen, slot.delay, str(jitter)))


SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "LOG_LEVEL": "ERROR",
    "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "DOWNLOAD_DELAY": 0,
    "DOWNLOAD_TIMEOUT": 60,
    "CONCURRENT_REQUESTS": 100,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 100,
    "DOWNLOADER_MIDDLEWARES": {
        "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
        RobotsTxtMiddleware: 100,
        Pages: 900,
    },
    "USER_AGENT": "ExampleBot/1.0 (+https://example.com/bot)",
}


def main() -> None:
    process = CrawlerProcess(SETTINGS)
    crawlers: list[Any] = []
    results: list[dict[str, Any]] = []

    def end(spider: Spider) -> None:
        robots = spider.crawler.get_downloader_middleware(RobotsTxtMiddleware)
        answers: dict[str, Any] = {}
        if isinstance(robots, RobotsTxtMiddleware):
            for url in spider.asked:
                answer = robots.answer(url)
                answers[url] = answer and (str(answer.stance), answer.outcome, answer.ask_again_at)
        stats = spider.crawler.stats
        results.append(
            {
                "number": crawlers.index(spider.crawler),
                "became": spider.became,
                "answers": answers,
                "slots": spider.slots,
                "parsed": spider.parsed,
                "steps": spider.ended,
                "stats": {k: v for k, v in stats.get_stats().items() if "robotstxt" in k},
            }
        )

    for crawl in json.loads(sys.stdin.read()):
        crawler = process.create_crawler(Spider)
        crawler.settings.update(crawl.get("settings", {}), priority="cmdline")
        if "seconds_downloaded" in crawl:
            verger_scrapy.seconds_downloaded = lambda request: crawl["seconds_downloaded"]
        crawlers.append(crawler)
        crawler.signals.connect(end, signal=signals.spider_closed)
        asked, steps = crawl.get("urls", []), crawl.get("steps", [])
        process.crawl(crawler, asked=asked, steps=steps, is_page=crawl.get("is_page", True))
    process.start()
    print(json.dumps(sorted(results, key=lambda it: int(it["number"]))))


if __name__ == "__main__":
    main()
