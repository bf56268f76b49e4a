"""Exceptions."""

from __future__ import annotations

from collections.abc import Sequence


class Error(Exception):
    """Base class of all exceptions of this package.

    Arguments of the wrong type or value also raise `TypeError` and `ValueError`.
    """

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class ProductTokenError(Error, ValueError):
    """A string is not a product token."""

    def __init__(self, message: str, text: str, likely: str | None = None) -> None:
        super().__init__(message, text, likely)
        self.text = text
        """The string that was rejected."""
        self.likely = likely
        """The token that was probably meant, such as `Googlebot` for `Googlebot/2.1`."""


class TargetError(Error, ValueError):
    """A string is neither an absolute URL nor a path that starts with `/`, or its authority is not valid."""

    def __init__(self, message: str, url: str, index: int | None = None) -> None:
        super().__init__(message, url, index)
        self.url = url
        """The string that was rejected."""
        self.index = index
        """Its index among the URLs of one call, counted from 0. `None` for a single URL."""


class UnknownCrawlerError(Error, LookupError):
    """The registry has no crawler with this name."""

    def __init__(self, name: str, suggestions: Sequence[str] = ()) -> None:
        super().__init__(name, tuple(suggestions))
        self.name = name
        """The name that was looked up."""
        self.suggestions = tuple(suggestions)
        """Up to eight similar names, the closest first."""

    def __str__(self) -> str:
        meant = f". Did you mean {', '.join(self.suggestions)}?" if self.suggestions else ""
        return f"unknown crawler {self.name!r}{meant}"


class InternalError(Error):
    """The compiled module panicked. This is a bug in this package. The process can continue."""
