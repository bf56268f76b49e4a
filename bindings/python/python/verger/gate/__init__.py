"""Check robots.txt before an HTTP client sends a request.

- `verger.gate.httpx`: `GateTransport` and `AsyncGateTransport` wrap another transport of httpx.
- `verger.gate.requests`: `GateAdapter` wraps another adapter of requests.
- `verger.gate.aiohttp`: `GateMiddleware`, for `ClientSession(middlewares=...)` of aiohttp 3.12 and later.

A request that may not be sent raises `Denied` and is not sent. Each redirect is checked again. Each robots.txt is
fetched through the same client and kept until it expires. All requests that need it share one fetch, but event loops
that share a gate fetch it once each. An allowed request waits until the delay of its site has passed (`Crawl-delay`,
`Request-rate`). RFC 9309 defines neither, so `keep_delays=False` disables this.

Delays count among the processes that share a store, or else within one process. The logger `verger.gate` says at level
INFO when a request is held, and when a site is closed after its robots.txt was asked for.

All of these classes take `agent`, the crawler to check for, and these arguments:

- `profile`: how status codes, redirects, errors and expiry are handled (`verger.access.Profile`).
- `store`: a file that keeps results, and that processes may share. The default is memory only.
- `keep_delays`: whether requests wait for the delays of sites.
- `longest_wait`: maximum wait for a delay, in seconds, including earlier requests to the same site. A request that
  would wait longer raises `LongWait`: immediately if the delays of the requests before it take longer, or when its
  turn comes. With 0, every request that would have to wait is refused. The default is no limit.
- `least_delay`: minimum delay between two requests to a site, in seconds, also with `keep_delays=False`. A longer delay
  of the site counts.
- `deadline`: time limit for fetching a robots.txt, in seconds, including connections, redirects, headers and bodies
  (default: 60). After that the fetch has failed, for all requests that wait for it. If a redirect leads to another
  site, some profiles also fetch the robots.txt of that site, as a separate fetch. The wait for another process that
  fetches with the same `store` has the same limit.
- `memory_bytes_max`: memory for what is known about sites, in bytes (default: 512 MiB). The least recently used results
  are dropped, and fetched again if needed.
"""

from verger._names import say_where_they_are
from verger.gate._errors import Denied, GateError, LongWait, Unavailable, Undecided

__all__ = ["Denied", "GateError", "LongWait", "Unavailable", "Undecided"]

say_where_they_are(__name__, globals())
