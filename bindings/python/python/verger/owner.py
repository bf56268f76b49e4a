"""What the owner of a site asks: which crawlers are disallowed what, what a change means, what is probably a
mistake, what a file holds, and what was seen.

    >>> from verger import owner
    >>> [row] = owner.who("User-agent: GPTBot\\nDisallow: /", agents=["gptbot"])
    >>> row["disallowed"], row["rule_line"]
    ('everything', 2)

Each function is a command of `verger`, and answers with the JSON that the command prints with `--json`, read:
`docs/json.md` of the repository has the keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TypeAlias

from verger._names import Dialect, ReadingOption
from verger._verger import Store, diff_json, lint_json, parse_json, who_json

__all__ = ["diff", "history", "lint", "parse", "who"]

_Bytes: TypeAlias = str | bytes | bytearray | memoryview

_SITE = "https://example.com"
_MAX_STATES = 4_000_000


def who(
    body: _Bytes,
    *,
    agents: Iterable[str] = (),
    dialect: Dialect | str = Dialect.RFC9309,
    options: Iterable[ReadingOption | str] = (),
    site: str = _SITE,
    max_states: int = _MAX_STATES,
) -> list[dict[str, Any]]:
    """How much of a site each crawler may fetch, and by which lines: a dict of `verger.who/1` for each crawler.

    `agents` are names as `verger who -a` takes them (`gptbot`, `ExampleBot`, `@ai-train`); without any, all
    known crawlers in use, and those that the file names. `site` is a URL of the site that has the file. A
    question that takes more than `max_states` is not decided.
    """
    return _lines(who_json(body, _names(agents), dialect, options, site, max_states))


def diff(
    old: _Bytes,
    new: _Bytes,
    *,
    agents: Iterable[str] = (),
    dialect: Dialect | str = Dialect.RFC9309,
    options: Iterable[ReadingOption | str] = (),
    site: str = _SITE,
    max_states: int = _MAX_STATES,
) -> list[dict[str, Any]]:
    """What a change of the file means for each crawler: a dict of `verger.diff/1` for each change, and at last one
    about the whole, whose `same` is `True` where it is proven that nothing changed. The rest is as for `who`.
    """
    return _lines(diff_json(old, new, _names(agents), dialect, options, site, max_states))


def lint(
    body: _Bytes, *, name: str = "-", site: str | None = None, settings: str = ""
) -> dict[str, Any]:
    """What the owner of the file probably does not mean: a dict of `verger.lint/1`. Every file is read by RFC 9309,
    and the other dialects are compared with it.

    `name` is `file` in the answer; `site` is a URL of the site that has the file; `settings` is the text of a
    `verger.toml`.
    """
    found: dict[str, Any] = json.loads(lint_json(body, name, site, settings))
    return found


def parse(
    body: _Bytes,
    *,
    name: str = "-",
    agent: str | None = None,
    dialect: Dialect | str = Dialect.RFC9309,
    options: Iterable[ReadingOption | str] = (),
) -> dict[str, Any]:
    """What the file holds, line by line, and what was ignored: a dict of `verger.parse/1`; with `agent`, a name as
    for `who` that means one crawler, also what applies to it. `verger.parse` has the rules as values.

    `name` is `file` in the answer.
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
    """What a store has of the site of `url`, oldest first: a dict of `verger.history/1` for each snapshot, with the
    lines that changed where `lines` is true, and with heads, TLS and times of each request and its reply where `facts`
    is. Times are seconds since 1970; `until` is not among them.
    """
    return _lines(store._history_json(url, since, until, lines, facts))


def _names(agents: Iterable[str]) -> list[str]:
    if isinstance(agents, str):
        raise TypeError("agents must be an iterable of str, not str")
    return list(agents)


def _lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.split("\n") if line]
