//! Revisits: captures whose body is that of an earlier capture.

use verger_bulk::CaptureSettings;

use crate::warc::{Row, gzip, ok, read, read_with, record};

const URL: &str = "https://a.example/robots.txt";
const OTHER: &str = "https://www.a.example/robots.txt";
const BODY: &str = "User-agent: *\nDisallow: /a\n";

/// Returns a response in the first minute of a day, with a digest.
fn captured(url: &str, second: u8, digest: &str, body: &str) -> Vec<u8> {
    let response = format!("HTTP/1.1 200 OK\r\n\r\n{body}");
    at(second, "response", url, digest, "", &response)
}

fn revisit(second: u8, digest: &str, fields: &str, http: &str) -> Vec<u8> {
    at(second, "revisit", URL, digest, fields, http)
}

fn at(second: u8, kind: &str, url: &str, digest: &str, fields: &str, block: &str) -> Vec<u8> {
    let digest = match digest {
        "" => String::new(),
        digest => format!("WARC-Payload-Digest: {digest}\r\n"),
    };
    let record = record(kind, url, &format!("{digest}{fields}"), block.as_bytes());
    let text = String::from_utf8(record).unwrap();
    let time = format!("2026-11-01T00:00:{second:02}Z");
    text.replace("2026-11-01T02:03:04.5Z", &time).into_bytes()
}

fn refers_to(url: &str, second: u8) -> String {
    format!(
        "WARC-Refers-To-Target-URI: {url}\r\nWARC-Refers-To-Date: 2026-11-01T00:00:{second:02}Z\r\n"
    )
}

fn last(records: &[Vec<u8>]) -> Row {
    read(&gzip(records)).rows.pop().unwrap()
}

/// Returns the fields of a row that a full capture would also have.
fn of(row: Row) -> (Option<String>, Option<i32>, Option<String>, Option<i64>) {
    (row.mark, row.status, row.outcome, row.body_bytes)
}

fn resolved(status: i32) -> (Option<String>, Option<i32>, Option<String>, Option<i64>) {
    let outcome = format!("successful http {status}");
    (None, Some(status), Some(outcome), Some(27))
}

fn unresolved() -> (Option<String>, Option<i32>, Option<String>, Option<i64>) {
    (Some("revisit".to_owned()), None, None, None)
}

#[test]
fn a_revisit_has_the_body_of_what_it_refers_to() {
    let same = "HTTP/1.1 200 OK\r\nContent-Length: 27\r\n\r\n";
    for (digest, fields, http) in [
        ("sha1:A", "", same),
        ("sha1:A", "", ""),
        ("sha1:A", &*refers_to(URL, 1), same),
        ("", &*refers_to(URL, 1), ""),
        ("", &*refers_to(URL, 1), "HTTP/1.1 304 Not Modified\r\n\r\n"),
    ] {
        let file = gzip(&[
            captured(URL, 1, "sha1:A", BODY),
            revisit(2, digest, fields, http),
        ]);
        let rows = read(&file).rows;
        assert_eq!(
            of(rows[1].clone()),
            resolved(200),
            "{digest} {fields} {http}"
        );
        assert_eq!(rows[1].sha256, rows[0].sha256);
        assert_eq!(rows[1].stance, rows[0].stance);
        // The file contains the body once.
        assert_eq!((rows[0].body.is_some(), &rows[1].body), (true, &None));
        assert_eq!(rows[1].time.unwrap() - rows[0].time.unwrap(), 1_000_000);
    }
}

#[test]
fn the_status_and_headers_are_those_of_the_revisit() {
    let redirect = "HTTP/1.1 301 Moved\r\nLocation: https://www.a.example/robots.txt\r\n\r\n";
    let row = last(&[
        captured(URL, 1, "sha1:A", BODY),
        captured(OTHER, 1, "sha1:B", BODY),
        revisit(2, "sha1:A", "", redirect),
    ]);
    assert_eq!(row.redirects, Some(1));
    assert_eq!(row.final_url.as_deref(), Some(OTHER));
    let row = last(&[
        captured(URL, 1, "sha1:A", BODY),
        revisit(2, "sha1:A", "", "HTTP/1.1 203 a\r\n\r\n"),
    ]);
    assert_eq!(of(row), resolved(203));
}

