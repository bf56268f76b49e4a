"""What a question costs in Python, beside the same question to other parsers, in one process and turn by turn:
medians of as many rounds. All figures include the loop that asks.

    pip install protego==0.7.0 robotspy==0.13.0 verger-*.whl
    python bench/python/question.py
"""

from __future__ import annotations

import platform
import statistics
import sys
import time
from collections.abc import Callable
from urllib.robotparser import RobotFileParser

import robots as robotspy
from protego import Protego

import verger

ROUNDS = 15
AGENT = "FooBot"
HOST = "https://www.example.com"
URL = f"{HOST}/catalogue/shoes/private/page.html?colour=red"
URLS = [f"{HOST}/section-{nth % 40}/{'private' if nth % 2 else 'public'}/page-{nth}.html" for nth in range(10_000)]


def kibibyte() -> str:
    """One kibibyte of robots.txt: two groups, 34 rules, a comment, a sitemap."""
    rules = [f"{'Allow' if nth % 5 == 4 else 'Disallow'}: /section-{nth}/private/" for nth in range(34)]
    lines = ["# A shop", "User-agent: BadBot", "Disallow: /", "", "User-agent: *", *rules]
    body = "\n".join(lines) + f"\nSitemap: {HOST}/sitemap.xml\n"
    return body.ljust(1024, "#")[:1024]


TEXT = kibibyte()
OCTETS = TEXT.encode()
POLICY = verger.parse(OCTETS).policy(AGENT)
PROTEGO = Protego.parse(TEXT)


def urllib_parser() -> RobotFileParser:
    parser = RobotFileParser()
    parser.parse(TEXT.splitlines())
    # It answers nothing before it believes that it has fetched.
    parser.modified()
    return parser


def robotspy_parser() -> robotspy.RobotsParser:
    return robotspy.RobotsParser.from_string(TEXT)


URLLIB = urllib_parser()
ROBOTSPY = robotspy_parser()

Ask = Callable[[], object]

# Each contestant answers the job once, with so many questions in it.
JOBS: dict[str, tuple[int, dict[str, tuple[int, Ask]]]] = {
    "one file, one question": (
        1,
        {
            "verger.allowed(bytes)": (20_000, lambda: verger.allowed(OCTETS, AGENT, URL)),
            "verger.allowed(str)": (20_000, lambda: verger.allowed(TEXT, AGENT, URL)),
            "verger.parse(bytes).policy().allowed()": (
                20_000,
                lambda: verger.parse(OCTETS).policy(AGENT).allowed(URL),
            ),
            "Protego": (100, lambda: Protego.parse(TEXT).can_fetch(URL, AGENT)),
            "urllib.robotparser": (100, lambda: urllib_parser().can_fetch(AGENT, URL)),
            "robotspy": (100, lambda: robotspy_parser().can_fetch(AGENT, URL)),
        },
    ),
    "a hot call": (
        1,
        {
            "policy.allowed": (100_000, lambda: POLICY.allowed(URL)),
            "policy.verdict": (100_000, lambda: POLICY.verdict(URL)),
            "Protego": (2000, lambda: PROTEGO.can_fetch(URL, AGENT)),
            "urllib.robotparser": (2000, lambda: URLLIB.can_fetch(AGENT, URL)),
            "robotspy": (1000, lambda: ROBOTSPY.can_fetch(AGENT, URL)),
        },
    ),
    "10,000 URLs, a URL": (
        len(URLS),
        {
            "policy.check_many": (5, lambda: POLICY.check_many(URLS)),
            "policy.verdicts": (5, lambda: POLICY.verdicts(URLS)),
            "[policy.allowed(url) …]": (5, lambda: [POLICY.allowed(url) for url in URLS]),
            "Protego": (1, lambda: [PROTEGO.can_fetch(url, AGENT) for url in URLS]),
            "urllib.robotparser": (1, lambda: [URLLIB.can_fetch(AGENT, url) for url in URLS]),
            "robotspy": (1, lambda: [ROBOTSPY.can_fetch(AGENT, url) for url in URLS]),
        },
    ),
}
OTHERS = ("Protego", "urllib.robotparser", "robotspy")


def nanoseconds(times: int, ask: Ask) -> int:
    start = time.perf_counter_ns()
    for _ in range(times):
        ask()
    return time.perf_counter_ns() - start


def main() -> None:
    same = {str(POLICY.check_many(URLS)), str([PROTEGO.can_fetch(url, AGENT) for url in URLS])}
    if len(same) != 1:
        sys.exit("Verger and Protego answer otherwise, so their times are not compared")
    print(f"Python {platform.python_version()}, body of {len(OCTETS)} bytes, medians of {ROUNDS} rounds")
    for job, (questions, contestants) in JOBS.items():
        figures: dict[str, list[float]] = {name: [] for name in contestants}
        for round_number in range(ROUNDS + 1):
            for name, (times, ask) in contestants.items():
                taken = nanoseconds(times, ask) / times / questions
                if round_number:
                    figures[name].append(taken)
        medians = {name: statistics.median(of_rounds) for name, of_rounds in figures.items()}
        fastest = min(medians[name] for name in OTHERS)
        print(f"\n{job}")
        for name, figure in medians.items():
            ratio = "" if name in OTHERS else f"   {fastest / figure:6.0f}× the fastest other"
            print(f"  {name:<40} {figure:10.0f} ns{ratio}")


if __name__ == "__main__":
    main()
