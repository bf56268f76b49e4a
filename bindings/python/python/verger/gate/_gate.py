"""The gate used by all HTTP clients."""

from __future__ import annotations

import math
import os
import time
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Sequence

import verger
from verger import access
from verger._drive import Robots, Sender
from verger._memory import Entry
from verger._shortage import PROXY_STATUS, is_of_site
from verger._verger import _ENCODED_BYTES_MAX, Crawler, ProductToken, _decoded
from verger._waits import Waits
from verger.gate._delays import Delays, TooLong, log
from verger.gate._errors import Denied, LongWait, Unavailable, Undecided

Agent = str | ProductToken | Crawler | Sequence[str | ProductToken]

DEADLINE = 60.0

CHUNK_BYTES = 1 << 16


class Gate:
    """Decides about each request of a crawler, and delays it as its site requests."""

    clock: Callable[[], float]
    """Seconds since 1970."""
    monotonic: Callable[[], float]
    """A monotonic clock, in seconds."""
    sleep: Callable[[float], Awaitable[None]]

    def __init__(
        self,
        agent: Agent,
        waits: Waits,
        *,
        profile: access.Profile | str,
        store: str | os.PathLike[str] | None,
        keep_delays: bool,
        longest_wait: float | None,
        least_delay: float,
        deadline: float,
        memory_bytes_max: int,
    ) -> None:
        if not deadline > 0:
            raise ValueError(f"deadline is {deadline}: expected a positive number of seconds")
        if longest_wait is not None and not longest_wait >= 0:
            raise ValueError(f"longest_wait is {longest_wait}: expected seconds, or None for no limit")
        if not 0 <= least_delay < math.inf:
            raise ValueError(f"least_delay is {least_delay}: expected seconds")
        self.deadline = deadline
        # Report an invalid agent now.
        self.agent: Crawler | tuple[str, ...] = verger.parse(b"").policy(agent).agent
        self.clock = time.time
        self.monotonic = time.monotonic
        self.sleep = waits.sleep
        self._longest_wait = longest_wait
        self._least_delay = least_delay
        self._keep_delays = keep_delays
        self._robots = Robots(
            waits,
            lambda: self.clock(),
            access.Profile(profile),
            store,
            "gate",
            deadline,
            memory_bytes_max,
        )
        self._delays = Delays(
            waits, lambda: self.monotonic(), lambda seconds: self.sleep(seconds), self._robots.take_turn
        )

    async def admit(self, url: str, sender: GateSender) -> access.Decision:
        """Wait until a request for `url` may be sent: it is allowed, and the delay of its site has passed.

        The caller then sends it. Raises `GateError`.
        """
        decision = await self._decide(url, sender)
        delay = self._delay(decision)
        if not delay:
            return decision
        try:
            with self._delays.turn(access.authority(url), delay, self._longest_wait) as turn:
                while not await turn.comes(delay):
                    decision = await self._decide(url, sender)
                    delay = self._delay(decision)
        except TooLong as error:
            raise LongWait(url, self._longest_wait or 0.0, error.seconds) from None
        return decision

    def _delay(self, decision: access.Decision) -> float:
        asked = decision.pacing._wait_seconds(self.clock()) if self._keep_delays else 0.0
        return max(asked, self._least_delay)

    async def _decide(self, url: str, sender: GateSender) -> access.Decision:
        try:
            entry = await self._robots.entry(access.authority(url), sender)
            decision = entry.policies.policy(None, lambda: self.agent).decide(url)
        except (access.AuthorityError, verger.TargetError) as error:
            raise Undecided(url, error) from error
        if not decision.allowed and decision.verdict is None:
            raise Unavailable(url, decision) from sender.error
        if not decision.allowed:
            raise Denied(url, decision)
        return decision


