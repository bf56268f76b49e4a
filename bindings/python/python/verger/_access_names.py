"""The enums of `verger.access`. Every member is a `str`, and equals it."""

from verger._names import _Name  # pyright: ignore[reportPrivateUsage]


class Profile(_Name):
    """What follows from what a server does. `docs/profiles.md` compares them."""

    RFC9309 = "rfc9309"
    """RFC 9309."""
    GOOGLE = "google"
    """Google's crawlers, as Google describes them now."""
    GOOGLE_2023 = "google-2023"
    """The same, as described in 2023: a 5xx that says "not found" is a 404."""
    DRAFT2019 = "draft2019"
    """The draft of 2019."""
    KOSTER1996 = "koster1996"
    """The draft of 1996."""
    CAUTIOUS = "cautious"
    """What is not certain is disallowed."""


class Stance(_Name):
    """What is in force for the URLs of an authority."""

    RULES = "rules"
    """The rules of the file."""
    OPEN = "open"
    """Everything is allowed."""
    CLOSED = "closed"
    """Everything is disallowed."""
    COPY = "copy"
    """The rules of the last good copy, since the server fails."""
    DEFER = "defer"
    """Nothing may be fetched for now; the robots.txt is to be fetched first."""


class Failure(_Name):
    """Why no complete response came: for `Fetch.failure`."""

    DNS = "dns"
    """The name does not resolve."""
    CONNECT = "connect"
    """No connection could be made."""
    TLS = "tls"
    """The TLS handshake failed, or the certificate is not valid."""
    TIMEOUT = "timeout"
    """It took too long."""
    RESET = "reset"
    """The connection was lost."""
    TRUNCATED = "truncated"
    """The body ended before its length was reached."""
    CHUNKING = "chunking"
    """The chunks of the body are malformed."""
    CONTENT_ENCODING = "content-encoding"
    """The body cannot be decoded."""
    PROTOCOL = "protocol"
    """The reply is not HTTP."""
    ADDRESS_REFUSED = "address-refused"
    """The client itself refused to connect to the address. That says nothing about the site."""


class HopVerdict(_Name):
    """Whether a redirect may be followed: for `Fetch.hop`."""

    ALLOWED = "allowed"
    DISALLOWED = "disallowed"
    UNKNOWN = "unknown"
    """There are no rules to decide: the redirect is followed."""
