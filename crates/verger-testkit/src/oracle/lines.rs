//! Splits bytes into lines: parsing limit, byte order mark, line ends, and invalid lines.

use crate::subject::DialectName;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Counted from 1. Lines that are left out still count.
    pub(super) number: u32,
    pub(super) bytes: Vec<u8>,
}

/// The parsing limit in bytes, including the mark: 500 KiB.               R9309-2.5-2
const BODY_BYTES_MAX: usize = 512_000;

/// Size of Google's line buffer in bytes. The rest of the line is dropped.
const GOOGLE_LINE_BYTES_MAX: usize = 16_663;

const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

pub(super) fn read(body: &[u8], dialect: DialectName) -> Vec<Line> {
    let google = dialect == DialectName::Google;
    let body = if google { body } else { within_limit(body) };
    let body = &body[mark_bytes(body, google)..];

    let mut lines = Vec::new();
    for (number, bytes) in (1..).zip(split(body)) {
        if google {
            let kept = &bytes[..bytes.len().min(GOOGLE_LINE_BYTES_MAX)];
            // Google: a line is a C string, so NUL ends it.
            let bytes = before(kept, 0).to_vec();
            lines.push(Line { number, bytes });
        } else if !is_spoilt(&bytes) {
            lines.push(Line { number, bytes });
        }
    }
    lines
}

/// Returns the part of a body that is parsed. A line cut by the limit is dropped whole, because
/// `Disallow: /a` must not turn into `Disallow: /`. R9309-2.5-1
fn within_limit(body: &[u8]) -> &[u8] {
    if body.len() <= BODY_BYTES_MAX {
        return body;
    }
    let kept = &body[..BODY_BYTES_MAX];
    let last_line_is_complete =
        is_line_end(kept[BODY_BYTES_MAX - 1]) || is_line_end(body[BODY_BYTES_MAX]);
    if last_line_is_complete {
        return kept;
    }
    match kept.iter().rposition(|&byte| is_line_end(byte)) {
        Some(last_end) => &kept[..=last_end],
        None => &[],
    }
}

/// Returns the length of the byte order mark to skip. Google skips as many bytes as agree with one.
fn mark_bytes(body: &[u8], google: bool) -> usize {
    let mut agreeing = 0;
    while agreeing < 3 && body.get(agreeing) == Some(&BYTE_ORDER_MARK[agreeing]) {
        agreeing += 1;
    }
    if google || agreeing == 3 { agreeing } else { 0 }
}

/// A line ends with CR, LF or CR LF.                               D00-2.2-12, K96-4.2-2
fn split(body: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = vec![Vec::new()];
    let mut previous = None;
    for &byte in body {
        match byte {
            b'\n' if previous == Some(b'\r') => {}
            b'\n' | b'\r' => lines.push(Vec::new()),
            _ => lines.last_mut().expect("a line is open").push(byte),
        }
        previous = Some(byte);
    }
    lines
}

/// Returns `true` if a control byte other than TAB precedes the comment. Invalid bytes are rejected
/// as if the line were absent. R9309-3-3
fn is_spoilt(bytes: &[u8]) -> bool {
    before(bytes, b'#')
        .iter()
        .any(|&byte| byte < 0x20 && byte != b'\t')
}

pub(super) fn before(bytes: &[u8], end: u8) -> &[u8] {
    match bytes.iter().position(|&byte| byte == end) {
        Some(at) => &bytes[..at],
        None => bytes,
    }
}