class GateSender(Sender):
    def __init__(self, gate: Gate, user_agent: str | None) -> None:
        self._gate = gate
        self._user_agent = user_agent
        self._seconds_left = gate.deadline
        self._errors: list[Exception] = []

    @property
    def error(self) -> Exception | None:
        """The last exception of the client during a fetch of this request."""
        return self._errors[-1] if self._errors else None

    @property
    def agent(self) -> Crawler | tuple[str, ...]:
        return self._gate.agent

    async def send(self, fetch: access.Fetch, request: access.Request) -> None:
        # Checking a redirect may need another fetch, whose time does not count for this one.
        taken, begin, seconds = Taken(), self._gate.monotonic(), self._seconds_left
        if seconds <= 0 or not await self.finishes(request, taken, seconds):
            taken.break_off(access.Failure.TIMEOUT)
        self._seconds_left -= self._gate.monotonic() - begin
        # A copy for one fetch shares the list.
        self._errors[:] = [] if taken.error is None else [taken.error]
        taken.give(fetch, self._gate.clock())

    async def fetched(self, attempt: access.Attempt, entry: Entry) -> None:
        if entry.answer.stance in (access.Stance.CLOSED, access.Stance.DEFER):
            log.info("%s: %s", access.authority(attempt.hops[0].url) if attempt.hops else "", entry.answer)

    @abstractmethod
    async def finishes(self, request: access.Request, taken: Taken, seconds: float) -> bool:
        """Send `request` and store the reply in `taken`. Return whether the whole reply arrived within `seconds`."""

    def headers(self, request: access.Request) -> dict[str, str]:
        """Return the headers to send. They refuse content codings, so the bytes received are those of the file."""
        headers = dict(request.conditions)
        headers["Accept"] = "text/plain, */*;q=0.5"
        headers["Accept-Encoding"] = "identity"
        if self._user_agent is not None:
            headers["User-Agent"] = self._user_agent
        return headers


def _is_length(value: bytes) -> bool:
    return all(it.strip(b" \t").isdigit() for it in value.split(b","))


class Taken:
    def __init__(self) -> None:
        self._status: int | None = None
        self._headers: Sequence[tuple[bytes, bytes]] = ()
        self._codings: list[bytes] = []
        self._body = bytearray()
        self._failure: access.Failure | None = None
        self.error: Exception | None = None
        self._whole = True

    def begin(self, status: int, headers: Sequence[tuple[bytes, bytes]], is_read: bool = False) -> bool:
        """Store the head of the response, and return whether its body matters.

        If the client has already read the body (`is_read`), it is already decoded.
        """
        self._headers = headers
        if status == PROXY_STATUS:
            self.break_off(access.Failure.CONNECT)
            return False
        self._status = status
        if not is_read:
            self._codings = [it for name, it in headers if name.lower() == b"content-encoding"]
        if not all(_is_length(value) for name, value in headers if name.lower() == b"content-length"):
            # Some clients accept any body in this case.
            self.break_off(access.Failure.PROTOCOL)
            return False
        return not 300 <= status < 400

    @property
    def _is_success(self) -> bool:
        return self._status is not None and 200 <= self._status < 300

    def take(self, data: bytes) -> bool:
        """Add a part of the body as it was sent. Return whether more is wanted."""
        self._body += data
        if len(self._body) >= (_ENCODED_BYTES_MAX if self._codings else access.BODY_BYTES_WANTED):
            self._whole = False
        return self._whole

    def break_off(self, failure: access.Failure) -> None:
        """End the response early. An error page may be incomplete, because only its status matters."""
        self._whole = False
        if self._status is None or self._is_success:
            self._failure = failure

    def fail(self, error: Exception, failure: access.Failure) -> None:
        """End the response after an exception of the client. Re-raise it if it is not about the site."""
        if not is_of_site(error):
            raise error
        self.error = error
        self.break_off(failure)

    def give(self, fetch: access.Fetch, now: float) -> None:
        body, whole = bytes(self._body), self._whole
        if self._failure is None and self._is_success:
            try:
                body, whole = _decoded(self._codings, body, whole)
            except ValueError:
                self.break_off(access.Failure.CONTENT_ENCODING)
        if self._failure is not None:
            fetch.failure(self._failure, now=now)
        elif self._status is not None:
            fetch.response(self._status, self._headers, body, now=now, whole=whole)
