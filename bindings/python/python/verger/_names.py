"""The enums. Every member is a `str`, and equals it: `verdict.effect == "allow"`."""

from enum import Enum


class _Name(str, Enum):
    def __str__(self) -> str:
        return str(self.value)


class Dialect(_Name):
    """What a robots.txt is read by."""

    RFC9309 = "rfc9309"
    """RFC 9309: the most specific rule, compared percent-encoded byte by byte."""
    GOOGLE = "google"
    """google/robotstxt bit for bit; any text is an agent, any text is a URL."""
    DRAFT2019 = "draft2019"
    """The draft of 2019: as RFC 9309, but the first `*` group alone counts."""
    KOSTER1996 = "koster1996"
    """The draft of 1996: blank lines end records, the first match decides."""


class ReadingOption(_Name):
    """What is read otherwise than the dialect says."""

    LENIENT_OTHER_RECORDS = "lenient-other-records"
    """Misspelt other records, such as `site-map`, are read."""
    LENIENT_LINES = "lenient-lines"
    """Misspelt keys and missing colons are read as Google's library does."""
    IGNORE_ALLOW = "ignore-allow"
    """Allow lines are ignored, so that more is disallowed."""
    BRIDGE_ENCODINGS = "bridge-encodings"
    """UTF-16 is decoded, and other bytes that are not UTF-8 are read as Latin-1."""
    COMMA_AGENTS = "comma-agents"
    """A user-agent line may hold several names, separated by commas."""


class Effect(_Name):
    """Whether a rule, or a verdict, allows or disallows."""

    ALLOW = "allow"
    DISALLOW = "disallow"


class Reason(_Name):
    """Why a verdict is what it is."""

    RULE = "rule"
    """A rule decided."""
    NO_RULE = "no-rule"
    """A group applies to the crawler, and no rule of it matches."""
    NO_GROUP = "no-group"
    """No group applies to the crawler."""
    ROBOTS_TXT = "robots-txt"
    """The URL is `/robots.txt` itself."""


class NamedBy(_Name):
    """How a group applies to a crawler."""

    TOKEN = "token"
    """It names the crawler."""
    STAR = "star"
    """It is for `*`, and no group names the crawler."""


class Signal(_Name):
    """What a content signal says about a use."""

    YES = "yes"
    NO = "no"


class Preference(_Name):
    """What a `Content-Usage` line says about a category of use."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Obeys(_Name):
    """Whether a crawler obeys robots.txt, by its operator's statement."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


class Purpose(_Name):
    """What a known crawler fetches for."""

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
