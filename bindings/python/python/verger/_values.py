"""The value classes: frozen, hashable, made for pattern matching. The compiled part makes them.

Texts out of a file are its bytes as UTF-8; a byte that is not is a lone surrogate, as with
`surrogateescape` (PEP 383), so that `text.encode("utf-8", "surrogateescape")` has the bytes back.
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
    """As the file writes it."""
    line: int
    """Its line, counted from 1."""

    @property
    def pattern_bytes(self) -> bytes:
        """The bytes of the pattern."""
        return _bytes(self.pattern)

    def __str__(self) -> str:
        return f"{self.effect.capitalize()}: {self.pattern}"


@dataclass(frozen=True, slots=True)
class Group:
    """User-agent lines and the rules below them."""

    line: int
    """Its first user-agent line."""
    user_agents: tuple[str, ...]
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class AppliedGroup:
    """The group that applies to a crawler; the first one where several are merged."""

    line: int
    named_by: NamedBy

    def __str__(self) -> str:
        return f"group at line {self.line}, {'by name' if self.named_by == 'token' else '*'}"


@dataclass(frozen=True, slots=True)
class Record:
    """A line with a key and a value, as the file writes them."""

    kind: str | None
    """The known key that it is read as (`crawl-delay`); `None` for any other."""
    key: str
    value: str
    line: int

    @property
    def value_bytes(self) -> bytes:
        """The bytes of the value."""
        return _bytes(self.value)


@dataclass(frozen=True, slots=True)
class DayWindow:
    """A part of the day, in UTC: from the start of its first minute to the end of its last one. Where the
    first is later than the last, it runs over midnight."""

    first: time
    last: time


@dataclass(frozen=True, slots=True)
class CrawlDelay:
    """How long a crawler is asked to wait between two requests."""

    milliseconds: int
    line: int

    @property
    def seconds(self) -> float:
        """The same in seconds."""
        return self.milliseconds / 1000


@dataclass(frozen=True, slots=True)
class RequestRate:
    """How many requests a crawler may send in a time."""

    requests: int
    seconds: int
    interval_milliseconds: int
    """The time between two requests at this rate, rounded up."""
    window: DayWindow | None
    """The part of the day to which the rate is bound; `None` for the whole day."""
    line: int


@dataclass(frozen=True, slots=True)
class VisitTime:
    """A part of the day in which a crawler is welcome."""

    window: DayWindow
    line: int


@dataclass(frozen=True, slots=True)
class CleanParam:
    """Parameters of a query that change nothing, by a `Clean-param` line."""

    parameters: tuple[str, ...]
    path: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Host:
    """The preferred mirror of a site, by a `Host` line."""

    name: str
    port: int | None
    scheme: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Noindex:
    """A `Noindex` line, which no crawler is known to read."""

    pattern: str
    line: int


@dataclass(frozen=True, slots=True)
class SignalPair:
    """One `key=value` of a `Content-Signal` line."""

    key: str
    value: str
    signal: Signal | None
    """`None` where the value is neither yes nor no."""
    line: int


@dataclass(frozen=True, slots=True)
class ContentSignal:
    """What the `Content-Signal` lines of a crawler's groups say; `None` where they say nothing."""

    search: Signal | None
    ai_input: Signal | None
    ai_train: Signal | None
    pairs: tuple[SignalPair, ...]
    """All pairs as they are written, also those with other keys."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """What `Content-Usage` lines say about the use of content, by category."""

    train_ai: Preference
    search: Preference


@dataclass(frozen=True, slots=True)
class UsageRule:
    """A `Content-Usage` line."""

    path: str | None
    """The paths for which it holds; `None` for all."""
    preferences: Preferences
    line: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What was ignored, cut, or read otherwise than it is written."""

    kind: str
    message: str
    clause: str
    """The id of the clause that it rests on; `verger clause ID` prints its text."""
    line: int | None
    start: int
    """The place in the body, in bytes."""
    end: int


@dataclass(frozen=True, slots=True)
class FileWarning:
    """What is odd about a file as a whole."""

    kind: str
    message: str
    clause: str
    line: int | None
    count: int | None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule that matches a URL, and why it decides or does not."""

    line: int
    text: str
    effect: Effect
    data: int
    """How specific it is."""
    decides: bool
    why: str


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """Another dialect whose answer differs, or rests on something else."""

    dialect: Dialect
    effect: Effect | None
    """`None` where the question cannot be asked there."""
    line: int | None
    why: str
    clause: str | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """A verdict, the rules that match, and the dialects that answer otherwise."""

    verdict: Verdict
    candidates: tuple[Candidate, ...]
    """All rules that match, in order of precedence."""
    others: tuple[OtherAnswer, ...]
    json: str
    """All of it as the command prints it with `--json --explain` (`docs/json.md`)."""

    def as_dict(self) -> dict[str, Any]:
        """`json`, read."""
        read: dict[str, Any] = json.loads(self.json)
        return read

    def __str__(self) -> str:
        lines = [str(self.verdict)]
        lines += [f"  line {it.line}: {it.text} ({it.why})" for it in self.candidates]
        for it in self.others:
            answer = f"{it.effect}ed" if it.effect else "cannot be asked"
            lines.append(f"  {it.dialect}: {answer} ({it.why})")
        return "\n".join(lines)
