"""Enums of `verger.access`. Each member is a `str` and equals its value."""

from verger._names import _Name  # pyright: ignore[reportPrivateUsage]


class Profile(_Name):
    """How status codes, redirects, errors and expiry are handled. `docs/profiles.md` compares the profiles."""

    RFC9309 = "rfc9309"
    """RFC 9309."""
    GOOGLE = "google"
    """Google's crawlers, as Google documents them now."""
    GOOGLE_2023 = "google-2023"
    """Google's crawlers, as documented in 2023: a 5xx that says "not found" is handled as a 404."""
    DRAFT2019 = "draft2019"
    """The draft of 2019."""
    KOSTER1996 = "koster1996"
    """The draft of 1996."""
    CAUTIOUS = "cautious"
    """Disallow everything that is not certain."""


class Stance(_Name):
    """The rules in force for the URLs of an authority."""

    RULES = "rules"
    """The rules of the file apply."""
    OPEN = "open"
    """Everything is allowed."""
    CLOSED = "closed"
    """Everything is disallowed."""
    COPY = "copy"
    """The rules of the last good copy apply, because the server fails."""
    DEFER = "defer"
    """Nothing may be fetched yet. Fetch the robots.txt first."""


class Failure(_Name):
    """Why no complete response arrived, for `Fetch.failure`."""

    DNS = "dns"
    """The host name does not resolve."""
    CONNECT = "connect"
    """No connection could be made."""
    TLS = "tls"
    """The TLS handshake failed, or the certificate is not valid."""
    TIMEOUT = "timeout"
    """The time limit was exceeded."""
    RESET = "reset"
    """The connection was lost."""
    TRUNCATED = "truncated"
    """The body ended before its announced length."""
    CHUNKING = "chunking"
    """The chunks of the body are malformed."""
    CONTENT_ENCODING = "content-encoding"
    """The body cannot be decoded."""
    PROTOCOL = "protocol"
    """The reply is not HTTP."""
    ADDRESS_REFUSED = "address-refused"
    """The client refused to connect to the address. This is not a fact about the site."""


class HopVerdict(_Name):
    """Whether a redirect may be followed, for `Fetch.hop`."""

    ALLOWED = "allowed"
    DISALLOWED = "disallowed"
    UNKNOWN = "unknown"
    """No rules are available to decide. The redirect is followed."""
