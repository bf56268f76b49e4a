"""Undoes content codings, which some servers use though none was asked for."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

from verger.access import BODY_BYTES_WANTED

ENCODED_BYTES_MAX = BODY_BYTES_WANTED + (64 << 10)
"""Bytes of an encoded body that are read: what is longer is too long when decoded, too."""

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
        self.bytes = 0
        """Bytes that came."""

    def take(self, data: bytes, bytes_max: int) -> bytes:
        """Returns what a part of the body is when decoded, as much of it as is wanted. Raises `DecodingError`."""
        self.bytes += len(data)
        if self._coding is None:
            return data[:bytes_max]
        decoded = bytearray()
        data, self._start = self._start + data, b""
        while data and len(decoded) < bytes_max:
            if self._member is None and len(data) < 2:
                self._start = data
                break
            if self._member is None or self._member.eof:
                self._member = zlib.decompressobj(self._format(data))
            try:
                decoded += self._member.decompress(data, bytes_max - len(decoded))
            except zlib.error as error:
                raise DecodingError(str(error)) from error
            data = self._member.unconsumed_tail or self._member.unused_data
        return bytes(decoded)

    def _format(self, data: bytes) -> int:
        """The format that begins so, for `zlib`. Raises `DecodingError`."""
        if self._coding != "deflate":
            return 32 + zlib.MAX_WBITS
        if self._member is not None:
            raise DecodingError("more follows its end")
        # Some servers send deflate without the header of zlib (RFC 9110 8.4.1.2).
        has_header = data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0
        return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS

    def end(self) -> None:
        """The body has ended. An empty one has nothing to decode. Raises `DecodingError`."""
        if self._coding is not None and self.bytes and not (self._member and self._member.eof):
            raise DecodingError("it ends early")


def decoded(values: Iterable[bytes], data: bytes, whole: bool) -> tuple[bytes, bool]:
    """Returns a body decoded, and whether it is whole. Raises `DecodingError`, also where what was read of it gives
    less than is wanted."""
    decoder = Decoder(values)
    body = decoder.take(data, BODY_BYTES_WANTED)
    if len(body) == BODY_BYTES_WANTED:
        return body, False
    if not whole:
        raise DecodingError("rules may follow")
    decoder.end()
    return body, True
