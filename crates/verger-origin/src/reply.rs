//! Complete replies for scripts.

use std::io::{self, Write};

use super::connection::Connection;

/// The content type of a regular file.
pub(super) const TEXT: (&str, &str) = ("Content-Type", "text/plain; charset=utf-8");

/// Sends a reply. `status` is the code and the reason phrase.
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

/// Sends a reply head with only these headers and `Connection: close`.
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

/// Sends an HTML page.
pub(super) fn send_page(connection: &mut Connection, status: &str) -> io::Result<()> {
    send_page_with(connection, status, &[])
}

/// Sends an HTML page with more headers.
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
