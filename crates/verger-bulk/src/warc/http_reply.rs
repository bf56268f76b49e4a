//! `HttpReply`: the HTTP response in a record.

use std::borrow::Cow;
use std::sync::Arc;

use http::header::{CONTENT_RANGE, HeaderMap, HeaderName, HeaderValue, LOCATION, RETRY_AFTER};
use verger_access::{BodyEnd, TransportFailure, is_content_coding};

use super::content_coding::{is_text, without_chunks, without_coding};

/// Maximum size of a head, in bytes. A longer one is not accepted as an HTTP response.
const HEAD_BYTES_MAX: usize = 256 * 1024;

const CODINGS_MAX: usize = 4;

/// Maximum size of an empty body in any supported coding or codings, in bytes.
const CODED_NOTHING_BYTES_MAX: u64 = 128;

const VALUES_MAX: usize = 16;

#[derive(Debug)]
pub(crate) struct HttpReply {
    pub(crate) status: u16,
    /// `Location`, `Retry-After` and `Content-Range`.
    pub(crate) headers: HeaderMap,
    pub(crate) body: Result<Arc<[u8]>, TransportFailure>,
    pub(crate) body_end: BodyEnd,
}

/// The fields that describe how the body was sent.
#[derive(Default)]
struct Framing<'b> {
    content_length: Option<u64>,
    transfer_coding: &'b [u8],
    /// In the order in which they were applied, separated by commas.
    content_codings: Vec<u8>,
}

impl HttpReply {
    /// Parses a block. `is_cut` tells that the record has more bytes. Returns `None` if the block
    /// does not start like a response or its head is too long.
    pub(crate) fn read(block: &[u8], is_cut: bool, body_bytes_max: usize) -> Option<Self> {
        let (status, rest) = final_response(block)?;
        let mut headers = HeaderMap::new();
        let mut framing = Framing::default();
        let (body, has_whole_head) = fields(rest, |name, value| {
            framing.take(name, value);
            for kept in [LOCATION, RETRY_AFTER, CONTENT_RANGE] {
                if name.eq_ignore_ascii_case(kept.as_str().as_bytes()) {
                    keep(&mut headers, kept, value);
                }
            }
        })?;
        let decoded = if has_whole_head {
            framing.decoded(body, is_cut, body_bytes_max)
        } else {
            Err(TransportFailure::Truncated)
        };
        let (body, body_end) = match decoded {
            Ok((body, false)) => (Ok(body), BodyEnd::Whole),
            Ok((body, true)) => (Ok(body), BodyEnd::CutAtLimit),
            Err(failure) => (Err(failure), BodyEnd::Whole),
        };
        Some(Self {
            status,
            headers,
            body,
            body_end,
        })
    }
}

fn keep(headers: &mut HeaderMap, name: HeaderName, value: &[u8]) {
    let read = HeaderValue::from_bytes(value);
    // A value with control characters is invalid. As a `Content-Range` it may still indicate a
    // partial body.
    let unreadable = (name == CONTENT_RANGE).then(|| HeaderValue::from_static(""));
    if let Some(value) = read.ok().or(unreadable)
        && headers.get_all(&name).iter().count() < VALUES_MAX
    {
        headers.append(name, value);
    }
}

impl<'b> Framing<'b> {
    fn take(&mut self, name: &[u8], value: &'b [u8]) {
        if name.eq_ignore_ascii_case(b"content-length") {
            let text = std::str::from_utf8(value).ok();
            // Use the largest of several.
            let length = text.and_then(|text| text.parse().ok());
            self.content_length = self.content_length.max(length);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.transfer_coding = value;
        } else if name.eq_ignore_ascii_case(b"content-encoding") {
            if !self.content_codings.is_empty() {
                self.content_codings.push(b',');
            }
            self.content_codings.extend_from_slice(value);
        }
    }

