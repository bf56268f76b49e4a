//! Complete replies without a file or with an unusual status.

use std::io::{self, Write};
use std::time::{Duration, SystemTime};

use super::connection::Connection;
use super::reply::{TEXT, send, send_head, send_page, send_page_with};
use super::robots_file::{RULES, send_rules};
use super::script::NamedScript;
use super::script::Script::Http;

pub(super) const SCRIPTS: &[NamedScript] = &[
    (
        "status-204",
        Http(|connection, _| send_head(connection, "204 No Content", &[])),
    ),
    (
        "status-206",
        Http(|connection, _| send_part(connection, RULES)),
    ),
    (
        "status-206-part",
        Http(|connection, _| send_part(connection, &RULES[..RULES.len() / 2])),
    ),
    (
        "status-304",
        Http(|connection, _| send_head(connection, "304 Not Modified", &[])),
    ),
    (
        "status-400",
        Http(|connection, _| send_page(connection, "400 Bad Request")),
    ),
    (
        "status-401",
        Http(|connection, _| {
            let challenge = [("WWW-Authenticate", "Basic realm=\"origin\"")];
            send_page_with(connection, "401 Unauthorized", &challenge)
        }),
    ),
    (
        "status-402",
        Http(|connection, _| send_page(connection, "402 Payment Required")),
    ),
    (
        "status-403",
        Http(|connection, _| send_page(connection, "403 Forbidden")),
    ),
    (
        "status-404",
        Http(|connection, _| send_page(connection, "404 Not Found")),
    ),
    (
        "status-404-with-rules",
        Http(|connection, _| {
            send(
                connection,
                "404 Not Found",
                &[TEXT],
                b"User-agent: *\nDisallow: /\n",
            )
        }),
    ),
    (
        "status-410",
        Http(|connection, _| send_page(connection, "410 Gone")),
    ),
    (
        "status-418",
        Http(|connection, _| send_page(connection, "418 I'm a teapot")),
    ),
    (
        "status-429",
        Http(|connection, _| send_page(connection, TOO_MANY)),
    ),
    (
        "status-429-seconds",
        Http(|connection, _| send_retry(connection, TOO_MANY, "120")),
    ),
    (
        "status-429-date",
        Http(|connection, _| send_retry_date(connection)),
    ),
    (
        "status-429-nonsense",
        Http(|connection, _| send_retry(connection, TOO_MANY, "after lunch")),
    ),
    (
        "status-451",
        Http(|connection, _| send_page(connection, "451 Unavailable For Legal Reasons")),
    ),
    (
        "status-500",
        Http(|connection, _| send_page(connection, "500 Internal Server Error")),
    ),
    (
        "status-500-not-found",
        Http(|connection, _| send_error(connection, SERVER_ERROR, NOT_FOUND, &[])),
    ),
    (
        "status-503-not-found",
        Http(|connection, _| send_error(connection, "503 Service Unavailable", NOT_FOUND, &[])),
    ),
    (
        "status-500-not-found-retry-after",
        Http(|connection, _| {
            let retry = [("Retry-After", "120")];
            send_error(connection, SERVER_ERROR, NOT_FOUND, &retry)
        }),
    ),
    (
        "status-500-module-not-found",
        Http(|connection, _| {
            let error = "<!doctype html>\n<title>Error: module robots.js not found</title>\n";
            send_error(connection, SERVER_ERROR, error, &[])
        }),
    ),
    (
        "status-502",
        Http(|connection, _| send_page(connection, "502 Bad Gateway")),
    ),
    (
        "status-503",
        Http(|connection, _| send_page(connection, BUSY)),
    ),
    (
        "status-503-seconds",
        Http(|connection, _| send_retry(connection, BUSY, "1800")),
    ),
    (
        "status-503-at-once",
        Http(|connection, _| send_retry(connection, BUSY, "0")),
    ),
    (
        "status-503-in-a-year",
        Http(|connection, _| send_retry(connection, BUSY, "31536000")),
    ),
    (
        "status-599",
        Http(|connection, _| send_page(connection, "599 Beyond")),
    ),
    (
        "status-600",
        Http(|connection, _| send_page(connection, "600 Beyond")),
    ),
    (
        "status-999",
        Http(|connection, _| send_page(connection, "999 Request Denied")),
    ),
    (
        "status-two-digits",
        Http(|connection, _| send_page(connection, "99 Odd")),
    ),
    (
        "status-no-number",
        Http(|connection, _| send_page(connection, "abc Odd")),
    ),
    (
        "interim-then-file",
        Http(|connection, _| {
            connection.write_all(b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n")?;
            send_rules(connection)
        }),
    ),
    (
        "interim-only",
        Http(|connection, _| connection.write_all(CONTINUE.as_bytes())),
    ),
    (
        "interim-flood",
        Http(|connection, _| connection.flood(CONTINUE)),
    ),
    (
        "status-101",
        Http(|connection, _| {
            connection.write_all(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
            )
        }),
    ),
];

const TOO_MANY: &str = "429 Too Many Requests";
const BUSY: &str = "503 Service Unavailable";
const CONTINUE: &str = "HTTP/1.1 100 Continue\r\n\r\n";

/// Sends the start of the file, or all of it, as if a range had been requested.
fn send_part(connection: &mut Connection, part: &str) -> io::Result<()> {
    let range = format!("bytes 0-{}/{}", part.len() - 1, RULES.len());
    let headers = [TEXT, ("Content-Range", range.as_str())];
    send(connection, "206 Partial Content", &headers, part.as_bytes())
}

fn send_retry(connection: &mut Connection, status: &str, after: &str) -> io::Result<()> {
    send_page_with(connection, status, &[("Retry-After", after)])
}

/// Sends a `Retry-After` date two minutes after the `Date` of the reply.
fn send_retry_date(connection: &mut Connection) -> io::Result<()> {
    let now = SystemTime::now();
    let date = httpdate::fmt_http_date(now);
    let retry = httpdate::fmt_http_date(now + Duration::from_secs(120));
    send_page_with(
        connection,
        TOO_MANY,
        &[("Date", &date), ("Retry-After", &retry)],
    )
}

const SERVER_ERROR: &str = "500 Internal Server Error";

/// A page that some servers send with a status other than 404.
const NOT_FOUND: &str = "<!doctype html>\n<title>Page not found</title>\n";

fn send_error(
    connection: &mut Connection,
    status: &str,
    page: &str,
    headers: &[(&str, &str)],
) -> io::Result<()> {
    let mut all = vec![("Content-Type", "text/html; charset=utf-8")];
    all.extend_from_slice(headers);
    send(connection, status, &all, page.as_bytes())
}
