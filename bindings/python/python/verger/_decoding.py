"""Undoes content codings, which some servers use though none was asked for."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

from verger.access import BODY_OCTETS_WANTED

ENCODED_OCTETS_MAX = BODY_OCTETS_WANTED + (64 << 10)
"""Octets of an encoded body that are read: what is longer is too long when decoded, too."""

_UNDONE = {"gzip", "x-gzip", "deflate"}


class DecodingError(Exception):
    """A body is malformed in its coding, ends early, or has a coding that is not undone here."""


class Decoder:
    """Undoes gzip (RFC 1952), of any number of members, and deflate (RFC 1950), part by part. HTTP clients do not
    report a body that ends early in its coding."""

    def __init__(self, values: Iterable[bytes]) -> None:
        """Takes the values of the `Content-Encoding` fields. Raises `DecodingError`."""
        names = b",".join(values).decode("latin-1").lower().split(",")
        codings = [it for it in map(str.strip, names) if it not in ("", "identity")]
        if len(codings) > 1 or not _UNDONE.issuperset(codings):
            raise DecodingError(", ".join(codings))
        self._coding = codings[0] if codings else None
        self._start = b""
        self._member: Any = None
        self.octets = 0
        """Octets that came."""

    def take(self, octets: bytes, octets_max: int) -> bytes:
        """Returns what a part of the body is when decoded, as much of it as is wanted. Raises `DecodingError`."""
        self.octets += len(octets)
        if self._coding is None:
            return octets[:octets_max]
        decoded = bytearray()
        octets, self._start = self._start + octets, b""
        while octets and len(decoded) < octets_max:
            if self._member is None and len(octets) < 2:
                self._start = octets
                break
            if self._member is None or self._member.eof:
                self._member = zlib.decompressobj(self._format(octets))
            try:
                decoded += self._member.decompress(octets, octets_max - len(decoded))
            except zlib.error as error:
                raise DecodingError(str(error)) from error
            octets = self._member.unconsumed_tail or self._member.unused_data
        return bytes(decoded)

    def _format(self, octets: bytes) -> int:
        """The format that begins so, for `zlib`. Raises `DecodingError`."""
        if self._coding != "deflate":
            return 32 + zlib.MAX_WBITS
        if self._member is not None:
            raise DecodingError("more follows its end")
        # Some servers send deflate without the header of zlib (RFC 9110 8.4.1.2).
        has_header = octets[0] & 15 == 8 and int.from_bytes(octets[:2], "big") % 31 == 0
        return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS

    def end(self) -> None:
        """The body has ended. An empty one has nothing to decode. Raises `DecodingError`."""
        if self._coding is not None and self.octets and not (self._member and self._member.eof):
            raise DecodingError("it ends early")


def decoded(values: Iterable[bytes], octets: bytes, whole: bool) -> tuple[bytes, bool]:
    """Returns a body decoded, and whether it is whole. Raises `DecodingError`, also where what was read of it gives
    less than is wanted."""
    decoder = Decoder(values)
    body = decoder.take(octets, BODY_OCTETS_WANTED)
    if len(body) == BODY_OCTETS_WANTED:
        return body, False
    if not whole:
        raise DecodingError("rules may follow")
    decoder.end()
    return body, True
