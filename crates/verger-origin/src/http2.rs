//! HTTP/2 over TLS (RFC 9113), with streams that end irregularly.

use std::io::{self, ErrorKind, Read, Write};

use super::connection::Connection;
use super::robots_file::RULES;
use super::script::NamedScript;
use super::script::Script::Http2;

pub(super) const SCRIPTS: &[NamedScript] = &[
    (
        "http2-usual",
        Http2(|connection| {
            send_head(connection, None, Last::No)?;
            send_data(connection, RULES, Last::Yes)
        }),
    ),
    (
        "http2-trailers",
        Http2(|connection| {
            send_head(connection, Some(RULES.len()), Last::No)?;
            send_data(connection, RULES, Last::No)?;
            send_frame(connection, HEADERS, END_HEADERS | END_STREAM, &TRAILERS)
        }),
    ),
    (
        "http2-head-of-request",
        Http2(|connection| {
            // Entry 8 of the static table is ":status: 200", and 2 is ":method: GET".
            send_frame(connection, HEADERS, END_HEADERS, &[0x88, 0x82])?;
            send_data(connection, RULES, Last::Yes)
        }),
    ),
    (
        "http2-status-in-trailers",
        Http2(|connection| {
            send_head(connection, None, Last::No)?;
            send_data(connection, RULES, Last::No)?;
            send_frame(connection, HEADERS, END_HEADERS | END_STREAM, &[0x88])
        }),
    ),
    (
        "http2-interim-flood",
        Http2(|connection| {
            // ":status: 103", with the name of entry 8.
            let hints = [0x08, 3, b'1', b'0', b'3'];
            (0..33).try_for_each(|_| send_frame(connection, HEADERS, END_HEADERS, &hints))?;
            send_head(connection, None, Last::No)?;
            send_data(connection, RULES, Last::Yes)
        }),
    ),
    (
        "http2-control-in-field",
        Http2(|connection| {
            // Entry 24 is "cache-control".
            let mut fields = vec![0x88, 0x0f, 24 - 15];
            push_text(&mut fields, "no-store, \u{1}");
            send_frame(connection, HEADERS, END_HEADERS, &fields)?;
            send_data(connection, RULES, Last::Yes)
        }),
    ),
    (
        "http2-reset-behind-end",
        Http2(|connection| {
            send_head(connection, None, Last::No)?;
            send_data(connection, RULES, Last::Yes)?;
            send_reset(connection, NO_ERROR)
        }),
    ),
    (
        "http2-reset-no-error",
        Http2(|connection| {
            send_head(connection, None, Last::No)?;
            send_data(connection, half_of_rules(), Last::No)?;
            send_reset(connection, NO_ERROR)
        }),
    ),
    (
        "http2-reset-cancel",
        Http2(|connection| {
            send_head(connection, None, Last::No)?;
            send_data(connection, half_of_rules(), Last::No)?;
            send_reset(connection, CANCEL)
        }),
    ),
    (
        "http2-reset-within-length",
        Http2(|connection| {
            send_head(connection, Some(RULES.len()), Last::No)?;
            send_data(connection, half_of_rules(), Last::No)?;
            send_reset(connection, NO_ERROR)
        }),
    ),
    (
        "http2-reset-without-data",
        Http2(|connection| {
            send_head(connection, None, Last::No)?;
            send_reset(connection, NO_ERROR)
        }),
    ),
    (
        "http2-length-cut",
        Http2(|connection| {
            send_head(connection, Some(RULES.len()), Last::No)?;
            send_data(connection, half_of_rules(), Last::Yes)
        }),
    ),
    (
        "http2-length-without-data",
        Http2(|connection| send_head(connection, Some(RULES.len()), Last::Yes)),
    ),
    (
        "http2-closed-in-body",
        Http2(|connection| {
            send_head(connection, None, Last::No)?;
            send_data(connection, half_of_rules(), Last::No)?;
            send_going_away(connection)
        }),
    ),
];

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

const STREAM: u32 = 1;

/// Maximum frame size by default, and maximum number of frames before the request.
const FRAME_BYTES_MAX: usize = 1 << 14;
const FRAMES_MAX: usize = 64;

