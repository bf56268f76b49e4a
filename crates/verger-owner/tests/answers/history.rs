//! `history_json`: the history of a site.

use serde_json::{Value, json};
use verger_access::{Authority, Timestamp};
use verger_owner::{HistoryDetail, history_json};
use verger_store::MemoryStore;

use crate::past::{Past, day};

const FIRST: &str = "User-agent: *\nDisallow: /a\nDisallow: /b\n";
const SECOND: &str = "User-agent: *\nDisallow: /a\nDisallow: /c\nDisallow: /d\n";
const SITE: &str = "https://h.example/";

fn history(past: &Past<MemoryStore>, diff: bool, facts: bool) -> Vec<Value> {
    let (site, end) = (Authority::from_url(SITE).unwrap(), u64::MAX);
    let during = Timestamp::default()..Timestamp::from_unix_seconds(end);
    let text = history_json(&past.store, &site, during, HistoryDetail { diff, facts }).unwrap();
    let lines = text.lines();
    lines.map(|it| serde_json::from_str(it).unwrap()).collect()
}

#[test]
fn each_snapshot_says_what_changed() {
    let mut past = Past::within(MemoryStore::new(1 << 20), SITE);
    past.body(day(1), FIRST);
    past.not_modified(day(2));
    past.body(day(3), FIRST);
    past.body(day(4), SECOND);
    past.status(day(5), 404);
    past.status(day(6), 404);
    past.body(day(7), FIRST);
    let lines = history(&past, true, false);
    let bodies: Vec<&Value> = lines.iter().map(|line| &line["change"]["body"]).collect();
    let expected = [
        "first", "renewed", "same", "changed", "none", "none", "changed",
    ];
    assert_eq!(bodies, expected);
    let of = |line: usize, pointer: &str| lines[line].pointer(pointer).unwrap();
    let expected = [
        (0, "/schema", json!("verger.history/1")),
        (0, "/change/since", Value::Null),
        (0, "/diff", Value::Null),
        (3, "/ended_at", json!("2026-09-25T14:13:20Z")),
        (3, "/change/lines_added", json!(2)),
        (3, "/change/lines_removed", json!(1)),
        (3, "/same_meaning", json!(false)),
        (4, "/outcome", json!("error http 404")),
        (4, "/change/outcome_before", json!("successful http 200")),
        (4, "/body_sha256", Value::Null),
        (4, "/same_meaning", Value::Null),
    ];
    for (line, pointer, value) in expected {
        assert_eq!(of(line, pointer), &value, "{line} {pointer}");
    }
    let diff = of(3, "/diff").as_str().unwrap();
    assert!(diff.starts_with("@@ -1,3 +1,4 @@\n"), "{diff}");
    assert!(history(&past, false, false)[3].get("diff").is_none());
    // The memory store keeps no facts.
    assert!(of(3, "/hops/0").get("facts").is_none());
    assert_eq!(
        history(&past, false, true)[3]["hops"][0]["facts"],
        Value::Null
    );
}

/// The history has more snapshots than one read of the store returns.
#[test]
fn a_long_history_is_whole() {
    let mut past = Past::within(MemoryStore::new(1 << 20), SITE);
    for number in 0..600 {
        past.status(day(0) + number, 404);
    }
    let lines = history(&past, false, false);
    assert_eq!(lines.len(), 600);
    assert_eq!(lines[599]["change"]["since"], 599);
}
