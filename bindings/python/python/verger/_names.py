"""Enums. Each member is a `str` and equals its value: `verdict.effect == "allow"`."""

from enum import Enum
from typing import Any


class _Name(str, Enum):
    def __str__(self) -> str:
        return str(self.value)


class Dialect(_Name):
    """The dialect in which a robots.txt is read."""

    RFC9309 = "rfc9309"
    """RFC 9309: the most specific rule decides. Percent-encoded bytes are compared one by one."""
    GOOGLE = "google"
    """google/robotstxt, bit for bit. Any text is accepted as an agent and as a URL."""
    DRAFT2019 = "draft2019"
    """The draft of 2019: like RFC 9309, but only the first `*` group is used."""
    KOSTER1996 = "koster1996"
    """The draft of 1996: blank lines end records, and the first match decides."""


class ReadingOption(_Name):
    """Options that change how a dialect reads a file."""

    LENIENT_OTHER_RECORDS = "lenient-other-records"
    """Read misspelled other records, such as `site-map`."""
    LENIENT_LINES = "lenient-lines"
    """Read misspelled keys and lines without a colon, as Google's library does."""
    IGNORE_ALLOW = "ignore-allow"
    """Ignore allow lines. Disallows more."""
    BRIDGE_ENCODINGS = "bridge-encodings"
    """Decode UTF-16, and read other bytes that are not UTF-8 as Latin-1."""
    COMMA_AGENTS = "comma-agents"
    """Accept several names, separated by commas, in a user-agent line."""


class Effect(_Name):
    """The effect of a rule or verdict."""

    ALLOW = "allow"
    DISALLOW = "disallow"


class Reason(_Name):
    """Why a verdict was reached."""

    RULE = "rule"
    """A rule decided."""
    NO_RULE = "no-rule"
    """A group applies to the crawler, but none of its rules match."""
    NO_GROUP = "no-group"
    """No group applies to the crawler."""
    ROBOTS_TXT = "robots-txt"
    """The URL is `/robots.txt` itself."""


class NamedBy(_Name):
    """How a group was selected for a crawler."""

    TOKEN = "token"
    """The group names the crawler."""
    STAR = "star"
    """The group is for `*`, and no group names the crawler."""


class Signal(_Name):
    """The value of a content signal."""

    YES = "yes"
    NO = "no"


class Preference(_Name):
    """The preference of a `Content-Usage` line about a category of use."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Obeys(_Name):
    """Whether a crawler obeys robots.txt, according to its operator."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


class Purpose(_Name):
    """The purpose for which a known crawler fetches pages."""

    ADS = "ads"
    AI_INPUT = "ai-input"
    AI_TRAIN = "ai-train"
    ARCHIVE = "archive"
    COMMERCE = "commerce"
    DATASET = "dataset"
    FEED = "feed"
    MONITORING = "monitoring"
    OTHER = "other"
    PREVIEW = "preview"
    RESEARCH = "research"
    SEARCH = "search"
    SECURITY = "security"
    SEO = "seo"
    USER_TRIGGERED = "user-triggered"


def say_where_they_are(module: str, names: dict[str, Any]) -> None:
    """Make tracebacks, `repr` and pickles show the public module of what `__all__` lists, not the file that defines it."""
    for name in names["__all__"]:
        value = names[name]
        if getattr(value, "__module__", "").startswith(("verger._", "verger.gate._")):
            value.__module__ = module
