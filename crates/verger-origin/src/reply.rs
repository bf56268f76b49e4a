//! Whole replies, for scripts to send.

use std::io::{self, Write};

use super::connection::Connection;

/// The content type of a good file.
pub(super) const TEXT: (&str, &str) = ("Content-Type", "text/plain; charset=utf-8");

/// Sends a whole reply; `status` is the number with its reason.
pub(super) fn send(
    connection: &mut Connection,
    status: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> io::Result<()> {
    let length = body.len().to_string();
    let mut all = headers.to_vec();
    all.push(("Content-Length", &length));
    send_head(connection, status, &all)?;
    connection.write_all(body)
}

/// Sends the head of a reply: what these headers do not say is not said.
pub(super) fn send_head(
    connection: &mut Connection,
    status: &str,
    headers: &[(&str, &str)],
) -> io::Result<()> {
    let mut head = format!("HTTP/1.1 {status}\r\n");
    for (name, value) in headers {
        head.extend([*name, ": ", *value, "\r\n"]);
    }
    head.push_str("Connection: close\r\n\r\n");
    connection.write_all(head.as_bytes())
}

/// Sends a page for people.
pub(super) fn send_page(connection: &mut Connection, status: &str) -> io::Result<()> {
    send_page_with(connection, status, &[])
}

/// The same, with headers of its own.
pub(super) fn send_page_with(
    connection: &mut Connection,
    status: &str,
    headers: &[(&str, &str)],
) -> io::Result<()> {
    let page = format!("<!doctype html>\n<title>{status}</title>\n");
    let mut all = vec![("Content-Type", "text/html; charset=utf-8")];
    all.extend_from_slice(headers);
    send(connection, status, &all, page.as_bytes())
}