// Frame types, flags and error codes.
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;
const ACK: u8 = 1;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const NO_ERROR: u32 = 0;
const CANCEL: u32 = 8;

/// The field `a: b`, not indexed (RFC 7541 6.2.2).
const TRAILERS: [u8; 5] = [0, 1, b'a', 1, b'b'];

/// Whether a frame ends its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    Yes,
    No,
}

impl Last {
    fn flag(self) -> u8 {
        match self {
            Self::Yes => END_STREAM,
            Self::No => 0,
        }
    }
}

/// Reads the preface, settings and request of the client, and records the request.
pub(super) fn read_request(connection: &mut Connection) -> io::Result<()> {
    let mut preface = [0; PREFACE.len()];
    connection.read_exact(&mut preface)?;
    if preface != PREFACE {
        return Err(ErrorKind::InvalidData.into());
    }
    write_frame(connection, SETTINGS, 0, 0, &[])?;
    for _ in 0..FRAMES_MAX {
        let mut head = [0; 9];
        connection.read_exact(&mut head)?;
        let [a, b, c, kind, flags, ..] = head;
        let bytes = usize::from(a) << 16 | usize::from(b) << 8 | usize::from(c);
        if bytes > FRAME_BYTES_MAX {
            return Err(ErrorKind::InvalidData.into());
        }
        connection.read_exact(&mut vec![0; bytes])?;
        match kind {
            SETTINGS if flags & ACK == 0 => write_frame(connection, SETTINGS, ACK, 0, &[])?,
            HEADERS => {
                // The header fields are compressed and not needed.
                connection.note_request("HTTP/2 stream 1");
                return Ok(());
            }
            _ => {}
        }
    }
    Err(ErrorKind::InvalidData.into())
}

/// Sends `:status: 200`, the type of a regular file, and the length if given.
fn send_head(connection: &mut Connection, length: Option<usize>, last: Last) -> io::Result<()> {
    // Entry 8 of the static table is ":status: 200", 31 "content-type" and 28 "content-length".
    let mut fields = vec![0x88, 0x0f, 31 - 15];
    push_text(&mut fields, "text/plain; charset=utf-8");
    if let Some(length) = length {
        fields.extend([0x0f, 28 - 15]);
        push_text(&mut fields, &length.to_string());
    }
    send_frame(connection, HEADERS, END_HEADERS | last.flag(), &fields)
}

/// Appends an uncompressed string shorter than 127 bytes.
fn push_text(fields: &mut Vec<u8>, text: &str) {
    fields.extend(u8::try_from(text.len()));
    fields.extend_from_slice(text.as_bytes());
}

fn send_data(connection: &mut Connection, data: &str, last: Last) -> io::Result<()> {
    send_frame(connection, DATA, last.flag(), data.as_bytes())
}

fn send_reset(connection: &mut Connection, reason: u32) -> io::Result<()> {
    send_frame(connection, RST_STREAM, 0, &reason.to_be_bytes())
}

/// Announces that this is the last stream, without an error.
fn send_going_away(connection: &mut Connection) -> io::Result<()> {
    let words = [STREAM.to_be_bytes(), NO_ERROR.to_be_bytes()].concat();
    write_frame(connection, GOAWAY, 0, 0, &words)
}

/// Sends a frame of the stream.
fn send_frame(connection: &mut Connection, kind: u8, flags: u8, payload: &[u8]) -> io::Result<()> {
    write_frame(connection, kind, flags, STREAM, payload)
}

fn write_frame(
    connection: &mut Connection,
    kind: u8,
    flags: u8,
    stream: u32,
    payload: &[u8],
) -> io::Result<()> {
    let bytes = u32::try_from(payload.len()).map_err(io::Error::other)?;
    let mut frame = bytes.to_be_bytes().get(1..).unwrap_or_default().to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend_from_slice(payload);
    connection.write_all(&frame)?;
    connection.flush()
}

fn half_of_rules() -> &'static str {
    RULES.get(..RULES.len() / 2).unwrap_or_default()
}
