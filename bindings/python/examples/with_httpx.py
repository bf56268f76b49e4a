"""Check robots.txt with an httpx client, using its proxies, limits and certificates."""

from __future__ import annotations

import time
from contextlib import closing

import httpx

from verger import access
from verger.gate.httpx import failure_of


class Robots:
    """Knowledge about authorities. Create one per crawl."""

    def __init__(self, client: httpx.Client, agent: str) -> None:
        self.client = client
        self.agent = agent
        self.known: dict[str, access.Knowledge] = {}

    def decide(self, url: str) -> access.Decision:
        """Return whether `url` may be fetched, after fetching the robots.txt if necessary."""
        return access.AccessPolicy(self._answer(url), self.agent).decide(url)

    def _answer(self, url: str) -> access.Answer:
        authority = access.authority(url)
        knowledge = self.known.get(authority, access.Knowledge())
        answer = knowledge.answer(now=time.time())
        if answer.is_due(now=time.time()):
            fetch = access.Fetch(url, knowledge=knowledge)
            while not isinstance(action := fetch.action, access.Attempt):
                if isinstance(action, access.HopQuestion):
                    # The profile `google` asks this. `rfc9309` does not.
                    fetch.hop(access.HopVerdict.UNKNOWN)
                else:
                    self._send(fetch, action)
            self.known[authority] = fetch.knowledge
            answer = fetch.knowledge.answer(now=time.time())
        return answer

    def _send(self, fetch: access.Fetch, request: access.Request) -> None:
        headers = {**dict(request.conditions), "Accept-Encoding": "identity"}
        headers["User-Agent"] = self.client.headers["User-Agent"]
        try:
            # A redirect may lead to another origin, which must not receive the headers, credentials and cookies.
            asked = httpx.Request("GET", request.url, headers=headers)
            with closing(
                self.client.send(asked, stream=True, auth=None, follow_redirects=False)
            ) as response:
                body = bytearray()
                for data in response.iter_bytes():
                    body += data
                    if len(body) >= access.BODY_BYTES_WANTED:
                        break
                whole = len(body) < access.BODY_BYTES_WANTED
        except (httpx.HTTPError, httpx.InvalidURL, UnicodeError) as error:
            fetch.failure(failure_of(error), now=time.time())
        else:
            status, now = response.status_code, time.time()
            if response.is_success and response.headers.get("Content-Encoding", "identity") != "identity":
                # The server sent a coding that was refused. If the body ended early in it, httpx may not notice.
                fetch.failure(access.Failure.CONTENT_ENCODING, now=now)
            else:
                fetch.response(status, response.headers.raw, bytes(body), now=now, whole=whole)
