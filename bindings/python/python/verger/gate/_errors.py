"""Exceptions of `verger.gate`."""

from __future__ import annotations

import re

from verger import Reason
from verger._errors import Error
from verger.access import Decision, Stance


class GateError(Error):
    """A request was not sent. Errors of requests that were sent are those of the HTTP client."""

    def __init__(self, url: str, about: object) -> None:
        super().__init__(url, about)
        self.url = url
        """The URL of the request."""

    @property
    def _shown(self) -> str:
        """The URL without a user name and password."""
        return re.sub("^([^/?#]*//)[^/?#]*@", r"\1", self.url)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"


class Denied(GateError):
    """A request was not sent, because a rule disallows its URL, or no rules are known (`Unavailable`)."""

    def __init__(self, url: str, decision: Decision) -> None:
        super().__init__(url, decision)
        self.decision = decision
        """The decision: the rule or the outcome of fetching the robots.txt, and how long it is valid
        (`decision.answer.holds_until`)."""

    @property
    def reason(self) -> Reason | Stance:
        """The reason of the verdict, or the stance if no rules apply."""
        verdict = self.decision.verdict
        return self.decision.answer.stance if verdict is None else verdict.reason

    @property
    def line(self) -> int | None:
        """Line number of the deciding rule, counted from 1. `None` if no rule decides."""
        verdict = self.decision.verdict
        return None if verdict is None else verdict.line

    def __str__(self) -> str:
        return f"{self._shown}: {self.decision}"


class Unavailable(Denied):
    """A request was not sent, because no rules are known: its site failed, or its robots.txt was not fetched yet.

    `__cause__` is the exception of the HTTP client, if this request fetched the robots.txt.
    """

    @property
    def retry_at(self) -> int:
        """When the robots.txt may be fetched again, in seconds since 1970."""
        return self.decision.answer.ask_again_at


class LongWait(GateError):
    """A request would have to wait longer than `longest_wait` for the delays of its site."""

    def __init__(self, url: str, longest: float, seconds: float) -> None:
        super().__init__(url, longest)
        self.args = (url, longest, seconds)
        self.longest = longest
        """The limit, in seconds."""
        self.seconds = seconds
        """How long the request would have to wait at least, in seconds."""

    def __str__(self) -> str:
        return (
            f"{self._shown}: the delays of the site require a wait of more than {self.longest} s"
        )


class Undecided(GateError):
    """A request cannot be decided: its URL has no robots.txt, or is not a valid URL."""

    def __init__(self, url: str, error: Error) -> None:
        super().__init__(url, error)
        self.error = error
        """The cause: an `AuthorityError` or a `TargetError`."""

    def __str__(self) -> str:
        return f"{self._shown}: {self.error}"
