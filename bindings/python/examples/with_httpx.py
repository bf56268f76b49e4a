"""robots.txt through an httpx client: its proxies, limits and certificates count for it, too."""

from __future__ import annotations

import ssl
import time

import httpx

from verger import access


class Robots:
    """What is known about authorities. One crawl has one."""

    def __init__(self, client: httpx.Client, agent: str) -> None:
        self.client = client
        self.agent = agent
        self.known: dict[str, access.Knowledge] = {}

    def decide(self, url: str) -> access.Decision:
        """Whether `url` may be fetched, after a fetch of the robots.txt where one is due."""
        return access.AccessPolicy(self._answer(url), self.agent).decide(url)

    def _answer(self, url: str) -> access.Answer:
        authority = access.authority(url)
        knowledge = self.known.get(authority, access.Knowledge())
        answer = knowledge.answer(now=time.time())
        if answer.is_due(now=time.time()):
            fetch = access.Fetch(url, knowledge=knowledge)
            while not isinstance(action := fetch.action, access.Attempt):
                if isinstance(action, access.HopQuestion):
                    # The profile `google` asks; `rfc9309` does not.
                    fetch.hop(access.HopVerdict.UNKNOWN)
                else:
                    self._send(fetch, action)
            self.known[authority] = fetch.knowledge
            answer = fetch.knowledge.answer(now=time.time())
        return answer

    def _send(self, fetch: access.Fetch, request: access.Request) -> None:
        headers = dict(request.conditions)
        try:
            with self.client.stream(
                "GET", request.url, headers=headers, follow_redirects=False
            ) as response:
                body = b""
                for octets in response.iter_bytes():
                    body += octets
                    if len(body) >= access.BODY_OCTETS_WANTED:
                        break
                whole = len(body) < access.BODY_OCTETS_WANTED
        except httpx.HTTPError as error:
            fetch.failure(failure_of(error), now=time.time())
        else:
            status, now = response.status_code, time.time()
            fetch.response(status, response.headers.raw, body, now=now, whole=whole)


def failure_of(error: httpx.HTTPError) -> access.Failure:
    """What an exception of httpx stands for."""
    if isinstance(error, httpx.TimeoutException):
        return access.Failure.TIMEOUT
    if isinstance(error, httpx.ConnectError):
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, ssl.SSLError):
                return access.Failure.TLS
            cause = cause.__cause__ or cause.__context__
        return access.Failure.CONNECT
    if isinstance(error, httpx.DecodingError):
        return access.Failure.CONTENT_ENCODING
    if isinstance(error, httpx.ProtocolError):
        return access.Failure.PROTOCOL
    return access.Failure.RESET