    /// Decodes the body. Also returns whether it is incomplete.
    fn decoded(
        &self,
        body: &'b [u8],
        is_cut: bool,
        bytes_max: usize,
    ) -> Result<(Arc<[u8]>, bool), TransportFailure> {
        let transfer = self.transfer_coding.to_ascii_lowercase();
        let is_chunked = transfer.ends_with(b"chunked");
        let is_coded = !self.content_codings.is_empty();
        // The length of an encoded body says nothing about a body that was stored decoded.
        let stated = self.content_length.filter(|_| !is_chunked && !is_coded);
        let is_short = stated.is_some_and(|stated| stated > body.len() as u64);
        // An empty body is short in every coding, and has a last chunk.
        let was_longer = is_coded && self.content_length > Some(CODED_NOTHING_BYTES_MAX);
        let is_missing = body.is_empty() && (is_chunked || was_longer);
        if !is_cut && (is_short || is_missing) {
            return Err(TransportFailure::Truncated);
        }
        let plain = if is_chunked {
            without_chunks(body, is_cut)?
        } else {
            super::content_coding::Plain {
                bytes: body.into(),
                is_cut,
                was_coded: false,
            }
        };
        let codings = String::from_utf8_lossy(&self.content_codings).to_ascii_lowercase();
        let (mut bytes, mut is_cut) = (plain.bytes, plain.is_cut);
        let words = codings.split(',').map(str::trim);
        let words = words.filter(|word| !matches!(*word, "" | "identity"));
        let (codings, unknown): (Vec<_>, Vec<_>) = words.partition(|it| is_content_coding(it));
        for (nth, coding) in codings.into_iter().rev().enumerate() {
            if nth == CODINGS_MAX {
                return Err(TransportFailure::ContentEncoding);
            }
            let decoded = without_coding(coding, &bytes, is_cut, bytes_max)?;
            is_cut = decoded.is_cut;
            let undone = match decoded.bytes {
                Cow::Owned(undone) => Some(undone),
                // The body was stored decoded.
                Cow::Borrowed(_) => None,
            };
            bytes = undone.map_or(bytes, Cow::Owned);
        }
        if is_cut && bytes.is_empty() {
            return Err(TransportFailure::Truncated);
        }
        // The words may stand for a coding after all.                                           V-95
        if !unknown.is_empty() && !is_text(&bytes) {
            return Err(TransportFailure::ContentEncoding);
        }
        Ok((bytes.into(), is_cut))
    }
}

/// Returns the status after any 1xx responses, and the bytes after its line.
fn final_response(block: &[u8]) -> Option<(u16, &[u8])> {
    let (mut status, mut rest) = status_line(block)?;
    while (100..=199).contains(&status) {
        let (after, _) = fields(rest, |_, _| ())?;
        match status_line(after) {
            Some(next) => (status, rest) = next,
            None => break,
        }
    }
    Some((status, rest))
}

fn status_line(block: &[u8]) -> Option<(u16, &[u8])> {
    let head = &block[..block.len().min(HEAD_BYTES_MAX)];
    let end = memchr::memchr(b'\n', head).unwrap_or(head.len());
    let line = head[..end].strip_prefix(b"HTTP/")?;
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let status = words.nth(1)?;
    if status.len() != 3 || !status.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let status = std::str::from_utf8(status).ok()?.parse().ok()?;
    Some((status, block.get(end + 1..).unwrap_or_default()))
}

