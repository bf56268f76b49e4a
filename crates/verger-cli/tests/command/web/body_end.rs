//! Whether a fetched body was cut at 512,000 bytes is reported by the fetch, and later from the store.

use std::path::Path;

use serde_json::Value;

use crate::server::{Server, new_store, on_store, on_web, reply};

const LIMIT: usize = 512_000;

/// Returns a file of that many bytes with one rule at its start.
fn of_bytes(bytes: usize) -> String {
    let start = "User-agent: *\nDisallow: /x\n";
    let comment = "#23456789\n".repeat((bytes - start.len()) / 10);
    let rest = bytes - start.len() - comment.len();
    format!("{start}{comment}{}\n", "#".repeat(rest - 1))
}

fn with_tag(body: &str) -> String {
    reply(
        "200 OK",
        "Content-Type: text/plain\r\nETag: \"v1\"\r\n",
        body,
    )
}

fn not_modified() -> String {
    reply("304 Not Modified", "ETag: \"v1\"\r\n", "")
}

/// Asserts whether the answer to `arguments` has the warning, as JSON and for readers.
#[track_caller]
fn assert_cut(store: &Path, arguments: &str, is_cut: bool) {
    let said = on_web(store, &format!("{arguments} --json")).quietly(1);
    let answer: Value = serde_json::from_str(&said).unwrap();
    let kinds: Vec<_> = answer["warnings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|warning| warning["kind"].as_str().unwrap())
        .collect();
    let expected: &[&str] = if is_cut { &["body-cut"] } else { &[] };
    assert_eq!(kinds, expected, "{arguments}");
    let said = on_web(store, arguments);
    assert_eq!(said.code, 1, "{said:?}");
    let has_warning = said.stderr.contains("512,000");
    assert_eq!(has_warning, is_cut, "{said:?}");
}

#[test]
fn a_cut_body_is_warned_about_when_fetched_and_from_the_store() {
    let server = Server::saying(with_tag(&of_bytes(600_000)));
    let store = new_store("cut");
    let url = server.url("/x");
    // The first run fetches it, the others read the store.
    assert_cut(&store, &format!("check {url}"), true);
    assert_cut(&store, &format!("check {url}"), true);
    assert_cut(&store, &format!("check --offline {url}"), true);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn a_cut_body_is_warned_about_after_it_was_confirmed() {
    let server = Server::saying(with_tag(&of_bytes(600_000)));
    let store = new_store("cut-confirmed");
    let url = server.url("/x");
    assert_eq!(on_web(&store, &format!("check {url}")).code, 1);
    server.say(not_modified());
    assert_cut(&store, &format!("check --refresh {url}"), true);
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    for request in &requests[1..] {
        assert!(
            request.to_lowercase().contains("if-none-match: \"v1\""),
            "{request}"
        );
    }
    let history = on_store(&store, &format!("history --json {url}")).quietly(0);
    assert_eq!(history.matches("http 304").count(), 4, "{history}");
    // From the store.
    assert_cut(&store, &format!("check {url}"), true);
    assert_cut(&store, &format!("check --offline {url}"), true);
    // The copy is used while the server fails.
    server.say(reply("500 Internal Server Error", "", ""));
    assert_cut(&store, &format!("check --refresh {url}"), true);
}

#[test]
fn a_body_that_fits_is_not_warned_about() {
    let server = Server::saying(with_tag(&of_bytes(LIMIT)));
    let store = new_store("fits");
    let url = server.url("/x");
    assert_cut(&store, &format!("check --refresh {url}"), false);
    server.say(not_modified());
    assert_cut(&store, &format!("check --refresh {url}"), false);
    assert_cut(&store, &format!("check --offline {url}"), false);
    // Of two bodies, the one in force counts.
    server.say(with_tag(&of_bytes(LIMIT + 1)));
    assert_cut(&store, &format!("check --refresh {url}"), true);
    server.say(with_tag(&of_bytes(LIMIT - 1)));
    assert_cut(&store, &format!("check --refresh {url}"), false);
    assert_cut(&store, &format!("check {url}"), false);
}
