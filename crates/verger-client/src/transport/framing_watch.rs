//! `FramingWatch`: detects odd transfer codings of HTTP/1 responses, and header lines that the HTTP
//! library dropped.
//!
//! The library ignores header lines that it cannot parse and accepts `xchunked, chunked`. But the
//! framing of a body must be unambiguous, and a dropped `no-store` must not read as no limit. So
//! this reads every line of a head again, from the bytes as they arrive.

use core::mem::take;

use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_RANGE, EXPIRES};
use http::{HeaderMap, HeaderName, HeaderValue};
use verger_store::KeptHead;

use crate::transport::head_copy::HeadCopy;

const NAME: &[u8] = b"transfer-encoding";
const CONTENT_LENGTH: &[u8] = b"content-length";
const CODING: &[u8] = b"chunked";

/// Fields that mislead more when missing than when unreadable.
static COUNTED: [HeaderName; COUNTED_MAX] =
    [CACHE_CONTROL, CONTENT_ENCODING, CONTENT_RANGE, EXPIRES];

const COUNTED_MAX: usize = 4;

/// Stands in for a dropped value. No field defines the replacement character, so it is unreadable.
const UNREADABLE: &[u8] = "\u{fffd}".as_bytes();

/// Bytes kept of a line, enough for a valid line with blanks around its value.
const LINE_BYTES_MAX: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FramingState {
    StatusLine,
    Fields {
        /// Whether another head follows (1xx).
        is_interim: bool,
    },
    Body,
}

#[derive(Debug)]
pub(crate) struct FramingWatch {
    at: FramingState,
    line: Vec<u8>,
    is_cut: bool,
    /// Number of `Transfer-Encoding` lines. `is_odd` is set if one is not exactly `chunked`.
    codings: usize,
    is_odd: bool,
    is_after_coding: bool,
    /// Number of lines of each field of [`COUNTED`].
    counts: [usize; COUNTED_MAX],
    request: HeadCopy,
    head: HeadCopy,
}

impl FramingWatch {
    pub(crate) fn new(copies_heads: bool) -> Self {
        Self {
            at: FramingState::StatusLine,
            line: Vec::new(),
            is_cut: false,
            codings: 0,
            is_odd: false,
            is_after_coding: false,
            counts: [0; COUNTED_MAX],
            request: HeadCopy::new(copies_heads),
            head: HeadCopy::new(copies_heads),
        }
    }

    /// A request without a body is its own head.
    pub(crate) fn note_sent(&mut self, bytes: &[u8]) {
        self.request.add(bytes);
    }

    /// Takes the heads of the last request and its final response, as far as they arrived.
    pub(crate) fn take_heads(&mut self) -> [Option<KeptHead>; 2] {
        [self.request.take(), self.head.take()]
    }

    /// Records that a request is sent, so the next bytes after a body are a head.
    pub(crate) fn expect_head(&mut self) {
        if self.at == FramingState::Body {
            *self = Self::new(self.head.is_wanted);
        }
    }

    pub(crate) fn observe(&mut self, mut bytes: &[u8]) {
        while self.at != FramingState::Body && !bytes.is_empty() {
            let end = bytes.iter().position(|&byte| byte == b'\n');
            let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            let room = LINE_BYTES_MAX - self.line.len();
            self.line.extend_from_slice(&part[..part.len().min(room)]);
            self.is_cut |= part.len() > room;
            self.head
                .add(&bytes[..part.len() + usize::from(end.is_some())]);
            bytes = rest.get(1..).unwrap_or_default();
            if end.is_some() {
                self.end_line();
            }
        }
    }

    /// Returns `true` if the last head has a transfer coding other than a single `chunked`
    /// (ignoring case and surrounding blanks and tabs), or a length with a control character. RFC
    /// 9112 6.1, 6.2, 7.1.
    pub(crate) fn is_odd(&self) -> bool {
        self.is_odd || self.codings > 1
    }

    /// Adds an unreadable value to `headers` for each field that lost a line of the last head.
    pub(crate) fn restore_dropped(&self, headers: &mut HeaderMap) {
        for (name, count) in COUNTED.iter().zip(self.counts) {
            if headers.get_all(name).iter().count() < count
                && let Ok(value) = HeaderValue::from_bytes(UNREADABLE)
            {
                headers.append(name, value);
            }
        }
    }

