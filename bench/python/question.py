"""The cost of a question in Python compared with other parsers, in alternating rounds of one process: medians.
All figures include the loop.

    pip install protego==0.7.0 robotspy==0.13.0 verger-*.whl
    python bench/python/question.py [DIR]

With a directory of real files (`*.txt`), also measures cold hosts: each of 1,000 files is parsed once and checked for
some URLs, compared with Protego only.
"""

from __future__ import annotations

import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
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
    """Return one KiB of robots.txt: two groups, 34 rules, a comment, a sitemap."""
    rules = [f"{'Allow' if nth % 5 == 4 else 'Disallow'}: /section-{nth}/private/" for nth in range(34)]
    lines = ["# A shop", "User-agent: BadBot", "Disallow: /", "", "User-agent: *", *rules]
    body = "\n".join(lines) + f"\nSitemap: {HOST}/sitemap.xml\n"
    return body.ljust(1024, "#")[:1024]


TEXT = kibibyte()
BYTES = TEXT.encode()
POLICY = verger.parse(BYTES).policy(AGENT)
PROTEGO = Protego.parse(TEXT)


def urllib_parser() -> RobotFileParser:
    parser = RobotFileParser()
    parser.parse(TEXT.splitlines())
    # It refuses to answer unless a fetch time is set.
    parser.modified()
    return parser


def robotspy_parser() -> robotspy.RobotsParser:
    return robotspy.RobotsParser.from_string(TEXT)


URLLIB = urllib_parser()
ROBOTSPY = robotspy_parser()

Ask = Callable[[], object]

# By job: its number of questions, and for each contestant the number of calls and the call.
JOBS: dict[str, tuple[int, dict[str, tuple[int, Ask]]]] = {
    "one file, one question": (
        1,
        {
            "verger.allowed(bytes)": (20_000, lambda: verger.allowed(BYTES, AGENT, URL)),
            "verger.allowed(str)": (20_000, lambda: verger.allowed(TEXT, AGENT, URL)),
            "verger.parse(bytes).policy().allowed()": (
                20_000,
                lambda: verger.parse(BYTES).policy(AGENT).allowed(URL),
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


FILES_MAX = 1000
COLD_ROUNDS = 3


def files(folder: Path, questions: int) -> list[tuple[bytes, str, list[str]]]:
    """Return bodies as bytes and text, and URLs. Every other URL starts like a rule of the file."""
    chance = random.Random(0)
    names = sorted(folder.glob("*.txt"))
    found = []
    for name in chance.sample(names, min(FILES_MAX, len(names))):
        data = name.read_bytes()
        rules = [rule.pattern for rule in verger.parse(data).rules if rule.pattern.isascii()] or ["/"]
        paths = [
            chance.choice(rules).strip("*$") + "page" if nth % 2 else f"/section/page-{nth}.html"
            for nth in range(questions)
        ]
        urls = [f"{HOST}/{path.lstrip('/')}" for path in paths]
        found.append((data, data.decode("utf-8", "replace"), urls))
    return found


def protego_answers(parser: Protego, urls: list[str]) -> list[bool]:
    return [parser.can_fetch(url, AGENT) for url in urls]


def cold(folder: Path) -> Iterator[str]:
    """Measure a file and its questions, with each file used once per round."""
    for questions in (1, 10, 100):
        asked = files(folder, questions)
        contestants: dict[str, Callable[[bytes, str, list[str]], list[bool]]] = {
            "verger.parse(bytes).policy().allowed()": lambda data, _, urls: [
                *map(verger.parse(data).policy(AGENT).allowed, urls)
            ],
            "verger.parse(bytes).policy().check_many()": lambda data, _, urls: (
                verger.parse(data).policy(AGENT).check_many(urls)
            ),
            "verger.allowed(bytes)": lambda data, _, urls: [verger.allowed(data, AGENT, url) for url in urls],
            "Protego": lambda _, text, urls: protego_answers(Protego.parse(text), urls),
        }
        figures: dict[str, list[float]] = {name: [] for name in contestants}
        for _ in range(COLD_ROUNDS):
            for name, ask in contestants.items():
                start = time.perf_counter_ns()
                for file in asked:
                    ask(*file)
                figures[name].append((time.perf_counter_ns() - start) / max(len(asked), 1))
        medians = {name: statistics.median(of_rounds) for name, of_rounds in figures.items()}
        yield f"\ncold hosts: {len(asked)} files, {questions} URLs of each, a file"
        for name, figure in medians.items():
            yield f"  {name:<42} {figure:10.0f} ns   {medians['Protego'] / figure:6.0f}× Protego"


def nanoseconds(times: int, ask: Ask) -> int:
    start = time.perf_counter_ns()
    for _ in range(times):
        ask()
    return time.perf_counter_ns() - start


def main() -> None:
    same = {str(POLICY.check_many(URLS)), str([PROTEGO.can_fetch(url, AGENT) for url in URLS])}
    if len(same) != 1:
        sys.exit("Verger and Protego answer otherwise, so their times are not compared")
    print(f"Python {platform.python_version()}, body of {len(BYTES)} bytes, medians of {ROUNDS} rounds")
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
    for folder in sys.argv[1:]:
        for line in cold(Path(folder)):
            print(line)


if __name__ == "__main__":
    main()
