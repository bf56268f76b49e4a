use std::io::{self, Write};

use super::certificates::Presented;
use super::connection::Connection;
use super::reply::{send, send_head};
use super::request_head::RequestHead;
use super::robots_file::{COMMENT, send_rules};
use super::script::NamedScript;
use super::script::Script::{Http, Https};

pub(super) const SCRIPTS: &[NamedScript] = &[
    (
        "redirects-1",
        Http(|connection, head| send_chain(connection, head, 1)),
    ),
    (
        "redirects-2",
        Http(|connection, head| send_chain(connection, head, 2)),
    ),
    (
        "redirects-3",
        Http(|connection, head| send_chain(connection, head, 3)),
    ),
    (
        "redirects-4",
        Http(|connection, head| send_chain(connection, head, 4)),
    ),
    (
        "redirects-5",
        Http(|connection, head| send_chain(connection, head, 5)),
    ),
    (
        "redirects-6",
        Http(|connection, head| send_chain(connection, head, 6)),
    ),
    (
        "redirects-7",
        Http(|connection, head| send_chain(connection, head, 7)),
    ),
    (
        "redirects-8",
        Http(|connection, head| send_chain(connection, head, 8)),
    ),
    (
        "redirects-20",
        Http(|connection, head| send_chain(connection, head, 20)),
    ),
    (
        "redirects-21",
        Http(|connection, head| send_chain(connection, head, 21)),
    ),
    (
        "redirects-endless",
        Http(|connection, head| send_chain(connection, head, usize::MAX)),
    ),
    ("redirect-kinds", Http(send_kinds)),
    ("redirect-loop", Http(send_loop)),
    (
        "redirect-to-itself",
        Http(|connection, _| send_redirect(connection, "/robots.txt")),
    ),
    (
        "redirect-other-port",
        Http(|connection, _| {
            let host = connection.site().settings.host.clone();
            send_redirect_to_usual(connection, &host, "/robots.txt")
        }),
    ),
    (
        "redirect-other-host",
        Http(|connection, _| {
            let host = connection.site().settings.other_host.clone();
            send_redirect_to_usual(connection, &host, "/robots.txt")
        }),
    ),
    (
        "redirect-disallowed",
        Http(|connection, _| {
            let host = connection.site().settings.host.clone();
            send_redirect_to_usual(connection, &host, "/private/rules.txt")
        }),
    ),
    (
        "redirect-https-to-http",
        Https(Presented::Good, |connection, _| {
            let host = connection.site().settings.host.clone();
            send_redirect_to_usual(connection, &host, "/robots.txt")
        }),
    ),
    (
        "redirect-endless-body",
        Http(|connection, head| {
            if head.path() != "/robots.txt" {
                return send_rules(connection);
            }
            send_head(connection, MOVED, &[("Location", "/1")])?;
            connection.flood(COMMENT)
        }),
    ),
    (
        "redirect-to-link-local",
        Http(|connection, _| send_redirect(connection, "http://169.254.169.254/robots.txt")),
    ),
    (
        "redirect-to-ipv6-loopback",
        Http(|connection, _| send_redirect(connection, "http://[::1]/robots.txt")),
    ),
    (
        "redirect-to-mapped-address",
        Http(|connection, _| send_redirect(connection, "http://[::ffff:10.0.0.1]/robots.txt")),
    ),
    (
        "redirect-to-nat64",
        Http(|connection, _| send_redirect(connection, "http://[64:ff9b::7f00:1]/robots.txt")),
    ),
    (
        "redirect-to-decimal-address",
        Http(|connection, _| send_redirect(connection, "http://2130706433/robots.txt")),
    ),
    (
        "redirect-to-file",
        Http(|connection, _| send_redirect(connection, "file:///etc/hosts")),
    ),
    (
        "redirect-to-data",
        Http(|connection, _| send_redirect(connection, "data:text/plain,User-agent:%20*")),
    ),
    (
        "redirect-to-bad-port",
        Http(|connection, _| {
            let host = connection.site().settings.host.clone();
            send_redirect(connection, &format!("http://{host}:25/robots.txt"))
        }),
    ),
    (
        "location-empty",
        Http(|connection, _| send_redirect(connection, "")),
    ),
    (
        "location-bad",
        Http(|connection, _| send_redirect(connection, "http://")),
    ),
    (
        "redirect-to-ftp",
        Http(|connection, _| {
            let site = connection.site();
            let url = site
                .url(&site.settings.host, "ftp-usual")
                .unwrap_or_default();
            send_redirect(connection, &url)
        }),
    ),
    (
        "location-missing",
        Http(|connection, _| send(connection, MOVED, &[], b"")),
    ),
    (
        "location-twice",
        Http(|connection, _| {
            let headers = [("Location", "/1"), ("Location", "/2")];
            send(connection, MOVED, &headers, b"")
        }),
    ),
    (
        "location-not-utf8",
        Http(|connection, _| {
            connection.write_all(b"HTTP/1.1 301 Moved Permanently\r\nLocation: /caf\xE9\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }),
    ),
    (
        "status-305",
        Http(|connection, _| {
            send(
                connection,
                "305 Use Proxy",
                &[("Location", "http://proxy.example/")],
                b"",
            )
        }),
    ),
];

const MOVED: &str = "301 Moved Permanently";

fn send_redirect(connection: &mut Connection, location: &str) -> io::Result<()> {
    send(connection, MOVED, &[("Location", location)], b"")
}

/// Redirects to the usual file, at this host name and path.
fn send_redirect_to_usual(connection: &mut Connection, host: &str, path: &str) -> io::Result<()> {
    let url = connection.site().url(host, "usual").unwrap_or_default();
    let url = url.replace("/robots.txt", path);
    send_redirect(connection, &url)
}

/// Returns the number of redirects that led to this request.
fn step(head: &RequestHead) -> usize {
    head.path().trim_start_matches('/').parse().unwrap_or(0)
}

/// Redirects `/robots.txt` to `/1`, `/1` to `/2` and so on. The last URL serves the file.
fn send_chain(connection: &mut Connection, head: &RequestHead, redirects: usize) -> io::Result<()> {
    let step = step(head);
    if step < redirects {
        send_redirect(connection, &format!("/{}", step + 1))
    } else {
        send_rules(connection)
    }
}

/// Redirects once with each redirect status, then serves the file.
fn send_kinds(connection: &mut Connection, head: &RequestHead) -> io::Result<()> {
    let statuses = [
        MOVED,
        "302 Found",
        "303 See Other",
        "307 Temporary Redirect",
        "308 Permanent Redirect",
    ];
    let step = step(head);
    match statuses.get(step) {
        Some(status) => {
            let next = format!("{}", step + 1);
            send(connection, status, &[("Location", &next)], b"")
        }
        None => send_rules(connection),
    }
}

/// Redirects two URLs to each other.
fn send_loop(connection: &mut Connection, head: &RequestHead) -> io::Result<()> {
    let next = if head.path() == "/robots.txt" {
        "/1"
    } else {
        "/robots.txt"
    };
    send_redirect(connection, next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_a_number_in_the_path() {
        let step_of = |path: &str| {
            let head = format!("GET {path} HTTP/1.1\r\n\r\n");
            step(&RequestHead::whole(head.as_bytes()).unwrap())
        };
        assert_eq!(
            (step_of("/robots.txt"), step_of("/7"), step_of("/x")),
            (0, 7, 0)
        );
    }
}
