"""Asks robots.txt before an HTTP client sends a request.

- `verger.gate.httpx`: `GateTransport` and `AsyncGateTransport`, each around another transport of httpx.
- `verger.gate.requests`: `GateAdapter`, around another adapter of requests.
- `verger.gate.aiohttp`: `GateMiddleware`, for `ClientSession(middlewares=...)` of aiohttp 3.12 and later.

A request that may not be sent raises `Denied` and is not sent. Each redirect is asked about again. Each
robots.txt is fetched through the same client, once however many requests wait for it (where several event loops
share a gate, once in each), and kept as long as it holds. A request that is allowed waits until the delay that
its site asks for has passed (`Crawl-delay`, `Request-rate`; RFC 9309 has neither, so `keep_delays=False` switches
it off).

All of them take `agent`, the crawler that asks, and these:

- `profile`: what follows from what a server does (`verger.access.Profile`).
- `store`: a file in which what was seen is kept, and which processes may share; memory alone without it.
- `keep_delays`: whether requests wait for the delays of sites.
- `longest_wait`: the longest wait for a delay in seconds, other requests to the same site included; a request
  that would wait longer raises `LongWait`: at once where the delays of those before it take longer, else when it
  is the next. Without it there is no limit.
- `deadline`: the time that the fetch of a robots.txt may take, in seconds: connections, redirects, heads and
  bodies together (60). Then it has failed, for all requests that wait for it. The robots.txt of a site that a
  redirect leads to, which some profiles ask about, is a fetch of its own. The wait for another process that fetches
  with the same `store` is no longer either.
- `memory_bytes_max`: the memory for what is known about sites, in bytes (512 MiB): what was not used for longest
  is forgotten, and fetched again where it is needed.
"""

from verger.gate._errors import Denied, GateError, LongWait, Undecided

__all__ = ["Denied", "GateError", "LongWait", "Undecided"]