/// Calls `each` with every field. Returns the bytes after the empty line, and whether there is one.
/// Returns `None` if the head is too long. Skips continuation lines and lines without a colon.
fn fields<'b>(
    head: &'b [u8],
    mut each: impl FnMut(&'b [u8], &'b [u8]),
) -> Option<(&'b [u8], bool)> {
    let mut rest = head;
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest);
        let line = &rest[..end.unwrap_or(rest.len())];
        rest = end.map_or(&[][..], |end| &rest[end + 1..]);
        if head.len() - rest.len() > HEAD_BYTES_MAX {
            return None;
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            return Some((rest, true));
        }
        if let Some(colon) = memchr::memchr(b':', line) {
            each(line[..colon].trim_ascii(), line[colon + 1..].trim_ascii());
        }
    }
    Some((rest, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(text: &str) -> HttpReply {
        HttpReply::read(text.as_bytes(), false, 1000).unwrap()
    }

    fn body(text: &str) -> Result<String, TransportFailure> {
        let body = reply(text).body;
        body.map(|body| String::from_utf8(body.to_vec()).unwrap())
    }

    #[test]
    fn a_response_is_status_fields_and_body() {
        let redirect = reply("HTTP/1.1 301 Moved\r\nlocation: /b\r\nX: \u{e9}\r\n\r\nseen");
        assert_eq!(redirect.status, 301);
        assert_eq!(redirect.headers.get(LOCATION).unwrap(), "/b");
        assert_eq!(redirect.headers.len(), 1);
        assert_eq!(*redirect.body.unwrap(), *b"seen");
        assert_eq!(reply("HTTP/2 200\n\nx").status, 200);
        assert_eq!(reply("HTTP/1.0  404  a\n").status, 404);
        let interim = "HTTP/1.1 103 a\r\nLink: b\r\n\r\n";
        let after = reply(&format!("{interim}{interim}HTTP/1.1 200 a\r\n\r\nb"));
        assert_eq!((after.status, &*after.body.unwrap()), (200, &b"b"[..]));
        assert_eq!(reply(interim).status, 103);
        for text in [
            "",
            "HTTP/1.1",
            "HTTP/1.1 20 a",
            "HTTP/1.1 abc",
            "GET / HTTP/1.1",
            "<html>",
        ] {
            assert!(
                HttpReply::read(text.as_bytes(), false, 1000).is_none(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_head_of_more_than_256_kib_is_none() {
        let of = |bytes: usize| {
            let field = "x".repeat(bytes - "Location: \r\n\r\n".len());
            let text = format!("HTTP/1.1 301 Moved\r\nLocation: {field}\r\n\r\nbody");
            HttpReply::read(text.as_bytes(), false, 1000)
        };
        let reply = of(HEAD_BYTES_MAX).unwrap();
        assert_eq!(*reply.body.unwrap(), *b"body");
        assert!(of(HEAD_BYTES_MAX + 1).is_none());
    }

    #[test]
    fn a_length_that_is_not_reached_is_a_failure() {
        let short = "HTTP/1.1 200 a\r\nContent-Length: 5\r\n\r\nabc";
        assert_eq!(body(short), Err(TransportFailure::Truncated));
        let long = "HTTP/1.1 200 a\r\nContent-Length: 2\r\n\r\nabc";
        assert_eq!(body(long).unwrap(), "abc");
        // The length of the encoded body.
        let coded = "HTTP/1.1 200 a\r\nContent-Length: 9\r\nContent-Encoding: gzip\r\n\r\nabc";
        assert_eq!(body(coded).unwrap(), "abc");
        for cut in [
            "HTTP/1.1 200 a\r\nContent-Type: text/pl",
            "HTTP/1.1 200 a\r\nContent-Type: text/plain\r\n",
            "HTTP/1.1 200 a\r\nContent-Length: 500\r\nContent-Encoding: gzip\r\n\r\n",
            "HTTP/1.1 200 a\r\nTransfer-Encoding: chunked\r\n\r\n",
            "HTTP/1.1 200 a\r\nContent-Length: 500\r\nContent-Length: 3\r\n\r\nabc",
        ] {
            assert_eq!(body(cut), Err(TransportFailure::Truncated), "{cut}");
        }
        let nothing = "HTTP/1.1 200 a\r\nContent-Length: 20\r\nContent-Encoding: gzip\r\n\r\n";
        assert_eq!(body(nothing).unwrap(), "");
        let huge = "HTTP/1.1 200 a\r\nContent-Length: 99999999999999999999999\r\n\r\nabc";
        assert_eq!(body(huge).unwrap(), "abc");
    }

    #[test]
    fn codings_are_undone_from_the_last_to_the_first() {
        use std::io::Write as _;
        let mut brotli = Vec::new();
        let mut encoder = brotli::CompressorWriter::new(&mut brotli, 4096, 5, 22);
        encoder.write_all(b"User-agent: *\n").unwrap();
        drop(encoder);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&brotli).unwrap();
        let gzip = gzip.finish().unwrap();
        let body = |codings: &str, body: &[u8]| {
            let head = format!("HTTP/1.1 200 a\r\n{codings}\r\n\r\n");
            let reply = HttpReply::read(&[head.as_bytes(), body].concat(), false, 1000);
            reply.unwrap().body.map(|body| body.to_vec())
        };
        let rules = Ok(b"User-agent: *\n".to_vec());
        for codings in [
            "Content-Encoding: br, gzip",
            "Content-Encoding: BR\r\nContent-Encoding: identity, gzip",
        ] {
            assert_eq!(body(codings, &gzip), rules, "{codings}");
            assert_eq!(body(codings, b"User-agent: *\n"), rules, "stored decoded");
        }
        let failure = Err(TransportFailure::ContentEncoding);
        assert_eq!(body("Content-Encoding: gzip, br", &gzip), failure);
        assert_eq!(
            body("Content-Encoding: br, br, br, br, br", b"abc"),
            failure
        );
    }

    #[test]
    fn chunks_are_joined_where_they_were_stored() {
        let head = "HTTP/1.1 200 a\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert_eq!(
            body(&format!("{head}3\r\nabc\r\n0\r\n\r\n")).unwrap(),
            "abc"
        );
        assert_eq!(body(&format!("{head}abc: d")).unwrap(), "abc: d");
        assert_eq!(
            body(&format!("{head}4\r\nabc")),
            Err(TransportFailure::Truncated)
        );
    }

    #[test]
    fn a_body_of_which_nothing_was_kept_is_a_failure() {
        let cut = |fields: &str, body: &str| {
            let reply = format!("HTTP/1.1 200 a\r\n{fields}\r\n{body}");
            HttpReply::read(reply.as_bytes(), true, 1000).unwrap()
        };
        let chunked = "Transfer-Encoding: chunked\r\n";
        for (fields, body) in [
            ("", ""),
            (chunked, ""),
            (chunked, "4\r\n"),
            ("Content-Encoding: gzip\r\n", ""),
        ] {
            let body = cut(fields, body).body;
            assert_eq!(body, Err(TransportFailure::Truncated), "{fields}");
        }
        let reply = cut(chunked, "4\r\nUs");
        assert_eq!(
            (&*reply.body.unwrap(), reply.body_end),
            (&b"Us"[..], BodyEnd::CutAtLimit)
        );
    }
}