    fn end_line(&mut self) {
        let mut line = take(&mut self.line);
        let is_cut = take(&mut self.is_cut);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        match self.at {
            // Empty lines before a status line are ignored, as in HTTP libraries.
            FramingState::StatusLine if line.is_empty() => {}
            FramingState::StatusLine => {
                let status = line.split(|&byte| byte == b' ').nth(1);
                let is_interim = status.is_some_and(|status| status.starts_with(b"1"));
                *self = Self {
                    at: FramingState::Fields { is_interim },
                    request: self.request.begin_again(),
                    head: self.head.begin_again(),
                    ..Self::new(self.head.is_wanted)
                };
            }
            FramingState::Fields { is_interim: true } if line.is_empty() => {
                self.head.begin_again();
                self.at = FramingState::StatusLine;
            }
            FramingState::Fields { is_interim: false } if line.is_empty() => {
                self.at = FramingState::Body;
            }
            FramingState::Fields { .. } => self.end_field(&line, is_cut),
            FramingState::Body => {}
        }
        line.clear();
        self.line = line;
    }

    fn end_field(&mut self, line: &[u8], is_cut: bool) {
        // A line that begins with a blank continues the previous field (RFC 9112 5.2).
        if matches!(line, [b' ' | b'\t', ..]) {
            self.is_odd |= self.is_after_coding;
            return;
        }
        let colon = line.iter().position(|&byte| byte == b':');
        let (name, value) = line.split_at(colon.unwrap_or(line.len()));
        // The HTTP library ignores a length with a control character. The body would then seem to
        // end with the connection, wherever that was cut.
        let is_control = |byte: &u8| byte.is_ascii_control() && *byte != b'\t';
        let is_named = |it: &HeaderName| trimmed(name).eq_ignore_ascii_case(it.as_ref());
        if let Some(at) = COUNTED.iter().position(is_named) {
            self.counts[at] += 1;
        }
        let is_length = trimmed(name).eq_ignore_ascii_case(CONTENT_LENGTH);
        self.is_odd |= is_length && value.iter().any(is_control);
        self.is_after_coding = trimmed(name).eq_ignore_ascii_case(NAME);
        if self.is_after_coding {
            let value = trimmed(value.get(1..).unwrap_or_default());
            self.codings += 1;
            self.is_odd |= is_cut || !value.eq_ignore_ascii_case(CODING);
        }
    }
}

