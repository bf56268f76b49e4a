"""Tell facts about a site from those about a proxy or this machine."""

from __future__ import annotations

import errno
from collections.abc import Iterator

PROXY_STATUS = 407
"""Status sent by a proxy, not by the site, over `http` (RFC 9110, 15.5.8)."""

_SHORTAGES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def causes(error: BaseException) -> Iterator[BaseException]:
    yield error
    context = None if error.__suppress_context__ else error.__context__
    led_to_it = (*getattr(error, "exceptions", ()), error.__cause__ or context)
    for cause in led_to_it:
        if isinstance(cause, BaseException):
            yield from causes(cause)


def is_of_site(error: Exception) -> bool:
    """Return whether an exception is about the site.

    It is not if this machine has no file descriptors, sockets or memory left, or if a header of the crawler is not
    valid.
    """
    if isinstance(error, UnicodeError):
        # A label of the name is empty or too long.
        return getattr(error, "encoding", "idna") == "idna"
    # Twisted uses a different attribute for the error number.
    codes = (getattr(it, name, None) for it in causes(error) for name in ("errno", "osError"))
    return _SHORTAGES.isdisjoint(it for it in codes if isinstance(it, int))
