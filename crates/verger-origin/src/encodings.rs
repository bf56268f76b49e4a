//! Encoded bodies: valid ones, broken ones, and decompression bombs.

use std::io::{self, Write};
use std::sync::OnceLock;

use brotli::CompressorWriter;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::connection::Connection;
use super::reply::{TEXT, send, send_head};
use super::request_head::RequestHead;
use super::robots_file::{COMMENT, RULES, file_of, send_rules};
use super::script::NamedScript;
use super::script::Script::Http;

pub(super) const SCRIPTS: &[NamedScript] = &[
    (
        "gzip",
        Http(|connection, head| send_if_asked(connection, head, "gzip", gzipped)),
    ),
    (
        "brotli",
        Http(|connection, head| send_if_asked(connection, head, "br", brotlied)),
    ),
    (
        "zstd",
        Http(|connection, head| send_if_asked(connection, head, "zstd", zstded)),
    ),
    (
        "gzip-that-is-none",
        Http(|connection, _| send_encoded(connection, "gzip", RULES.as_bytes())),
    ),
    (
        "gzip-undeclared",
        Http(|connection, _| send(connection, "200 OK", &[TEXT], &gzipped(RULES.as_bytes())?)),
    ),
    (
        "gzip-then-nuls",
        Http(|connection, _| {
            let body = [&*gzipped(RULES.as_bytes())?, &[0; 8]].concat();
            send_encoded(connection, "gzip", &body)
        }),
    ),
    (
        "gzip-cut",
        Http(|connection, _| {
            let mut body = gzipped(&file_of(20_000, ""))?;
            body.truncate(body.len() / 2);
            send_encoded(connection, "gzip", &body)
        }),
    ),
    (
        "gzip-wrong-checksum",
        Http(|connection, _| {
            let mut body = gzipped(RULES.as_bytes())?;
            // The length follows the checksum.
            spoil(&mut body, 8);
            send_encoded(connection, "gzip", &body)
        }),
    ),
    (
        "gzip-wrong-length",
        Http(|connection, _| {
            let mut body = gzipped(RULES.as_bytes())?;
            spoil(&mut body, 4);
            send_encoded(connection, "gzip", &body)
        }),
    ),
    (
        "deflate-wrong-checksum",
        Http(|connection, _| {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(RULES.as_bytes())?;
            let mut body = encoder.finish()?;
            spoil(&mut body, 4);
            send_encoded(connection, "deflate", &body)
        }),
    ),
    (
        "zstd-wrong-checksum",
        Http(|connection, _| {
            let mut body = zstded(RULES.as_bytes())?;
            spoil(&mut body, 4);
            send_encoded(connection, "zstd", &body)
        }),
    ),
    (
        "zstd-second-wrong-checksum",
        Http(|connection, _| {
            let frame = zstded(RULES.as_bytes())?;
            let mut body = [&*frame, &frame].concat();
            spoil(&mut body, 4);
            send_encoded(connection, "zstd", &body)
        }),
    ),
    (
        "encoding-unknown",
        Http(|connection, _| send_encoded(connection, "none", RULES.as_bytes())),
    ),
    (
        "encoding-unknown-of-data",
        Http(|connection, _| send_encoded(connection, "x-own", &gzipped(RULES.as_bytes())?)),
    ),
    (
        "encoding-known-of-none",
        Http(|connection, _| send_encoded(connection, "compress", RULES.as_bytes())),
    ),
    (
        "gzip-bomb",
        Http(|connection, _| {
            send_bomb_head(connection, "gzip")?;
            write_gzip_bomb(&mut GzEncoder::new(connection, Compression::default()))
        }),
    ),
    (
        "brotli-bomb",
        Http(|connection, _| {
            send_bomb_head(connection, "br")?;
            let [start, repeated] = brotli_blocks();
            connection.write_all(start)?;
            (0..BOMB_BYTES / BLOCK_BYTES as u64).try_for_each(|_| connection.write_all(repeated))
        }),
    ),
];

/// Decoded size of a bomb: 8 GiB.
const BOMB_BYTES: u64 = 8 << 30;

/// Number of decoded bytes encoded at a time.
const BLOCK_BYTES: usize = 1 << 17;

type Encode = fn(&[u8]) -> io::Result<Vec<u8>>;

fn gzipped(body: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body)?;
    encoder.finish()
}

fn brotlied(body: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = CompressorWriter::new(Vec::new(), 4096, 5, 22);
    encoder.write_all(body)?;
    Ok(encoder.into_inner())
}

// The other two encoders can fail.
#[allow(clippy::unnecessary_wraps)]
fn zstded(body: &[u8]) -> io::Result<Vec<u8>> {
    Ok(compress_to_vec(body, CompressionLevel::Fastest))
}

/// Sends the file, encoded if the client accepts the encoding.
fn send_if_asked(
    connection: &mut Connection,
    head: &RequestHead,
    coding: &str,
    encode: Encode,
) -> io::Result<()> {
    let accepted = head.header("accept-encoding").unwrap_or_default();
    if !accepted
        .split([',', ';'])
        .any(|it| it.trim().eq_ignore_ascii_case(coding))
    {
        return send_rules(connection);
    }
    send_encoded(connection, coding, &encode(RULES.as_bytes())?)
}

/// Flips a bit in one byte, counted from the end.
fn spoil(body: &mut [u8], from_end: usize) {
    if let Some(byte) = body.iter_mut().nth_back(from_end - 1) {
        *byte ^= 1;
    }
}

fn send_encoded(connection: &mut Connection, coding: &str, body: &[u8]) -> io::Result<()> {
    let headers = [
        TEXT,
        ("Vary", "Accept-Encoding"),
        ("Content-Encoding", coding),
    ];
    send(connection, "200 OK", &headers, body)
}

fn send_bomb_head(connection: &mut Connection, coding: &str) -> io::Result<()> {
    send_head(connection, "200 OK", &[TEXT, ("Content-Encoding", coding)])
}

/// Writes the rules and gigabytes of comments, one block at a time.
fn write_gzip_bomb(encoder: &mut impl Write) -> io::Result<()> {
    encoder.write_all(RULES.as_bytes())?;
    (0..BOMB_BYTES / BLOCK_BYTES as u64).try_for_each(|_| {
        encoder.write_all(block().as_bytes())?;
        encoder.flush()
    })
}

fn block() -> String {
    COMMENT.repeat(BLOCK_BYTES / COMMENT.len())
}

/// Returns the same bomb in Brotli, which is slower to encode: its start, and a block of comments
/// that can be repeated. A flush ends on a byte boundary, and from the third identical block on,
/// the encoding stays the same.
fn brotli_blocks() -> &'static [Vec<u8>; 2] {
    static BLOCKS: OnceLock<[Vec<u8>; 2]> = OnceLock::new();
    BLOCKS.get_or_init(|| {
        let mut encoder = CompressorWriter::new(Vec::new(), BLOCK_BYTES, 1, 22);
        let mut ends = Vec::new();
        for part in [RULES, &block(), &block(), &block()] {
            // Writing to memory cannot fail.
            let _ = encoder
                .write_all(part.as_bytes())
                .and_then(|()| encoder.flush());
            ends.push(encoder.get_ref().len());
        }
        let bytes = encoder.get_ref();
        [bytes[..ends[2]].to_vec(), bytes[ends[2]..ends[3]].to_vec()]
    })
}
