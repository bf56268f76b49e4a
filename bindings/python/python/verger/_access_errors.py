"""Exceptions of `verger.access`."""

from verger._errors import Error


class AuthorityError(Error, ValueError):
    """No robots.txt applies to a URL."""


class StoreError(Error):
    """A store cannot be opened, read or written."""


class ClientError(Error):
    """A client cannot answer: it is closed, the deadline passed, or another process holds the store for too long.

    A failing server does not raise this. The profile decides in that case.
    """
