//! Detects bodies that are not UTF-8, and converts them if the reading says so. R9309-2.2.2-18,
//! D00-2.2.2-17.

use alloc::string::String;
use alloc::vec::Vec;

use crate::dialect::EncodingMismatch;

/// The likely encoding of a body that is not UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotUtf8 {
    /// UTF-16: the body starts with the byte order mark FF FE and contains NULs.
    Utf16LittleEndian,
    /// UTF-16: the body starts with the byte order mark FE FF and contains NULs.
    Utf16BigEndian,
    /// Some bytes are not UTF-8.
    Bytes {
        /// Offset of the first such byte.
        first: usize,
    },
}

/// ASCII text has NULs in UTF-16, so a byte order mark alone does not suffice.
pub(crate) fn not_utf8(body: &[u8]) -> Option<NotUtf8> {
    let has_nul = || memchr::memchr(0, body).is_some();
    match body {
        [0xFF, 0xFE, ..] if has_nul() => Some(NotUtf8::Utf16LittleEndian),
        [0xFE, 0xFF, ..] if has_nul() => Some(NotUtf8::Utf16BigEndian),
        _ => core::str::from_utf8(body)
            .err()
            .map(|error| NotUtf8::Bytes {
                first: error.valid_up_to(),
            }),
    }
}

/// Examines the first 8,000 bytes, as Git and `diff` do to tell binary data from text.
pub(crate) fn has_nul_near_its_start(body: &[u8]) -> bool {
    const BYTES: usize = 8_000;
    memchr::memchr(0, &body[..body.len().min(BYTES)]).is_some()
}

/// Signatures of compressed data: gzip, compress, zstd, LZ4, xz, ZIP.
const COMPRESSED: [&[u8]; 6] = [
    b"\x1F\x8B",
    b"\x1F\x9D",
    b"\x28\xB5\x2F\xFD",
    b"\x04\x22\x4D\x18",
    b"\xFD7zXZ\0",
    b"PK\x03\x04",
];

/// Returns whether a body starts like compressed data. The signatures of bzip2 and zlib could also start
/// a text.
pub(crate) fn is_compressed(body: &[u8]) -> bool {
    let is_bzip2 = || body.starts_with(b"BZh") && body.get(4..10) == Some(b"1AY&SY");
    let is_zlib = || {
        matches!(*body, [0x78, flags, ..] if u16::from_be_bytes([0x78, flags]).is_multiple_of(31))
            && core::str::from_utf8(body).is_err()
    };
    COMPRESSED.iter().any(|it| body.starts_with(it)) || is_bzip2() || is_zlib()
}

/// Returns the body unchanged unless the reading asks for more.
pub(crate) fn bridged(body: Vec<u8>, mismatch: EncodingMismatch) -> Vec<u8> {
    // Only checked if needed: the check takes a twentieth of the time of a parse.
    let found = match mismatch {
        EncodingMismatch::KeepBytes => None,
        EncodingMismatch::Bridge => not_utf8(&body),
    };
    match found {
        None => body,
        Some(NotUtf8::Utf16LittleEndian) => utf16(&body, u16::from_le_bytes),
        Some(NotUtf8::Utf16BigEndian) => utf16(&body, u16::from_be_bytes),
        Some(NotUtf8::Bytes { .. }) => latin1(&body),
    }
}

/// Replaces invalid parts with U+FFFD.
fn utf16(body: &[u8], code_unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let units = body[2..].chunks(2).map(|pair| match *pair {
        [first, second] => code_unit([first, second]),
        _ => 0xFFFD,
    });
    char::decode_utf16(units)
        .map(|decoded| decoded.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect::<String>()
        .into_bytes()
}

/// Reads ISO 8859-1, in which every byte is the code point of a character.
fn latin1(body: &[u8]) -> Vec<u8> {
    body.iter()
        .map(|&byte| char::from(byte))
        .collect::<String>()
        .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_data_has_a_signature() {
        for body in [
            &b"\x1F\x8B\x08"[..],
            b"\x1F\x9D\x90",
            b"\x28\xB5\x2F\xFD\x20",
            b"\x04\x22\x4D\x18",
            b"\xFD7zXZ\0\0",
            b"PK\x03\x04\x14",
            b"BZh91AY&SY\x1C",
            b"x\x9C\xCB",
            b"x\x01\xFF",
            b"x^\xCB",
            b"x\xDA\xCB",
        ] {
            assert!(is_compressed(body), "{body:?}");
        }
        for body in [
            &b""[..],
            b"\x1F",
            b"x",
            b"x^ and more text",
            b"xyz\xFF",
            b"BZh9: none",
            b"PK: none",
        ] {
            assert!(!is_compressed(body), "{body:?}");
        }
    }

    #[test]
    fn a_mark_and_a_nul_make_utf16() {
        let bytes = |first| Some(NotUtf8::Bytes { first });
        for (body, expected) in [
            (&b"\xFF\xFEa\0"[..], Some(NotUtf8::Utf16LittleEndian)),
            (b"\xFE\xFF\0a", Some(NotUtf8::Utf16BigEndian)),
            (b"\xFF\xFEab", bytes(0)),
            (b"\xFE\xFFab", bytes(0)),
            (b"ab\0\xFF", bytes(3)),
            (b"\xEF\xBB\xBFa\0", None),
        ] {
            assert_eq!(not_utf8(body), expected, "{body:?}");
        }
    }
}
