//! Bodies: how much of a body is kept, whether it is cut, and whether it is only a part of the file. RFC 9309 2.5,
//! G-fmt-5.

use std::sync::Arc;

use http::HeaderMap;
use http::header::CONTENT_RANGE;
use verger::dialect::BodyLimit;
use verger::limits::{BODY_BYTES_MAX, bytes_read};

/// Number of decoded bytes after which a transport should stop reading: the 512,000 that are used, and one more,
/// which shows whether the last line is cut.
pub const BODY_BYTES_WANTED: usize = BODY_BYTES_MAX + 1;

/// How a body ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyEnd {
    /// The whole body was read.
    Whole,
    /// The body has more. The reader stopped.
    CutAtLimit,
}

/// Returns whether the `Content-Range` fields of a 206 allow for the body to be only a part of the file. Only a range
/// that covers the whole length (`bytes 0-99/100`, RFC 9110 14.4) proves a whole file. V-55.
pub(crate) fn states_part(headers: &HeaderMap) -> bool {
    let number = |text: &str| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse::<u64>().ok())?
    };
    let covers_all = |field: &str| {
        let (unit, range) = field.trim().split_once(' ')?;
        let (range, length) = range.trim().split_once('/')?;
        let (first, last) = range.split_once('-')?;
        let is_whole = number(first)? == 0 && number(last)?.checked_add(1)? == number(length)?;
        Some(unit.eq_ignore_ascii_case("bytes") && is_whole)
    };
    let mut fields = headers.get_all(CONTENT_RANGE).iter();
    fields.any(|field| field.to_str().ok().and_then(covers_all) != Some(true))
}

/// Returns the part of a body that is kept, and whether it is everything. A cut line is dropped, because
/// `Disallow: /foo` could become `Disallow: /`.
pub(crate) fn kept(body: Arc<[u8]>, end: BodyEnd) -> (Arc<[u8]>, BodyEnd) {
    let is_cut = body.len() > BODY_BYTES_MAX || end == BodyEnd::CutAtLimit;
    let bytes = if let Some(utf16) = Utf16::of(&body).filter(|_| is_cut) {
        utf16.bytes_of_whole_lines(&body[..body.len().min(BODY_BYTES_MAX)])
    } else if body.len() > BODY_BYTES_MAX {
        // All profiles have this limit, even if their dialect has none.
        bytes_read(&body, BodyLimit::Bytes512000)
    } else if end == BodyEnd::CutAtLimit {
        let last_line_end = body.iter().rposition(|byte| b"\r\n".contains(byte));
        last_line_end.map_or(0, |at| at + 1)
    } else {
        return (body, BodyEnd::Whole);
    };
    (Arc::from(&body[..bytes]), BodyEnd::CutAtLimit)
}

/// The byte order of UTF-16. A profile may decode it ([`verger::dialect::EncodingMismatch`]). In UTF-16, a byte 0x0A is
/// not a line end, because it may be half of another character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Utf16 {
    LittleEndian,
    BigEndian,
}

impl Utf16 {
    /// Returns the order that a byte order mark states.
    fn of(body: &[u8]) -> Option<Self> {
        match body {
            [0xFF, 0xFE, ..] => Some(Self::LittleEndian),
            [0xFE, 0xFF, ..] => Some(Self::BigEndian),
            _ => None,
        }
    }

