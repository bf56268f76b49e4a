"""Tools for site owners: which crawlers are blocked, how an edit changes that, and which lines are probably mistakes.

    >>> from verger import owner
    >>> [row] = owner.who("User-agent: GPTBot\\nDisallow: /", agents=["gptbot"])
    >>> row["disallowed"], row["rule_line"]
    ('everything', 2)

Each function corresponds to a subcommand of `verger` and returns the parsed output of its `--json` flag. The keys are
documented in `docs/json.md` of the repository.

Without `dialect`, each known crawler is judged as its operator reads, and every other one by RFC 9309.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable
from typing import Any, TypeAlias

from verger._names import Dialect, ReadingOption
from verger._verger import Store, diff_json, lint_json, page_json, parse_json, who_json

__all__ = ["diff", "history", "lint", "page", "parse", "who"]

_Bytes: TypeAlias = str | bytes | bytearray | memoryview

_SITE = "https://example.com"
_MAX_STATES = 4_000_000


def who(
    body: _Bytes,
    *,
    agents: Iterable[str] = (),
    dialect: Dialect | str | None = None,
    options: Iterable[ReadingOption | str] = (),
    site: str = _SITE,
    max_states: int = _MAX_STATES,
) -> list[dict[str, Any]]:
    """Show how much of a site each crawler may fetch, and which lines decide.

    Returns a `verger.who/1` dict for each crawler.

    - `agents` are names as for `verger who -a`: `gptbot`, `ExampleBot`, `@ai-train`. The default is all known crawlers
      in use and those named in the file.
    - `site` is a URL on the site that serves the file.
    - A question that needs more than `max_states` states is not decided.
    """
    return _lines(who_json(body, _names(agents), dialect, options, site, max_states))


def diff(
    old: _Bytes,
    new: _Bytes,
    *,
    agents: Iterable[str] = (),
    dialect: Dialect | str | None = None,
    options: Iterable[ReadingOption | str] = (),
    site: str = _SITE,
    max_states: int = _MAX_STATES,
) -> list[dict[str, Any]]:
    """Show what an edit changes for each crawler.

    Returns a `verger.diff/1` dict for each change, then a summary. In the summary, `same` is `True` if it is proven
    that nothing changed. The other arguments are the same as for `who`.
    """
    return _lines(diff_json(old, new, _names(agents), dialect, options, site, max_states))


def lint(
    body: _Bytes, *, name: str = "-", site: str | None = None, settings: str = ""
) -> dict[str, Any]:
    """Report probable mistakes in a file, as a `verger.lint/1` dict.

    Files are read as RFC 9309, and the other dialects are compared with it.

    - `name` is the value of `file` in the result.
    - `site` is a URL on the site that serves the file.
    - `settings` is the text of a `verger.toml`.
    """
    found: dict[str, Any] = json.loads(lint_json(body, name, site, settings))
    return found


def page(
    body: _Bytes,
    url: _Bytes,
    *,
    agents: Iterable[str] = (),
    head: _Bytes | None = None,
    html: _Bytes | None = None,
    at: float | None = None,
    dialect: Dialect | str | None = None,
    options: Iterable[ReadingOption | str] = (),
) -> list[dict[str, Any]]:
    """Show whether crawlers may fetch and index a page: robots.txt, the response and its directives together.

    Returns a `verger.check/1` dict with the key `page` for each crawler. Nothing is fetched.

    - `body` is the robots.txt of the site, `url` the URL of the page.
    - `agents` are names as for `who`. The default is a crawler that no group names.
    - `head` is the head of the response as `curl --include` prints it. Without it, the status is 200. Without `html`, too,
      the page counts as not fetched.
    - `html` is the page as it was received, in `bytes`, or its text. The first MiB is read. Without it, the state of an
      HTML page is unknown unless a header decides.
    - `at` is the time at which dates of `unavailable_after` are compared, in seconds since 1970. The default is now.
    """
    time_asked = time.time() if at is None else at
    return _lines(page_json(body, url, _names(agents), dialect, options, (head, html), time_asked))


def parse(
    body: _Bytes,
    *,
    name: str = "-",
    agent: str | None = None,
    dialect: Dialect | str | None = None,
    options: Iterable[ReadingOption | str] = (),
) -> dict[str, Any]:
    """List the contents of a file line by line, and the lines that are ignored, as a `verger.parse/1` dict.

    With `agent`, the name of one crawler as for `who`, the result also shows what applies to it. `name` is the value of
    `file` in the result. `verger.parse` returns the rules as objects.
    """
    agents = [] if agent is None else [agent]
    found: dict[str, Any] = json.loads(parse_json(body, name, agents, dialect, options))
    return found


def history(
    store: Store,
    url: str,
    *,
    since: float = 0,
    until: float | None = None,
    lines: bool = False,
    facts: bool = False,
) -> list[dict[str, Any]]:
    """List the snapshots of the site of `url` in a store, oldest first, as `verger.history/1` dicts.

    - `since` and `until` limit the time, in seconds since 1970. `until` itself is excluded.
    - `lines` adds the lines that changed.
    - `facts` adds headers, TLS and timings of each request and reply.
    """
    return _lines(store._history_json(url, since, until, lines, facts))


def _names(agents: Iterable[str]) -> list[str]:
    if isinstance(agents, str):
        raise TypeError("agents is a str: expected an iterable of str, such as [agents]")
    return list(agents)


def _lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.split("\n") if line]
