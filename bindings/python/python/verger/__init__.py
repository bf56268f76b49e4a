"""Check what a robots.txt allows: whether a crawler may fetch a URL, and which line decides.

    >>> import verger
    >>> robots = verger.parse("User-agent: *\\nDisallow: /private/")
    >>> policy = robots.policy("ExampleBot")
    >>> policy.allowed("https://example.com/private/x")
    False
    >>> print(policy.verdict("https://example.com/private/x"))
    disallowed, line 2: Disallow: /private/ (group at line 1, *)

This module does not fetch files and does not normalize URLs. Pass the URL that you will request. All objects are
immutable and can be shared between threads. Files, policies, verdicts and values are hashable and can be pickled.
"""

from verger._errors import (
    Error,
    InternalError,
    ProductTokenError,
    TargetError,
    UnknownCrawlerError,
)
from verger._names import (
    Dialect,
    Effect,
    NamedBy,
    Obeys,
    Preference,
    Purpose,
    ReadingOption,
    Reason,
    Signal,
    say_where_they_are,
)
from verger._values import (
    AppliedGroup,
    Candidate,
    CleanParam,
    ContentSignal,
    CrawlDelay,
    DayWindow,
    Diagnostic,
    Explanation,
    FileWarning,
    Group,
    Host,
    Noindex,
    OtherAnswer,
    Preferences,
    Record,
    RequestRate,
    Rule,
    SignalPair,
    UsageRule,
    VisitTime,
)
from verger._verger import (
    Crawler,
    Pacing,
    Policy,
    ProductToken,
    RobotsTxt,
    Verdict,
    allowed,
    authority,
    crawlers,
    parse,
    verdict,
)
from verger._verger import __version__ as __version__

__all__ = [
    "AppliedGroup",
    "Candidate",
    "CleanParam",
    "ContentSignal",
    "CrawlDelay",
    "Crawler",
    "DayWindow",
    "Diagnostic",
    "Dialect",
    "Effect",
    "Error",
    "Explanation",
    "FileWarning",
    "Group",
    "Host",
    "InternalError",
    "NamedBy",
    "Noindex",
    "Obeys",
    "OtherAnswer",
    "Pacing",
    "Policy",
    "Preference",
    "Preferences",
    "ProductToken",
    "ProductTokenError",
    "Purpose",
    "ReadingOption",
    "Reason",
    "Record",
    "RequestRate",
    "RobotsTxt",
    "Rule",
    "Signal",
    "SignalPair",
    "TargetError",
    "UnknownCrawlerError",
    "UsageRule",
    "Verdict",
    "VisitTime",
    "allowed",
    "authority",
    "crawlers",
    "parse",
    "robots_url",
    "verdict",
]


def robots_url(url: str, /) -> str:
    """Return the URL of the robots.txt that applies to a URL.

    Raises `verger.access.AuthorityError` if none does, and `TypeError`.
    """
    return f"{authority(url)}/robots.txt"


say_where_they_are(__name__, globals())
