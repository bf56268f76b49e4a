"""Makes `docs/compat.md`: what changes for a user of Protego or `urllib.robotparser`, by asking both.

    python tests/compat_page.py            # writes the page
    python tests/compat_page.py FILE       # as well, with FILE for the `robotparser.py` of Python 3.15

The column of the `urllib.robotparser` that is not at hand stays as the page has it.
"""

from __future__ import annotations

import importlib.util
import sys
import urllib.robotparser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import protego as original_protego

from verger.compat import protego, robotparser

PAGE = Path(__file__).resolve().parent.parent / "docs" / "compat.md"

OLD, NEW = "3.11", "3.15"
Answer = Callable[[Any, str], object]


def may(agent: str, url: str) -> tuple[str, Answer]:
    """Whether the agent may fetch the URL: the question as text, and how it is asked."""

    def ask(parser: Any, which: str) -> str:
        allowed = parser.can_fetch(url, agent) if which == "protego" else parser.can_fetch(agent, url)
        return "yes" if allowed else "no"

    return f"`{agent}`, `{url}`", ask


def value(name: str, *arguments: str) -> tuple[str, Answer]:
    """A value that a method returns."""

    def ask(parser: Any, _: str) -> object:
        found: Any = getattr(parser, name)(*arguments)
        return tuple(found) if hasattr(found, "_fields") else found

    return f"`{name}({', '.join(map(repr, arguments))})`", ask


def attribute(name: str) -> tuple[str, Answer]:
    """A property, an iterator as a list."""

    def ask(parser: Any, _: str) -> object:
        found = getattr(parser, name)
        return found if found is None or isinstance(found, str) else list(found)

    return f"`{name}`", ask


@dataclass(frozen=True)
class Case:
    """A file, a question, and what it shows."""

    title: str
    body: str
    question: tuple[str, Answer]


