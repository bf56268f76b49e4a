"""The exceptions of `verger.access`."""

from verger._errors import Error


class AuthorityError(Error, ValueError):
    """No robots.txt applies to a URL."""


class StoreError(Error):
    """A store cannot be opened, read or written."""


class ClientError(Error):
    """A client has no answer: it is closed, no time was left, or another process takes too long. A server
    that fails is no error; the profile says what follows."""
