"""A robots.txt for the drop-in modules, which accept any text as an agent and as a URL."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from verger._errors import TargetError
from verger._names import Dialect, ReadingOption
from verger._verger import Pacing, Policy, RobotsTxt

DialectName: TypeAlias = Dialect | Literal["rfc9309", "google", "draft2019", "koster1996"]

LENIENT = (ReadingOption.LENIENT_LINES, ReadingOption.LENIENT_OTHER_RECORDS)

_POLICIES_MAX = 256
"""Maximum number of policies kept per file. Crawlers use one agent or a few."""

# A name starts only where no letter, digit, `.`, `-` or `_` precedes it: `bot` is not found in `mybot`. No match starts
# inside a run, so the search is linear.
_NAME = re.compile(r"(?<![\w.-])[A-Za-z0-9_.-]+")
_LETTER = re.compile(r"[A-Za-z_-]")
_IDENTIFIER = re.compile(r"[A-Za-z_-]+")


def names_in(user_agent: str) -> list[str]:
    """Return the names in a `User-Agent` header or any other text, the longest first.

    A name with digits or dots also gives the text before them, because crawlers and files use both `examplebot2` and
    `examplebot`.
    """
    found: dict[str, None] = {}
    for name in _NAME.findall(user_agent):
        if not _LETTER.search(name):
            continue
        found[name.lower()] = None
        identifier = _IDENTIFIER.match(name)
        if identifier:
            found[identifier[0].lower()] = None
    return sorted(found, key=len, reverse=True)


def path_of(url: str) -> str:
    """Return the path and query, from the root, of a text that is neither an absolute URL nor a path."""
    url = url.partition("#")[0]
    parts = urlsplit(url)
    path = f"{parts.path}?{parts.query}" if "?" in url else parts.path
    return path if path.startswith("/") else f"/{path}"


class Reading:
    def __init__(self, text: str, dialect: DialectName, options: Iterable[ReadingOption] = ()) -> None:
        self.robots = RobotsTxt(text, dialect, options=options)
        self._policies: dict[str, Policy] = {}

    def policy(self, user_agent: str) -> Policy:
        """Return the policy for the first name in the text that a group names, or else for `*`."""
        policy = self._policies.get(user_agent)
        if policy is None:
            policy = self.robots.policy(names_in(user_agent) or "*")
            if len(self._policies) >= _POLICIES_MAX:
                self._policies.clear()
            self._policies[user_agent] = policy
        return policy

    def allowed(self, url: str, user_agent: str) -> bool:
        policy = self.policy(user_agent)
        try:
            return policy.allowed(url)
        except TargetError:
            return policy.allowed(path_of(url))

    def pacing(self, user_agent: str) -> Pacing:
        return self.policy(user_agent).pacing