fn trimmed(mut bytes: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] | [rest @ .., b' ' | b'\t'] = bytes {
        bytes = rest;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use verger_store::HEAD_BYTES_MAX;

    use super::*;

    #[track_caller]
    fn is_odd(fields: &[u8]) -> bool {
        let head = [b"HTTP/1.1 200 OK\r\n", fields, b"\r\n\r\nTE: x\r\n"].concat();
        let odd = [1, 2, 7, head.len()].map(|step| {
            let mut watch = FramingWatch::new(true);
            head.chunks(step).for_each(|bytes| watch.observe(bytes));
            watch.is_odd()
        });
        assert!(odd.iter().all(|it| *it == odd[0]));
        odd[0]
    }

    #[test]
    fn one_coding_that_is_chunked_is_not_odd() {
        for fields in [
            &b"A: b"[..],
            b"Transfer-Encoding: chunked",
            b"transfer-encoding:CHUNKED",
            b"Transfer-Encoding : \tChunked \t",
            b"Transfer-Encoding: chunked\r\nContent-Length: 7",
            b"A: b\nTransfer-Encoding: chunked\nC: d",
            b"A: Transfer-Encoding: gzip\r\n Transfer-Encoding: gzip",
        ] {
            assert!(!is_odd(fields), "{}", fields.escape_ascii());
        }
    }

    #[test]
    fn any_other_transfer_coding_is_odd() {
        for fields in [
            &b"Transfer-Encoding: chunked\x0b"[..],
            b"Transfer-Encoding: \x0bchunked",
            b"Transfer-Encoding: chunked\0",
            b"Transfer-Encoding: xchunked",
            b"Transfer-Encoding: chunked, identity",
            b"Transfer-Encoding: gzip, chunked",
            b"Transfer-Encoding: \"chunked\"",
            b"Transfer-Encoding: chunked;q=1",
            b"Transfer-Encoding:",
            b"Transfer-Encoding",
            b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            b"Transfer-Encoding: identity\r\nA: b\r\ntransfer-encoding: chunked",
            b"Transfer-Encoding: chunked\r\n , identity",
            b"Transfer-Encoding:\r\n chunked",
            b"Content-Length: 1000\x0b",
            b"content-length:\x0c1000",
        ] {
            assert!(is_odd(fields), "{}", fields.escape_ascii());
        }
        let long = [b"Transfer-Encoding: chunked", &b" ".repeat(300)[..], b"x"].concat();
        assert!(is_odd(&long));
    }

    /// V-68.
    #[test]
    fn a_line_that_the_http_library_dropped_leaves_an_unreadable_value() {
        let mut watch = FramingWatch::new(true);
        watch.observe(b"HTTP/1.1 103 Early\r\nExpires: 0\r\n\r\nHTTP/1.1 200 OK\r\nServer: y\r\n");
        watch.observe(b"CACHE-CONTROL : no-store, \x01\r\nCache-Control: max-age=60\r\n\r\n");
        let mut headers = HeaderMap::new();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("max-age=60"));
        watch.restore_dropped(&mut headers);
        let values: Vec<_> = headers
            .iter()
            .map(|(name, it)| (name, it.as_bytes()))
            .collect();
        let expected = [
            (&CACHE_CONTROL, &b"max-age=60"[..]),
            (&CACHE_CONTROL, UNREADABLE),
        ];
        assert_eq!(values, expected);
    }

    #[test]
    fn heads_are_kept_as_they_went_over_the_connection() {
        let mut watch = FramingWatch::new(true);
        assert_eq!(watch.take_heads(), [None, None]);
        for number in 0..2 {
            let request = format!("GET /{number} HTTP/1.1\r\nCookie: a\r\n\r\n");
            let head = format!("HTTP/1.1 200 OK\r\nX-ROBOTS-Tag :{number}\r\nSet-Cookie: b\n\r\n");
            let interim = "HTTP/1.1 103 Early\r\nA: b\r\n\r\n";
            let received = format!("{interim}{head}the body\r\n\r\n");
            for bytes in request.as_bytes().chunks(3) {
                watch.expect_head();
                watch.note_sent(bytes);
            }
            received
                .as_bytes()
                .chunks(5)
                .for_each(|it| watch.observe(it));
            let expected = [request, head].map(|head| Some(KeptHead::new(head.as_bytes(), 0)));
            assert_eq!(watch.take_heads(), expected);
            assert_eq!(watch.take_heads(), [None, None]);
        }
        watch.expect_head();
        watch.observe(b"HTTP/1.1 200 OK\r\nA: ");
        watch.observe(&[b'a'; HEAD_BYTES_MAX]);
        watch.observe(b"\r\n\r\n");
        let [_, head] = watch.take_heads();
        assert_eq!(head.unwrap().bytes_cut(), 24);
    }

    #[test]
    fn no_head_is_copied_where_none_is_wanted() {
        let mut watch = FramingWatch::new(false);
        for _ in 0..2 {
            watch.expect_head();
            watch.note_sent(b"GET / HTTP/1.1\r\n\r\n");
            watch.observe(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\n");
            assert_eq!(watch.take_heads(), [None, None]);
            assert!(watch.is_odd());
        }
    }

    #[test]
    fn the_last_head_counts() {
        let mut watch = FramingWatch::new(true);
        watch.observe(b"HTTP/1.1 103 Early\r\nTransfer-Encoding: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n");
        watch.observe(b"Transfer-Encoding: x\r\n");
        assert!(!watch.is_odd());
        watch.expect_head();
        watch.observe(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: x\r\n\r\n");
        assert!(watch.is_odd());
        watch.expect_head();
        watch.observe(b"HTTP/1.1 200 OK\r\nServer: y\r\n\r\n");
        assert!(!watch.is_odd());
        watch.expect_head();
        watch.observe(b"\r\nHTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\n");
        watch.observe(b"Transfer-Encoding: chunked\x0b\r\n\r\n");
        assert!(watch.is_odd());
    }
}
