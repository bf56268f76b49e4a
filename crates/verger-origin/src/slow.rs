//! Slow and endless replies.

use std::io::{self, Write};

use super::connection::Connection;
use super::reply::{TEXT, send_head};
use super::robots_file::RULES;
use super::script::NamedScript;
use super::script::Script::Http;

pub(super) const SCRIPTS: &[NamedScript] = &[
    ("hang-before-head", Http(|connection, _| connection.hang())),
    (
        "hang-in-head",
        Http(|connection, _| {
            connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Ty")?;
            connection.hang()
        }),
    ),
    (
        "hang-in-body",
        Http(|connection, _| {
            send_head(connection, "200 OK", &[TEXT, ("Content-Length", "1000")])?;
            connection.write_all(RULES.as_bytes())?;
            connection.hang()
        }),
    ),
    (
        "drip-in-head",
        Http(|connection, _| {
            connection.write_all(b"HTTP/1.1 200 OK\r\nX-Header: ")?;
            drip(connection)
        }),
    ),
    (
        "drip-in-body",
        Http(|connection, _| {
            send_head(connection, "200 OK", &[TEXT])?;
            connection.write_all(b"#")?;
            drip(connection)
        }),
    ),
    (
        "drip-in-page-404",
        Http(|connection, _| drip_page(connection, "404 Not Found", &[])),
    ),
    (
        "drip-in-page-500",
        Http(|connection, _| drip_page(connection, "500 Internal Server Error", &[])),
    ),
    (
        "drip-in-page-503",
        Http(|connection, _| {
            let pause = [("Retry-After", "600")];
            drip_page(connection, "503 Service Unavailable", &pause)
        }),
    ),
    (
        "hang-in-page-503",
        Http(|connection, _| {
            let pause = [("Retry-After", "600"), ("Content-Length", "1000")];
            send_head(connection, "503 Service Unavailable", &pause)?;
            connection.write_all(b"Busy")?;
            connection.hang()
        }),
    ),
];

/// Sends an error page, one byte at a time.
fn drip_page(
    connection: &mut Connection,
    status: &str,
    headers: &[(&str, &str)],
) -> io::Result<()> {
    send_head(connection, status, headers)?;
    drip(connection)
}

/// Sends one byte at a time, forever.
fn drip(connection: &mut Connection) -> io::Result<()> {
    loop {
        connection.write_all(b"a")?;
        connection.flush()?;
        connection.pause()?;
    }
}