#[test]
fn the_newest_capture_with_the_digest_counts_and_a_time_names_another() {
    let earlier = [
        captured(URL, 1, "sha1:A", BODY),
        captured(URL, 2, "sha1:B", "User-agent: *\n"),
        captured(URL, 3, "sha1:A", BODY),
        captured(URL, 4, "sha1:B", "User-agent: *\n"),
    ];
    let bytes = |digest: &str, fields: &str| {
        let mut records = earlier.to_vec();
        records.push(revisit(5, digest, fields, ""));
        last(&records).body_bytes
    };
    assert_eq!(bytes("sha1:A", ""), Some(27));
    assert_eq!(bytes("sha1:B", ""), Some(14));
    assert_eq!(bytes("", &refers_to(URL, 3)), Some(27));
    assert_eq!(bytes("sha1:B", &refers_to(URL, 2)), Some(14));
    // A record that contradicts itself or lacks data refers to nothing.
    assert_eq!(bytes("sha1:B", &refers_to(URL, 3)), None);
    assert_eq!(bytes("sha1:C", ""), None);
    assert_eq!(bytes("", ""), None);
    assert_eq!(bytes("sha1:A", &refers_to(URL, 9)), None);
    assert_eq!(bytes("sha1:A", &refers_to(OTHER, 1)), None);
    assert_eq!(bytes("sha1:A", "WARC-Refers-To-Target-URI: :\r\n"), None);
}

#[test]
fn what_a_revisit_refers_to_may_be_another_revisit_or_another_url() {
    let row = last(&[
        captured(OTHER, 1, "sha1:A", BODY),
        revisit(2, "sha1:A", &refers_to(OTHER, 1), ""),
        revisit(3, "sha1:A", &refers_to(URL, 2), ""),
    ]);
    assert_eq!(of(row), resolved(200));
}

#[test]
fn a_redirect_leads_to_a_revisit() {
    let redirect = "HTTP/1.1 301 a\r\nLocation: /robots.txt\r\n\r\n";
    let from = "http://a.example/robots.txt";
    let redirect = redirect.replace("/robots.txt", URL);
    let rows = read(&gzip(&[
        captured(OTHER, 1, "sha1:A", BODY),
        at(2, "response", from, "", "", &redirect),
        revisit(3, "sha1:A", &refers_to(OTHER, 1), ""),
    ]));
    assert_eq!(of(rows.rows[1].clone()), resolved(200));
    assert_eq!(rows.rows[1].redirects, Some(1));
}

#[test]
fn what_is_not_there_is_marked() {
    // No capture before it, a page that was not read completely, and a capture that has left the
    // window.
    assert_eq!(of(last(&[revisit(2, "sha1:A", "", "")])), unresolved());
    let cut = at(
        1,
        "response",
        URL,
        "sha1:A",
        "",
        "HTTP/1.1 200 a\r\nContent-Length: 9\r\n\r\na",
    );
    assert_eq!(of(last(&[cut, revisit(2, "sha1:A", "", "")])), unresolved());
    let other = |nth| ok(&format!("https://h{nth}.example/robots.txt"), BODY);
    let mut records = vec![captured(URL, 1, "sha1:A", BODY)];
    records.extend((0..100).map(other));
    records.push(revisit(2, "sha1:A", "", ""));
    let read = |window_bytes| {
        let mut settings = CaptureSettings::default();
        settings.window_bytes = window_bytes;
        of(read_with(&gzip(&records), settings).rows.pop().unwrap())
    };
    assert_eq!(read(1024 * 1024), resolved(200));
    assert_eq!(read(8 * 1024), unresolved());
}
