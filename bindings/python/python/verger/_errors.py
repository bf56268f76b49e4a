"""The exceptions."""

from __future__ import annotations

from collections.abc import Sequence


class Error(Exception):
    """What all exceptions of this package are, beside those that Python raises for arguments of the wrong
    type or value."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class ProductTokenError(Error, ValueError):
    """A text is not a product token."""

    def __init__(self, message: str, text: str, likely: str | None = None) -> None:
        super().__init__(message, text, likely)
        self.text = text
        """The text that was refused."""
        self.likely = likely
        """The token that was probably meant, such as `Googlebot` for `Googlebot/2.1`."""


class TargetError(Error, ValueError):
    """A text is neither an absolute URL nor a path that starts with `/`, or the host of the URL cannot be asked."""

    def __init__(self, message: str, url: str, index: int | None = None) -> None:
        super().__init__(message, url, index)
        self.url = url
        """The text that was refused."""
        self.index = index
        """Its place among the URLs of one call, counted from 0; `None` where there was one alone."""


class UnknownCrawlerError(Error, LookupError):
    """The registry has no crawler of that name."""

    def __init__(self, name: str, suggestions: Sequence[str] = ()) -> None:
        super().__init__(name, tuple(suggestions))
        self.name = name
        """The name that was looked up."""
        self.suggestions = tuple(suggestions)
        """Up to eight names that may have been meant, the nearest first."""

    def __str__(self) -> str:
        meant = f"; perhaps {', '.join(self.suggestions)}" if self.suggestions else ""
        return f"no known crawler is named {self.name!r}{meant}"


class InternalError(Error):
    """The compiled part panicked: a bug of this package. The process can go on."""
