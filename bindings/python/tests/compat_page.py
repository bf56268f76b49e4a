"""Generate `docs/compat.md`: answers that change for users of Protego or `urllib.robotparser`.

    python tests/compat_page.py            # writes the page
    python tests/compat_page.py FILE       # also updates Python 3.15, whose `robotparser.py` is FILE

The column of a `urllib.robotparser` that is not available is kept from the page.
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
    """Return the question whether the agent may fetch the URL, as text and as a function."""

    def ask(parser: Any, which: str) -> str:
        allowed = parser.can_fetch(url, agent) if which == "protego" else parser.can_fetch(agent, url)
        return "yes" if allowed else "no"

    return f"`{agent}`, `{url}`", ask


def value(name: str, *arguments: str) -> tuple[str, Answer]:
    """Return the question for the value of a method."""

    def ask(parser: Any, _: str) -> object:
        found: Any = getattr(parser, name)(*arguments)
        return tuple(found) if hasattr(found, "_fields") else found

    return f"`{name}({', '.join(map(repr, arguments))})`", ask


def attribute(name: str) -> tuple[str, Answer]:
    """Return the question for a property. An iterator becomes a list."""

    def ask(parser: Any, _: str) -> object:
        found = getattr(parser, name)
        return found if found is None or isinstance(found, str) else list(found)

    return f"`{name}`", ask


@dataclass(frozen=True)
class Case:
    """A file, a question about it, and a title."""

    title: str
    body: str
    question: tuple[str, Answer]


BOTH = [
    Case("the most specific rule", "User-agent: *\nDisallow: /a\nAllow: /a/b", may("x", "/a/b")),
    Case("allow wins at equal length", "User-agent: *\nDisallow: /a\nAllow: /a", may("x", "/a")),
    Case("the length of a wildcard rule", "User-agent: *\nDisallow: /*.gif\nAllow: /images/", may("x", "/images/a.gif")),
    Case("`*`", "User-agent: *\nDisallow: /*.gif", may("x", "/a.gif")),
    Case("`$`", "User-agent: *\nDisallow: /a$", may("x", "/a")),
    Case("`$` is not also a literal", "User-agent: *\nDisallow: /a$", may("x", "/a%24")),
    Case("`$` inside", "User-agent: *\nDisallow: /a$b", may("x", "/a$b")),
    Case("`%2F` is not `/`", "User-agent: *\nDisallow: /a%2Fb", may("x", "/a/b")),
    Case("`%7E` is `~`", "User-agent: *\nDisallow: /%7Ea", may("x", "/~a")),
    Case("a fragment is not sent", "User-agent: *\nDisallow: /a%23b", may("x", "/a#b")),
    Case("an absolute URL as a rule", "User-agent: *\nDisallow: http://h/a", may("x", "/http://h/a")),
    Case("a rule without `/`", "User-agent: *\nDisallow: a", may("x", "/a")),
    Case("an index page", "User-agent: *\nDisallow: /\nAllow: /a/index.html", may("x", "/a/")),
    Case("`/robots.txt` itself", "User-agent: *\nDisallow: /", may("x", "/robots.txt")),
    Case("an empty URL", "User-agent: *\nDisallow: /", may("x", "")),
    Case("a relative URL", "User-agent: *\nDisallow: /a", may("x", "a")),
    Case("a blank line", "User-agent: *\n\nDisallow: /", may("x", "/a")),
    Case("groups of one name", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /b", may("x", "/b")),
    Case("a group with the whole name", "User-agent: bot\nDisallow: /\n\nUser-agent: botx\nAllow: /", may("botx", "/")),
    Case("a name with this prefix", "User-agent: bot\nDisallow: /", may("botany", "/a")),
    Case("a name with this suffix", "User-agent: bot\nDisallow: /", may("robot", "/a")),
    Case("a name and a version", "User-agent: bot\nDisallow: /", may("bot/2.1", "/a")),
    Case("a name and digits", "User-agent: bot\nDisallow: /", may("bot2", "/a")),
    Case("a name inside a header", "User-agent: bot\nDisallow: /", may("Mozilla/5.0 (compatible; bot/1)", "/a")),
    Case("a group with a version", "User-agent: bot/1.0\nDisallow: /", may("bot", "/a")),
    Case("a group of two words", "User-agent: big bot\nDisallow: /", may("bigger bot", "/a")),
    Case("a name outside ASCII", "User-agent: Böt\nDisallow: /", may("Böt", "/a")),
    Case("a crawl delay between names", "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nDisallow: /", may("a", "/a")),
    Case("an unknown line between names", "User-agent: a\nHello: 1\nUser-agent: b\nDisallow: /", may("a", "/a")),
    Case("a misspelled key", "User-agent: *\nDisalow: /", may("x", "/a")),
    Case("a key without a colon", "User-agent: *\nDisallow /", may("x", "/a")),
    Case("a rule before any group", "Disallow: /\nUser-agent: *\nAllow: /b", may("x", "/a")),
    Case("a byte order mark", "\ufeffUser-agent: *\nDisallow: /", may("x", "/a")),
    Case("a form feed in a line", "User-agent: *\nDisallow: /a\fb", may("x", "/a")),
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
    Case("a misspelled sitemap", "Site-map: http://h/a", attribute("sitemaps")),
    Case("two hosts", "Host: a.example\nHost: b.example", attribute("preferred_host")),
    Case("an invalid host", "Host: no host", attribute("preferred_host")),
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
    """Return the rows whose columns differ, and a line that names the others."""
    rows = [
        "| | file | question | " + " | ".join(names) + " |",
        "|---|---|---|" + "---|" * len(names),
    ]
    alike: list[str] = []
    for case, *answers in zip(cases, *columns):
        if len(set(answers)) == 1:
            alike.append(case.title)
        else:
            rows.append(f"| {case.title} | {body_of(case)} | {case.question[0]} | {' | '.join(answers)} |")
    return [*rows, "", f"All answers are the same for: {', '.join(alike)}."]


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
    """Return the answers of a version from the last lines of the page."""
    start = f"<!-- {version}: "
    lines = PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []
    found = [line for line in lines if line.startswith(start)]
    return found[0].removeprefix(start).removesuffix(" -->").split(" | ") if found else None


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
# Answers that change when you switch

Find out here what changes if you replace Protego 0.7 or `urllib.robotparser` with `verger.compat`. The interfaces
stay the same. The answers are those of RFC 9309, or of the `dialect=` that you pass. Each row is a question with the
answer of the original and ours. "Yes" means that the URL may be fetched. `tests/compat_page.py` generates the tables
from both libraries, and a test keeps them current.
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

The column for Python 3.11 also covers versions before 3.13.14, and 3.14 before 3.14.5. The column for Python 3.15
covers those two and later versions.
"""

TAIL = """
Other differences:

| | `urllib.robotparser` | `verger.compat.robotparser` |
|---|---|---|
| a second `parse` or `read` | adds to the first file, and flags of an earlier status stay | replaces the first file |
| `parse` of a `str` | each character is a line, so everything is allowed | the whole file |
| `read` of invalid UTF-8 | accepted since Python 3.15 | accepted |
| `read` of a 5xx | everything is disallowed since Python 3.15 | everything is disallowed |
| a `Request` instead of a URL | not supported | accepted |
| `entries`, `default_entry` | may be changed | are copies, so changes have no effect |
"""


def page(file: str | None = None) -> str:
    lines, known = robotparser_tables(file)
    kept = [f"<!-- {version}: {' | '.join(column)} -->" for version, column in known.items()]
    parts = [HEAD, BETWEEN, *protego_table(), ROBOTS, *lines, TAIL, *kept]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(*sys.argv[1:2]), encoding="utf-8")