fn is_line_end(byte: u8) -> bool {
    byte == b'\n' || byte == b'\r'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered(body: &[u8], dialect: DialectName) -> Vec<(u32, String)> {
        read(body, dialect)
            .into_iter()
            .map(|line| {
                (
                    line.number,
                    String::from_utf8_lossy(&line.bytes).into_owned(),
                )
            })
            .collect()
    }

    fn pair(number: u32, text: &str) -> (u32, String) {
        (number, text.to_owned())
    }

    #[test]
    fn cr_lf_and_crlf_each_end_one_line() {
        let expected = vec![pair(1, "a"), pair(2, "b"), pair(3, "c"), pair(4, "")];
        for dialect in DialectName::ALL {
            assert_eq!(numbered(b"a\rb\nc\r\n", dialect), expected);
        }
        let reversed = vec![pair(1, "a"), pair(2, ""), pair(3, "b")];
        assert_eq!(numbered(b"a\n\rb", DialectName::Rfc9309), reversed);
    }

    #[test]
    fn part_of_a_byte_order_mark_is_skipped_by_google_alone() {
        for dialect in DialectName::ALL {
            assert_eq!(numbered(b"\xEF\xBB\xBFa", dialect), [pair(1, "a")]);
        }
        assert_eq!(read(b"\xEF\xBBa", DialectName::Google)[0].bytes, b"a");
        assert_eq!(
            read(b"\xEF\xBBa", DialectName::Rfc9309)[0].bytes,
            b"\xEF\xBBa"
        );
        let twice = b"\xEF\xBB\xBF\xEF\xBB\xBFa";
        assert_eq!(read(twice, DialectName::Google)[0].bytes, b"\xEF\xBB\xBFa");
    }

    #[test]
    fn a_control_byte_ahead_of_the_comment_makes_the_line_absent() {
        let body = b"a\x01b\nc # \x01\n\td";
        let expected = [pair(2, "c # \u{1}"), pair(3, "\td")];
        assert_eq!(numbered(body, DialectName::Draft2019), expected);
        let google = [pair(1, "a\u{1}b"), pair(2, "c # \u{1}"), pair(3, "\td")];
        assert_eq!(numbered(body, DialectName::Google), google);
    }

    #[test]
    fn nul_ends_the_line_in_google() {
        let expected = [pair(1, "a"), pair(2, ""), pair(3, "c")];
        assert_eq!(numbered(b"a\0b\n\0#\nc", DialectName::Google), expected);
    }

    #[test]
    fn google_keeps_16663_bytes_of_a_line() {
        for length in [16_662, 16_663, 16_664, 20_000] {
            let body = vec![b'a'; length];
            let google = read(&body, DialectName::Google);
            assert_eq!(google[0].bytes.len(), length.min(16_663));
            assert_eq!(read(&body, DialectName::Rfc9309)[0].bytes.len(), length);
        }
    }

    fn last_line_at_limit(tail: &[u8]) -> (u32, usize) {
        let mut body = vec![b'x'; BODY_BYTES_MAX - 11];
        body.push(b'\n');
        body.extend_from_slice(tail);
        let lines = read(&body, DialectName::Rfc9309);
        let last = lines.last().expect("a line");
        (last.number, last.bytes.len())
    }

    #[test]
    fn a_line_that_the_limit_cuts_is_dropped() {
        assert_eq!(last_line_at_limit(&[b'a'; 9]), (2, 9));
        assert_eq!(last_line_at_limit(&[b'a'; 10]), (2, 10));
        assert_eq!(last_line_at_limit(&[b'a'; 11]), (2, 0));
        assert_eq!(last_line_at_limit(b"aaaaaaaaaa\nb"), (2, 10));
        assert_eq!(last_line_at_limit(b"aaaaaaaaaa\rb"), (2, 10));
        assert_eq!(last_line_at_limit(b"aaaaaaaaa\nb"), (3, 0));
        assert_eq!(last_line_at_limit(b"aaaaaaaa\nbb"), (3, 0));
    }

    #[test]
    fn one_endless_line_beyond_the_limit_is_nothing() {
        let body = vec![b'a'; BODY_BYTES_MAX + 1];
        assert_eq!(numbered(&body, DialectName::Koster1996), [pair(1, "")]);
        assert_eq!(read(&body, DialectName::Google)[0].bytes.len(), 16_663);
    }
}
