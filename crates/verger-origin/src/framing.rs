//! Replies that are not valid HTTP or not complete.

use std::io::{self, Write};

use super::connection::{Connection, Ending};
use super::reply::{TEXT, send_head};
use super::robots_file::RULES;
use super::script::NamedScript;
use super::script::Script::{Absent, Http, Raw};

pub(super) const SCRIPTS: &[NamedScript] = &[
    ("connection-refused", Absent),
    (
        "reset-at-once",
        Raw(|connection| {
            connection.end_by(Ending::Reset);
            Ok(())
        }),
    ),
    (
        "reset-before-head",
        Http(|connection, _| {
            connection.end_by(Ending::Reset);
            Ok(())
        }),
    ),
    (
        "reset-in-body",
        Http(|connection, _| {
            connection.end_by(Ending::Reset);
            send_too_little(connection)
        }),
    ),
    ("reply-empty", Http(|_, _| Ok(()))),
    (
        "head-cut",
        Http(|connection, _| {
            connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n")
        }),
    ),
    (
        "no-status-line",
        Http(|connection, _| connection.write_all(RULES.as_bytes())),
    ),
    (
        "length-cut",
        Http(|connection, _| send_too_little(connection)),
    ),
    (
        "length-twice",
        Http(|connection, _| {
            let lengths = [TEXT, ("Content-Length", "10"), ("Content-Length", "34")];
            send_with_body(connection, &lengths, RULES)
        }),
    ),
    (
        "length-no-number",
        Http(|connection, _| {
            send_with_body(connection, &[TEXT, ("Content-Length", "many")], RULES)
        }),
    ),
    (
        "chunks-cut",
        Http(|connection, _| send_chunks(connection, &format!("{:x}\r\n{RULES}\r\n", RULES.len()))),
    ),
    (
        "chunk-cut",
        Http(|connection, _| send_chunks(connection, &format!("{:x}\r\n{RULES}", 2 * RULES.len()))),
    ),
    (
        "chunk-size-no-number",
        Http(|connection, _| send_chunks(connection, &format!("zz\r\n{RULES}\r\n0\r\n\r\n"))),
    ),
    (
        "chunk-size-too-large",
        Http(|connection, _| {
            send_chunks(
                connection,
                &format!("fffffffffffffffff\r\n{RULES}\r\n0\r\n\r\n"),
            )
        }),
    ),
    (
        "chunk-extension",
        Http(|connection, _| {
            let size = format!("{:x} ;a=\"b\"", RULES.len());
            send_chunks(
                connection,
                &format!("{size}\r\n{RULES}\r\n0;c\r\nA: b\r\n\r\n"),
            )
        }),
    ),
    (
        "chunk-size-behind-blank",
        Http(|connection, _| {
            send_chunks(
                connection,
                &format!("{:x} 1\r\n{RULES}\r\n0\r\n\r\n", RULES.len()),
            )
        }),
    ),
    (
        "chunk-line-feeds",
        Http(|connection, _| {
            send_chunks(connection, &format!("{:x}\n{RULES}\n0\n\n", RULES.len()))
        }),
    ),
    (
        "chunk-longer-than-its-size",
        Http(|connection, _| {
            send_chunks(
                connection,
                &format!("{:x}\r\n{RULES}\r\n0\r\n\r\n", RULES.len() - 1),
            )
        }),
    ),
    (
        "chunked-with-length",
        Http(|connection, _| send_coded(connection, &[CHUNKED, ("Content-Length", "10")])),
    ),
    (
        "chunked-and-control",
        Http(|connection, _| send_coded(connection, &[(CODING, "chunked\x0b")])),
    ),
    (
        "chunked-then-identity",
        Http(|connection, _| send_coded(connection, &[(CODING, "chunked, identity")])),
    ),
    (
        "chunked-misspelt",
        Http(|connection, _| send_coded(connection, &[(CODING, "xchunked")])),
    ),
    (
        "chunked-twice",
        Http(|connection, _| send_coded(connection, &[CHUNKED, CHUNKED])),
    ),
    (
        "chunked-folded",
        Http(|connection, _| send_coded(connection, &[(CODING, "\r\n chunked")])),
    ),
    (
        "chunk-extension-endless",
        Http(|connection, _| {
            send_chunks(connection, "1;a=")?;
            connection.flood("a")
        }),
    ),
    (
        "headers-endless",
        Http(|connection, _| {
            connection.write_all(b"HTTP/1.1 200 OK\r\n")?;
            connection.flood("X-Header: of forty bytes, and no more\r\n")
        }),
    ),
    (
        "header-line-endless",
        Http(|connection, _| {
            connection.write_all(b"HTTP/1.1 200 OK\r\nX-Header: ")?;
            connection.flood("a")
        }),
    ),
];

fn send_with_body(
    connection: &mut Connection,
    headers: &[(&str, &str)],
    body: &str,
) -> io::Result<()> {
    send_head(connection, "200 OK", headers)?;
    connection.write_all(body.as_bytes())
}

/// Sends a body shorter than its `Content-Length`.
fn send_too_little(connection: &mut Connection) -> io::Result<()> {
    send_with_body(connection, &[TEXT, ("Content-Length", "1000")], RULES)
}

const CODING: &str = "Transfer-Encoding";
const CHUNKED: (&str, &str) = (CODING, "chunked");

/// Sends the rules as valid chunks under the given headers.
fn send_coded(connection: &mut Connection, codings: &[(&str, &str)]) -> io::Result<()> {
    let chunks = format!("{:x}\r\n{RULES}\r\n0\r\n\r\n", RULES.len());
    let mut headers = vec![TEXT];
    headers.extend_from_slice(codings);
    send_with_body(connection, &headers, &chunks)
}

/// Sends a chunked body, byte for byte as given.
fn send_chunks(connection: &mut Connection, chunks: &str) -> io::Result<()> {
    send_with_body(connection, &[TEXT, CHUNKED], chunks)
}
