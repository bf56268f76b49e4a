"""Decode content codings, because some servers send them unasked."""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import Any

from verger.access import BODY_BYTES_WANTED

ENCODED_BYTES_MAX = BODY_BYTES_WANTED + (64 << 10)
"""Maximum number of encoded bytes to read. A longer body is also too long when decoded."""

_UNDONE = {"gzip", "x-gzip", "deflate"}
_CODINGS = _UNDONE | {"aes128gcm", "br", "compress", "dcb", "dcz", "exi", "pack200-gzip", "x-compress", "zstd"}
"""The registered codings. Other words, such as `none` and `utf-8`, say nothing about a body (V-95)."""
_MEMBER = b"\x1f\x8b\x08"
"""How a member of gzip begins."""


class DecodingError(Exception):
    """A body is malformed in its coding, ends early, or uses an unsupported coding."""


class Decoder:
    """Decode gzip (RFC 1952, any number of members) and deflate (RFC 1950) incrementally.

    HTTP clients do not report an encoded body that ends early.
    """

    def __init__(self, values: Iterable[bytes]) -> None:
        """Create a decoder for the values of the `Content-Encoding` fields."""
        names = b",".join(values).decode("latin-1").lower().split(",")
        self._coding = ", ".join(it for it in map(str.strip, names) if it in _CODINGS) or None
        self._start = b""
        self._member: Any = None
        self.bytes = 0
        self.is_over = False
        """Whether the body has ended. Later bytes are ignored (V-96)."""

    def take(self, data: bytes, bytes_max: int) -> bytes:
        """Decode a part of the body and return at most `bytes_max` bytes.

        Raise `DecodingError` if it is malformed, or its coding unsupported.
        """
        self.bytes += len(data)
        if self._coding is None:
            return data[:bytes_max]
        if data and self._coding not in _UNDONE:
            raise DecodingError(self._coding)
        decoded = bytearray()
        data, self._start = self._start + data, b""
        while data and len(decoded) < bytes_max and not self.is_over:
            if self._member is not None and self._member.eof:
                begins = data[: len(_MEMBER)] == _MEMBER[: len(data)]
                self.is_over = self._coding == "deflate" or not begins
                if self.is_over or len(data) < len(_MEMBER):
                    self._start = data
                    break
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
        """Return the `wbits` argument of `zlib` for data that begins with `data`. Raise `DecodingError`."""
        if self._coding != "deflate":
            return 32 + zlib.MAX_WBITS
        # Some servers send deflate without the zlib header (RFC 9110, 8.4.1.2).
        has_header = data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0
        return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS

    def end(self) -> None:
        """Finish the body. An empty body is valid. Raise `DecodingError` if the body ended early."""
        if self._coding is not None and self.bytes and not (self._member and self._member.eof):
            raise DecodingError("the body ends early")


def decoded(values: Iterable[bytes], data: bytes, whole: bool) -> tuple[bytes, bool]:
    """Decode a body, and return it and whether it is whole.

    Raise `DecodingError` if it is malformed, or if it was cut before enough bytes could be decoded.
    """
    decoder = Decoder(values)
    body = decoder.take(data, BODY_BYTES_WANTED)
    if len(body) == BODY_BYTES_WANTED:
        return body, False
    if not whole and not decoder.is_over:
        raise DecodingError("the body was cut, so rules may be missing")
    decoder.end()
    return body, True