BOTH = [
    Case("the most specific rule", "User-agent: *\nDisallow: /a\nAllow: /a/b", may("x", "/a/b")),
    Case("of equal length, allow", "User-agent: *\nDisallow: /a\nAllow: /a", may("x", "/a")),
    Case("length of a wildcard rule", "User-agent: *\nDisallow: /*.gif\nAllow: /images/", may("x", "/images/a.gif")),
    Case("`*`", "User-agent: *\nDisallow: /*.gif", may("x", "/a.gif")),
    Case("`$`", "User-agent: *\nDisallow: /a$", may("x", "/a")),
    Case("`$` is no literal too", "User-agent: *\nDisallow: /a$", may("x", "/a%24")),
    Case("`$` inside", "User-agent: *\nDisallow: /a$b", may("x", "/a$b")),
    Case("`%2F` is not `/`", "User-agent: *\nDisallow: /a%2Fb", may("x", "/a/b")),
    Case("`%7E` is `~`", "User-agent: *\nDisallow: /%7Ea", may("x", "/~a")),
    Case("a fragment is not sent", "User-agent: *\nDisallow: /a%23b", may("x", "/a#b")),
    Case("an absolute URL as a rule", "User-agent: *\nDisallow: http://h/a", may("x", "/http://h/a")),
    Case("a rule without `/`", "User-agent: *\nDisallow: a", may("x", "/a")),
    Case("an index page", "User-agent: *\nDisallow: /\nAllow: /a/index.html", may("x", "/a/")),
    Case("/robots.txt itself", "User-agent: *\nDisallow: /", may("x", "/robots.txt")),
    Case("an empty URL", "User-agent: *\nDisallow: /", may("x", "")),
    Case("a relative URL", "User-agent: *\nDisallow: /a", may("x", "a")),
    Case("a blank line", "User-agent: *\n\nDisallow: /", may("x", "/a")),
    Case("groups of one name", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", may("x", "/b")),
    Case("a group for the whole name", "User-agent: bot\nDisallow: /\n\nUser-agent: botx\nAllow: /", may("botx", "/")),
    Case("a name that begins so", "User-agent: bot\nDisallow: /", may("botany", "/a")),
    Case("a name that ends so", "User-agent: bot\nDisallow: /", may("robot", "/a")),
    Case("a name and a version", "User-agent: bot\nDisallow: /", may("bot/2.1", "/a")),
    Case("a name and digits", "User-agent: bot\nDisallow: /", may("bot2", "/a")),
    Case("a name inside a header", "User-agent: bot\nDisallow: /", may("Mozilla/5.0 (compatible; bot/1)", "/a")),
    Case("a group with a version", "User-agent: bot/1.0\nDisallow: /", may("bot", "/a")),
    Case("a group of two words", "User-agent: big bot\nDisallow: /", may("bigger bot", "/a")),
    Case("a name beyond ASCII", "User-agent: Böt\nDisallow: /", may("Böt", "/a")),
    Case("a crawl delay between names", "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /", may("a", "/a")),
    Case("an unknown line between names", "User-agent: a\nHello: 1\nUser-agent: b\nDisallow: /", may("a", "/a")),
    Case("a misspelt key", "User-agent: *\nDisalow: /", may("x", "/a")),
    Case("a key without a colon", "User-agent: *\nDisallow /", may("x", "/a")),
    Case("a rule before any group", "Disallow: /\nUser-agent: *\nAllow: /b", may("x", "/a")),
    Case("a byte order mark", "\ufeffUser-agent: *\nDisallow: /", may("x", "/a")),
    Case("form feed in a line", "User-agent: *\nDisallow: /a\fb", may("x", "/a")),
    Case("a long file", "#" * 600_000 + "\nUser-agent: *\nDisallow: /", may("x", "/a")),
    Case("two crawl delays", "User-agent: *\nCrawl-delay: 3\nCrawl-delay: 1", value("crawl_delay", "x")),
    Case("a crawl delay with a fraction", "User-agent: *\nCrawl-delay: 1.5", value("crawl_delay", "x")),
    Case("a negative crawl delay", "User-agent: *\nCrawl-delay: -1", value("crawl_delay", "x")),
    Case("two request rates", "User-agent: *\nRequest-rate: 1/5\nRequest-rate: 1/9", value("request_rate", "x")),
    Case("a request rate by minutes", "User-agent: *\nRequest-rate: 1/5m", value("request_rate", "x")),
    Case("a rate for some hours", "User-agent: *\nRequest-rate: 1/5 0800-1200", value("request_rate", "x")),
]

PROTEGO = [
    *BOTH,
    Case("a visit time", "User-agent: *\nVisit-time: 0600-0845", value("visit_time", "x")),
    Case("a visit time with a space", "User-agent: *\nVisit-time: 0600 0845", value("visit_time", "x")),
    Case("a sitemap twice", "Sitemap: http://h/a\nSitemap: http://h/a", attribute("sitemaps")),
    Case("a sitemap without a colon", "Sitemap http://h/a", attribute("sitemaps")),
    Case("a misspelt sitemap", "Site-map: http://h/a", attribute("sitemaps")),
    Case("two hosts", "Host: a.example\nHost: b.example", attribute("preferred_host")),
    Case("a host that is none", "Host: no host", attribute("preferred_host")),
]

ROBOTPARSER = [
    *BOTH,
    Case("a sitemap twice", "Sitemap: http://h/a\nSitemap: http://h/a", value("site_maps")),
    Case("no sitemap", "User-agent: *", value("site_maps")),
]


def shown(answer: object) -> str:
    if isinstance(answer, str) and answer in ("yes", "no"):
        return answer
    return "`" + str(answer).replace("datetime.time", "time") + "`"


def asked(case: Case, make: Callable[[str], Any], which: str) -> str:
    try:
        return shown(case.question[1](make(case.body), which))
    except (ValueError, TypeError) as error:
        return f"`{type(error).__name__}`"


def parsed(parser: Any, body: str) -> Any:
    parser.parse(body.splitlines())
    return parser


def body_of(case: Case) -> str:
    body = case.body if len(case.body) < 1000 else "600,000 bytes, and then a group"
    return "`" + ascii(body)[1:-1].replace("\\n", "` `").replace("|", "\\|") + "`"


def table(cases: Sequence[Case], names: Sequence[str], columns: Sequence[Sequence[str]]) -> list[str]:
    """The rows in which not every column is equal to the first, and how many are left out."""
    rows = [
        "| | file | asked | " + " | ".join(names) + " |",
        "|---|---|---|" + "---|" * len(names),
    ]
    alike: list[str] = []
    for case, *answers in zip(cases, *columns):
        if len(set(answers)) == 1:
            alike.append(case.title)
        else:
            rows.append(f"| {case.title} | {body_of(case)} | {case.question[0]} | {' | '.join(answers)} |")
    return [*rows, "", f"All answer alike: {'; '.join(alike)}."]


def protego_table() -> list[str]:
    makes: dict[str, Callable[[str], Any]] = {
        "Protego 0.7": original_protego.Protego.parse,
        "`rfc9309`": protego.Protego.parse,
        "`google`": lambda body: protego.Protego.parse(body, dialect="google"),
    }
    columns = [[asked(case, make, "protego") for case in PROTEGO] for make in makes.values()]
    return table(PROTEGO, list(makes), columns)


def original_column(module: Any) -> list[str]:
    return [asked(case, lambda body: parsed(module.RobotFileParser(), body), "robotparser") for case in ROBOTPARSER]


def kept_column(version: str) -> list[str] | None:
    """The answers of a version as the page has them, in its last lines."""
    start = f"<!-- {version}: "
    lines = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    found = [line for line in lines if line.startswith(start)]
    return found[0].removeprefix(start).removesuffix(" -->").split(" ; ") if found else None


def robotparser_tables(file: str | None) -> tuple[list[str], dict[str, list[str]]]:
    here = NEW if hasattr(urllib.robotparser.RobotFileParser(), "groups") else OLD
    originals = {version: kept_column(version) for version in (OLD, NEW)}
    originals[here] = original_column(urllib.robotparser)
    if file:
        spec = importlib.util.spec_from_file_location("newer", file)
        assert spec and spec.loader
        newer = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(newer)
        originals[NEW] = original_column(newer)
    known = {version: column for version, column in originals.items() if column}

    def ours(dialect: Any) -> list[str]:
        return [
            asked(case, lambda body: parsed(robotparser.RobotFileParser(dialect=dialect), body), "robotparser")
            for case in ROBOTPARSER
        ]

    names = [f"Python {version}" for version in known] + ["`rfc9309`", "`koster1996`"]
    columns = [*known.values(), ours("rfc9309"), ours("koster1996")]
    return table(ROBOTPARSER, names, columns), known


HEAD = """\
# What changes

`verger.compat.protego` and `verger.compat.robotparser` have the interfaces of Protego 0.7 and of
`urllib.robotparser`; the answers are those of Verger, by RFC 9309 if no `dialect=` is given. The tables show a
question a row, with the answers of the original and of ours: "yes" where the URL may be fetched. They are made
by `tests/compat_page.py`, which asks all of them; the tests check that the page is fresh.
"""

BETWEEN = """
## From Protego

```python
from verger.compat.protego import Protego, RequestRate, VisitTime
```
"""

ROBOTS = """
## From urllib.robotparser

```python
from verger.compat.robotparser import RobotFileParser
```

The column of Python 3.11 holds for all before 3.13.14, and for 3.14 before 3.14.5; that of Python 3.15 for those
two and what came after them.
"""

TAIL = """
Beside the answers:

- `parse` and `read` replace what was read before; there, a second file is added to the first, and the flags of an
  earlier status stay.
- `parse` reads a `str` as a whole file; there, each character is a line, and everything is allowed.
- `read` accepts bytes that are not UTF-8, and 5xx disallows everything, as in Python 3.15; a `Request` may be
  given in place of a URL.
- `entries` and `default_entry` are made anew whenever they are asked for: to change them changes nothing.
"""


def page(file: str | None = None) -> str:
    lines, known = robotparser_tables(file)
    kept = [f"<!-- {version}: {' ; '.join(column)} -->" for version, column in known.items()]
    parts = [HEAD, BETWEEN, *protego_table(), ROBOTS, *lines, TAIL, *kept]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(*sys.argv[1:2]), encoding="utf-8")
