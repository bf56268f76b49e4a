//! The usual file with cache headers.

use std::time::SystemTime;

use super::connection::Connection;
use super::reply::send_head;
use super::request_head::RequestHead;
use super::robots_file::send_rules_with;
use super::script::NamedScript;
use super::script::Script::Http;

pub(super) const SCRIPTS: &[NamedScript] = &[
    ("entity-tag", Http(send_tagged)),
    (
        "max-age-0",
        Http(|connection, _| send_rules_with(connection, &[("Cache-Control", "max-age=0")])),
    ),
    (
        "max-age-60",
        Http(|connection, _| send_rules_with(connection, &[("Cache-Control", "max-age=60")])),
    ),
    (
        "max-age-172800",
        Http(|connection, _| send_rules_with(connection, &[("Cache-Control", "max-age=172800")])),
    ),
    (
        "max-age-huge",
        Http(|connection, _| {
            let huge = [("Cache-Control", "max-age=99999999999999999999")];
            send_rules_with(connection, &huge)
        }),
    ),
    (
        "max-age-beside-unreadable",
        Http(|connection, _| {
            let value = "max-age=3600, x-caf\u{e9}";
            send_rules_with(connection, &[("Cache-Control", value)])
        }),
    ),
    (
        "no-store",
        Http(|connection, _| send_rules_with(connection, &[("Cache-Control", "no-store")])),
    ),
    (
        "no-store-beside-control",
        Http(|connection, _| send_rules_with(connection, &[("Cache-Control", "no-store, \u{1}")])),
    ),
    (
        "expires-in-the-past",
        Http(|connection, _| {
            let date = httpdate::fmt_http_date(SystemTime::now());
            let past = [
                ("Date", date.as_str()),
                ("Expires", "Thu, 01 Jan 1970 00:00:00 GMT"),
            ];
            send_rules_with(connection, &past)
        }),
    ),
    (
        "age",
        Http(|connection, _| {
            send_rules_with(
                connection,
                &[("Cache-Control", "max-age=3600"), ("Age", "600")],
            )
        }),
    ),
];

/// The entity tag of the file.
const TAG: &str = "\"one\"";

/// Sends the file, or 304 if the client already has it.
fn send_tagged(connection: &mut Connection, head: &RequestHead) -> std::io::Result<()> {
    let headers = [("ETag", TAG)];
    if head
        .header("if-none-match")
        .is_some_and(|tags| tags.contains(TAG))
    {
        return send_head(connection, "304 Not Modified", &headers);
    }
    send_rules_with(connection, &headers)
}
