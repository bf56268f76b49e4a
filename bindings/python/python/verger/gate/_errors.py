"""The exceptions of `verger.gate`."""

from __future__ import annotations

import re

from verger import Reason
from verger._errors import Error
from verger.access import Decision, Stance


class GateError(Error):
    """A request was not sent. What an HTTP client raises about one that was sent is its own."""

    def __init__(self, url: str, about: object) -> None:
        super().__init__(url, about)
        self.url = url
        """The URL of the request."""

    @property
    def _shown(self) -> str:
        """The URL without what it may have of a password."""
        return re.sub("^([^/?#]*//)[^/?#]*@", r"\1", self.url)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class Denied(GateError):
    """A request that is not sent: a rule disallows its URL, or nothing may be fetched from its site for now."""

    def __init__(self, url: str, decision: Decision) -> None:
        super().__init__(url, decision)
        self.decision = decision
        """Why: the rule, or what happened to the robots.txt, and how long it holds
        (`decision.answer.holds_until`)."""

    @property
    def reason(self) -> Reason | Stance:
        """The reason of the verdict; where no rules are in force, the stance."""
        verdict = self.decision.verdict
        return self.decision.answer.stance if verdict is None else verdict.reason

    @property
    def line(self) -> int | None:
        """The line of the rule that decides, counted from 1; `None` where no rule does."""
        verdict = self.decision.verdict
        return None if verdict is None else verdict.line

    def __str__(self) -> str:
        return f"{self._shown}: {self.decision}"


class LongWait(GateError):
    """A request that would have to wait longer than `longest_wait` for the delays of its site."""

    def __init__(self, url: str, longest: float) -> None:
        super().__init__(url, longest)
        self.longest = longest
        """The longest wait in seconds."""

    def __str__(self) -> str:
        return (
            f"{self._shown}: the delays of the site let it be sent only after more than {self.longest} s"
        )


class Undecided(GateError):
    """Nothing can be decided about a request: its URL has no robots.txt, or is none."""

    def __init__(self, url: str, error: Error) -> None:
        super().__init__(url, error)
        self.error = error
        """An `AuthorityError` or a `TargetError`."""

    def __str__(self) -> str:
        return f"{self._shown}: {self.error}"
