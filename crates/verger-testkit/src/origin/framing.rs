//! Replies that are not HTTP, or not whole.

use std::io::{self, Write};

use super::connection::{Connection, Ending};
use super::reply::{TEXT, send_head};
use super::robots_file::RULES;
use super::script::NamedScript;
use super::script::Script::{Absent, Http, Raw};

/// The scripts.
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
            connection.flood("X-Header: of forty octets, and no more\r\n")
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

/// Less than the length says.
fn send_too_little(connection: &mut Connection) -> io::Result<()> {
    send_with_body(connection, &[TEXT, ("Content-Length", "1000")], RULES)
}

/// A body in chunks, as it is.
fn send_chunks(connection: &mut Connection, chunks: &str) -> io::Result<()> {
    send_with_body(
        connection,
        &[TEXT, ("Transfer-Encoding", "chunked")],
        chunks,
    )
}
