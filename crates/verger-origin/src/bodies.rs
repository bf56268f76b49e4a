//! Successful replies with unusual bodies.

use std::io::{self, Write};

use super::connection::Connection;
use super::reply::{TEXT, send, send_head};
use super::robots_file::{COMMENT, RULES, file_of, send_rules};
use super::script::NamedScript;
use super::script::Script::Http;

pub(super) const SCRIPTS: &[NamedScript] = &[
    ("usual", Http(|connection, _| send_rules(connection))),
    (
        "body-empty",
        Http(|connection, _| send_body(connection, b"")),
    ),
    (
        "body-512000",
        Http(|connection, _| send_body(connection, &file_of(512_000, "Disallow: /last/\n"))),
    ),
    (
        "body-600000",
        Http(|connection, _| {
            send_body(
                connection,
                &file_of(600_000, "Disallow: /after-the-limit/\n"),
            )
        }),
    ),
    (
        "body-endless",
        Http(|connection, _| send_endless(connection, COMMENT)),
    ),
    (
        "body-endless-line",
        Http(|connection, _| send_endless(connection, "#")),
    ),
    (
        "type-wrong",
        Http(|connection, _| {
            let of_type = [("Content-Type", "application/octet-stream")];
            send(connection, "200 OK", &of_type, RULES.as_bytes())
        }),
    ),
    (
        "type-missing",
        Http(|connection, _| send(connection, "200 OK", &[], RULES.as_bytes())),
    ),
    ("html", Http(|connection, _| send_html(connection))),
    (
        "html-challenge",
        Http(|connection, _| send_page(connection, "200 OK", CHALLENGE)),
    ),
    (
        "html-soft-404",
        Http(|connection, _| send_page(connection, "202 Accepted", SOFT_404)),
    ),
    (
        "byte-order-mark",
        Http(|connection, _| send_body(connection, format!("\u{FEFF}{RULES}").as_bytes())),
    ),
    (
        "line-ends-cr",
        Http(|connection, _| send_body(connection, RULES.replace('\n', "\r").as_bytes())),
    ),
    (
        "latin-1",
        Http(|connection, _| send_body(connection, LATIN_1)),
    ),
    (
        "utf-16",
        Http(|connection, _| send_body(connection, &utf_16())),
    ),
    (
        "nul-bytes",
        Http(|connection, _| send_body(connection, format!("\0\0\n{RULES}\0\n").as_bytes())),
    ),
];

/// The rules, and a path that is not UTF-8.
const LATIN_1: &[u8] = b"User-agent: *\nDisallow: /caf\xE9/\nDisallow: /private/\n";

fn send_body(connection: &mut Connection, body: &[u8]) -> io::Result<()> {
    send(connection, "200 OK", &[TEXT], body)
}

/// Sends the rules, then repeats `with` forever.
fn send_endless(connection: &mut Connection, with: &str) -> io::Result<()> {
    send_head(connection, "200 OK", &[TEXT])?;
    connection.write_all(RULES.as_bytes())?;
    connection.flood(with)
}

/// Sends a page that redirects a browser, with the rules on their own lines.
fn send_html(connection: &mut Connection) -> io::Result<()> {
    let page = format!(
        "<!doctype html>\n<meta http-equiv=\"refresh\" content=\"0; url=/elsewhere\">\n<pre>\n{RULES}</pre>\n"
    );
    send_page(connection, "200 OK", &page)
}

/// A page that makes a browser run a script first.
const CHALLENGE: &str = "<!doctype html>\n<title>Just a moment...</title>\n<script>\nallowCookies: \
                         true\n</script>\n<p>Enable JavaScript and cookies to continue</p>\n";

/// A "not found" page that is served with a success status.
const SOFT_404: &str = "<!doctype html>\n<title>Page not found</title>\n";

fn send_page(connection: &mut Connection, status: &str, page: &str) -> io::Result<()> {
    let of_type = [("Content-Type", "text/html; charset=utf-8")];
    send(connection, status, &of_type, page.as_bytes())
}

/// Returns the rules in little-endian UTF-16 with a byte order mark.
fn utf_16() -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(RULES.encode_utf16());
    units.flat_map(u16::to_le_bytes).collect()
}
