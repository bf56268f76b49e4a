"""Value classes: frozen, hashable and usable in pattern matching. The compiled module creates them.

Text from a file is decoded as UTF-8. Bytes that are not UTF-8 become lone surrogates, as with `surrogateescape`
(PEP 383), and `text.encode("utf-8", "surrogateescape")` restores them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import time
from typing import TYPE_CHECKING, Any

from verger._names import Dialect, Effect, NamedBy, Preference, Signal

if TYPE_CHECKING:
    from verger._verger import Verdict


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class Rule:
    """An allow or disallow line."""

    effect: Effect
    pattern: str
    """The path-pattern as written in the file."""
    line: int
    """Line number, counted from 1."""

    @property
    def pattern_bytes(self) -> bytes:
        """The bytes of the pattern."""
        return _bytes(self.pattern)

    def __str__(self) -> str:
        return f"{self.effect.capitalize()}: {self.pattern}"


@dataclass(frozen=True, slots=True)
class Group:
    """A group: user-agent lines and the rules that follow them."""

    line: int
    """Line number of its first user-agent line."""
    user_agents: tuple[str, ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class AppliedGroup:
    """The group that applies to a crawler. If several groups are merged, this is the first."""

    line: int
    named_by: NamedBy

    def __str__(self) -> str:
        return f"group at line {self.line}, {'by name' if self.named_by == 'token' else '*'}"


@dataclass(frozen=True, slots=True)
class Record:
    """A line with a key and a value, as written in the file."""

    kind: str | None
    """The known key that it is read as, such as `crawl-delay`. `None` if the key is not known."""
    key: str
    value: str
    line: int

    @property
    def value_bytes(self) -> bytes:
        """The bytes of the value."""
        return _bytes(self.value)


@dataclass(frozen=True, slots=True)
class DayWindow:
    """A time window of each day, in UTC, from the start of minute `first` to the end of minute `last`.

    If `first` is later than `last`, the window spans midnight.
    """

    first: time
    last: time


@dataclass(frozen=True, slots=True)
class CrawlDelay:
    """The delay that a site requests between two requests."""

    milliseconds: int
    line: int

    @property
    def seconds(self) -> float:
        """The delay in seconds."""
        return self.milliseconds / 1000


@dataclass(frozen=True, slots=True)
class RequestRate:
    """The maximum number of requests that a site accepts in a period."""

    requests: int
    seconds: int
    interval_milliseconds: int
    """Time between two requests at this rate, in milliseconds, rounded up."""
    window: DayWindow | None
    """The time window in which the rate applies. `None` for the whole day."""
    line: int


@dataclass(frozen=True, slots=True)
class VisitTime:
    """A time window in which a crawler may visit."""

    window: DayWindow
    line: int


@dataclass(frozen=True, slots=True)
class CleanParam:
    """Query parameters that do not change the page, from a `Clean-param` line."""

    parameters: tuple[str, ...]
    path: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Host:
    """The preferred mirror of a site, from a `Host` line."""

    name: str
    port: int | None
    scheme: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Noindex:
    """A `Noindex` line. No crawler is known to read it."""

    pattern: str
    line: int


@dataclass(frozen=True, slots=True)
class SignalPair:
    """One `key=value` of a `Content-Signal` line."""

    key: str
    value: str
    signal: Signal | None
    """`None` if the value is neither `yes` nor `no`."""
    line: int


@dataclass(frozen=True, slots=True)
class ContentSignal:
    """The content signals for a crawler, from `Content-Signal` lines. `None` if a signal is not given."""

    search: Signal | None
    ai_input: Signal | None
    ai_train: Signal | None
    pairs: tuple[SignalPair, ...]
    """All pairs as written, including those with other keys."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """Preferences about the use of content, by category, from `Content-Usage` lines."""

    train_ai: Preference
    search: Preference
    ai_use: Preference


@dataclass(frozen=True, slots=True)
class UsageRule:
    """A `Content-Usage` line."""

    path: str | None
    """The paths it applies to. `None` for all paths."""
    preferences: Preferences
    line: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A note about text that was ignored, truncated or read differently from how it is written."""

    kind: str
    message: str
    clause: str
    """Id of the clause it is based on. `verger clause ID` prints the text of the clause."""
    line: int | None
    start: int
    """Offset in the body, in bytes."""
    end: int


@dataclass(frozen=True, slots=True)
class FileWarning:
    """A warning about a file as a whole."""

    kind: str
    message: str
    clause: str
    line: int | None
    count: int | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule that matches a URL, and why it does or does not decide."""

    line: int
    text: str
    effect: Effect
    bytes: int
    """Specificity: the number of bytes compared."""
    decides: bool
    why: str


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """A dialect that decides differently, or decides the same for a different reason."""

    dialect: Dialect
    effect: Effect | None
    """`None` if the dialect cannot decide for this agent or URL."""
    line: int | None
    why: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """A verdict, the rules that match, and the dialects that disagree."""

    verdict: Verdict
    candidates: tuple[Candidate, ...]
    """All matching rules, in order of precedence."""
    others: tuple[OtherAnswer, ...]
    json: str
    """The explanation as JSON, as printed by `verger check --json --explain` (see `docs/json.md`)."""

    def as_dict(self) -> dict[str, Any]:
        """Return `json` as a dict."""
        read: dict[str, Any] = json.loads(self.json)
        return read

    @property
    def preferences(self) -> dict[str, Any] | None:
        """The preferences that the file states about the uses of the content (`docs/json.md`), or `None`.
        They never change the verdict."""
        return self.as_dict().get("preferences")

    def __str__(self) -> str:
        lines = [str(self.verdict)]
        lines += [f"  line {it.line}: {it.text} ({it.why})" for it in self.candidates]
        for it in self.others:
            answer = f"{it.effect}ed" if it.effect else "cannot be asked"
            lines.append(f"  {it.dialect}: {answer} ({it.why})")
        return "\n".join(lines)
