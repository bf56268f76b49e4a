"""A robots.txt as the modules beside this one ask about it: any text is an agent, any text is a URL."""

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
"""How many policies are kept for one file: crawlers ask for one agent, or for a few."""

# A name begins where no letter, digit, `-` or `_` comes before it: `bot` is not in `mybot`. As no match begins
# in the middle of a run, the search is linear.
_NAME = re.compile(r"(?<![\w.-])[A-Za-z0-9_.-]+")
_LETTER = re.compile(r"[A-Za-z_-]")
_IDENTIFIER = re.compile(r"[A-Za-z_-]+")


def names_in(user_agent: str) -> list[str]:
    """The names in a `User-Agent` header or any other text, the longest first. One with digits or dots is
    followed by the text before them, as crawlers and files write both `examplebot2` and `examplebot`."""
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
    """Path and query of a text that is neither an absolute URL nor a path, from the root."""
    url = url.partition("#")[0]
    parts = urlsplit(url)
    path = f"{parts.path}?{parts.query}" if "?" in url else parts.path
    return path if path.startswith("/") else f"/{path}"


class Reading:
    """A file and the policies that were asked for."""

    def __init__(self, text: str, dialect: DialectName, options: Iterable[ReadingOption] = ()) -> None:
        self.robots = RobotsTxt(text, dialect, options=options)
        self._policies: dict[str, Policy] = {}

    def policy(self, user_agent: str) -> Policy:
        """What applies to the first of the names in the text that a group names, or else to `*`."""
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