    /// Returns the number of bytes up to the last line end.
    fn bytes_of_whole_lines(self, body: &[u8]) -> usize {
        let unit = |pair: &[u8]| match (self, pair) {
            (Self::LittleEndian, &[low, high]) => u16::from_le_bytes([low, high]),
            (Self::BigEndian, &[high, low]) => u16::from_be_bytes([high, low]),
            _ => 0,
        };
        let is_line_end = |pair: &[u8]| [0x0A, 0x0D].contains(&unit(pair));
        let last_line_end = body.chunks_exact(2).rposition(is_line_end);
        last_line_end.map_or(0, |at| 2 * (at + 1))
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn of_bytes(bytes: usize, last: &[u8]) -> Vec<u8> {
        let mut body = vec![b'a'; bytes - last.len()];
        body[9] = b'\n';
        body.extend_from_slice(last);
        body
    }

    fn bytes_kept(bytes: usize, last: &[u8], end: BodyEnd) -> (usize, BodyEnd) {
        let (body, end) = kept(of_bytes(bytes, last).into(), end);
        (body.len(), end)
    }

    #[test]
    fn a_body_at_the_limit_is_kept_and_one_byte_more_drops_the_cut_line() {
        use BodyEnd::{CutAtLimit, Whole};
        assert_eq!(bytes_kept(511_999, b"x", Whole), (511_999, Whole));
        assert_eq!(bytes_kept(512_000, b"x", Whole), (512_000, Whole));
        assert_eq!(bytes_kept(512_001, b"xy", Whole), (10, CutAtLimit));
        assert_eq!(bytes_kept(512_001, b"x\n", Whole), (512_000, CutAtLimit));
        assert_eq!(bytes_kept(512_001, b"\nx", Whole), (512_000, CutAtLimit));
        assert_eq!(bytes_kept(900_000, b"x", Whole), (10, CutAtLimit));
    }

    #[test]
    fn a_body_that_was_cut_early_loses_its_last_line() {
        assert_eq!(
            bytes_kept(512_000, b"x", BodyEnd::CutAtLimit),
            (10, BodyEnd::CutAtLimit)
        );
        assert_eq!(*kept(b"a".as_slice().into(), BodyEnd::CutAtLimit).0, *b"");
        assert_eq!(
            *kept(b"a\rb".as_slice().into(), BodyEnd::CutAtLimit).0,
            *b"a\r"
        );
    }

    /// V-55.
    #[test]
    fn a_content_range_states_a_part_unless_it_covers_the_whole_file() {
        let states_part = |fields: &[&'static [u8]]| {
            let mut headers = HeaderMap::new();
            for field in fields {
                headers.append(CONTENT_RANGE, HeaderValue::from_bytes(field).unwrap());
            }
            states_part(&headers)
        };
        assert!(!states_part(&[]));
        for whole in [
            &b"bytes 0-99/100"[..],
            b"Bytes 0-0/1 ",
            b"bytes  0-099/0100",
        ] {
            assert!(!states_part(&[whole]), "{}", whole.escape_ascii());
            assert!(!states_part(&[whole, whole]));
            assert!(states_part(&[whole, b"bytes 0-9/100"]));
        }
        for part in [
            &b"bytes 0-98/100"[..],
            b"bytes 1-99/100",
            b"bytes 0-100/100",
            b"bytes 0-99/*",
            b"bytes */100",
            b"bytes 0-99",
            b"bytes 0-18446744073709551615/0",
            b"bytes +0-99/100",
            b"items 0-99/100",
            b"bytes=0-99/100",
            b"0-99/100",
            b"bytes 0-99/1\xFF0",
            b"",
        ] {
            assert!(states_part(&[part]), "{}", part.escape_ascii());
        }
    }

    #[test]
    fn utf_16_is_cut_after_a_line_end_and_never_within_a_character() {
        for (units, mark) in [
            (u16::to_le_bytes as fn(u16) -> [u8; 2], [0xFF, 0xFE]),
            (u16::to_be_bytes, [0xFE, 0xFF]),
        ] {
            // Each half of U+0A41 and U+410A looks like a line end in one of the orders.
            let text = "Allow: /a\nAllow: /\u{A41}\u{410A}";
            let bytes = text.encode_utf16().flat_map(units);
            let mut body: Vec<u8> = mark.into_iter().chain(bytes).collect();
            let (lines, _) = kept(body.clone().into(), BodyEnd::CutAtLimit);
            assert_eq!(*lines, body[..2 + 2 * 10]);
            assert_eq!(
                kept(body.clone().into(), BodyEnd::Whole),
                (body.clone().into(), BodyEnd::Whole)
            );
            body.resize(BODY_BYTES_MAX, b'a');
            assert_eq!(kept(body.clone().into(), BodyEnd::Whole).1, BodyEnd::Whole);
            body.resize(BODY_BYTES_WANTED, b'a');
            let whole = (lines, BodyEnd::CutAtLimit);
            assert_eq!(kept(body.into(), BodyEnd::Whole), whole);
        }
    }
}
