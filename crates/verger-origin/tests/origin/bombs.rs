//! Decodes encoded bodies.

use std::io::Read;

use brotli::Decompressor;
use flate2::read::GzDecoder;
use verger_origin::Origin;

use crate::conversation::{HttpReply, ask, connect, listen};

const RULES: &str = "User-agent: *\nDisallow: /private/\n";

/// Number of decoded bytes that proves a bomb.
const ENOUGH: u64 = 16 << 20;

/// Counts the bytes it reads.
struct Counting<R> {
    inner: R,
    bytes: u64,
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.bytes += count as u64;
        Ok(count)
    }
}

/// Returns the body of a bomb, after its head was read.
fn body_of(origin: &Origin, name: &str, coding: &str) -> Counting<impl Read> {
    let mut stream = connect(origin, name);
    ask(&mut stream, "/robots.txt", "");
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        head.extend_from_slice(&byte);
    }
    let head = String::from_utf8(head).unwrap();
    assert!(
        head.contains(&format!("Content-Encoding: {coding}\r\n")),
        "{head}"
    );
    Counting {
        inner: stream,
        bytes: 0,
    }
}

#[test]
fn bombs_are_a_hundred_times_what_is_on_the_wire() {
    let origin = Origin::start().unwrap();
    let mut wire = body_of(&origin, "gzip-bomb", "gzip");
    let mut decoded = String::new();
    let mut reader = GzDecoder::new(&mut wire).take(ENOUGH);
    reader.read_to_string(&mut decoded).unwrap();
    assert!(decoded.starts_with(RULES) && decoded.len() as u64 == ENOUGH);
    assert!(wire.bytes < ENOUGH / 100, "{}", wire.bytes);

    let mut wire = body_of(&origin, "brotli-bomb", "br");
    let mut decoded = String::new();
    let mut reader = Decompressor::new(&mut wire, 4096).take(ENOUGH);
    reader.read_to_string(&mut decoded).unwrap();
    assert!(decoded.starts_with(RULES) && decoded.len() as u64 == ENOUGH);
    assert!(wire.bytes < ENOUGH / 100, "{}", wire.bytes);
}

/// Fetches the body of a complete reply and its encoding.
fn fetch(origin: &Origin, name: &str, headers: &str) -> (Vec<u8>, Option<String>) {
    let mut stream = connect(origin, name);
    ask(&mut stream, "/robots.txt", headers);
    let reply = HttpReply::read(&listen(&mut stream, usize::MAX).0).unwrap();
    let coding = reply.header("Content-Encoding").map(str::to_owned);
    (reply.body, coding)
}

#[test]
fn a_good_encoding_is_sent_to_who_accepts_it() {
    let origin = Origin::start().unwrap();
    let accepting = "Accept-Encoding: zstd;q=0.5, br, gzip\r\n";
    for (name, coding) in [("gzip", "gzip"), ("brotli", "br"), ("zstd", "zstd")] {
        assert_eq!(fetch(&origin, name, ""), (RULES.into(), None));
        let (body, sent) = fetch(&origin, name, accepting);
        assert_eq!(sent.as_deref(), Some(coding));
        let mut decoded = String::new();
        match coding {
            "gzip" => GzDecoder::new(&*body).read_to_string(&mut decoded),
            "br" => Decompressor::new(&*body, 4096).read_to_string(&mut decoded),
            _ => ruzstd::decoding::StreamingDecoder::new(&*body)
                .unwrap()
                .read_to_string(&mut decoded),
        }
        .unwrap();
        assert_eq!(decoded, RULES, "{name}");
    }
}

#[test]
fn a_broken_encoding_cannot_be_decoded() {
    let origin = Origin::start().unwrap();
    for name in ["gzip-that-is-none", "gzip-cut"] {
        let (body, coding) = fetch(&origin, name, "");
        assert_eq!(coding.as_deref(), Some("gzip"));
        assert!(
            GzDecoder::new(&*body).read_to_end(&mut Vec::new()).is_err(),
            "{name}"
        );
    }
}
