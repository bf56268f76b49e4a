//! URLs with times: each gets the capture in force then, as in the access method.

use std::time::Duration;

use serde_json::json;
use verger_access::{Profile, Timestamp};
use verger_bulk::{Checker, When};

use crate::captured::{Row, leave_out_first, lines, row, rows, source, source_of, write_captures};

const DAY: i64 = 24 * 60 * 60;
const START: i64 = 1_790_000_000;
const SITE: &str = "https://a.example";

fn captures() -> Vec<Row> {
    vec![
        row(
            SITE,
            START,
            "successful http 200",
            Some("User-agent: *\nDisallow: /a\n"),
        ),
        row(
            SITE,
            START + 10 * DAY,
            "successful http 200",
            Some("User-agent: *\nDisallow: /b\n"),
        ),
        row(SITE, START + 20 * DAY, "error http 404", None),
        row("https://down.example", START, "error http 503", None),
        row(
            "https://was.example",
            START,
            "successful http 200",
            Some("User-agent: *\nDisallow: /a\n"),
        ),
        row("https://was.example", START + 60, "error http 503", None),
        row(
            "https://down.example",
            START + 30 * DAY,
            "error http 503",
            None,
        ),
    ]
}

fn rfc9309() -> Profile {
    "rfc9309".parse().unwrap()
}

/// Returns allowed, reason, stance, line and capture time for each URL and time.
fn said(profile: Profile, asked: &[(&str, i64)]) -> Vec<serde_json::Value> {
    let reading = profile.reading;
    let source = source(&captures(), profile, &["x"], 2);
    let checker = Checker::new(&source, vec!["x".into()], reading, When::Newest);
    let urls = rows(
        asked
            .iter()
            .map(|(url, time)| (url.as_bytes(), Some(*time))),
    );
    let lines = lines(&checker, &urls);
    let keys = ["allowed", "reason", "stance", "line", "capture_offset"];
    lines
        .iter()
        .map(|line| keys.iter().map(|key| line[key].clone()).collect())
        .collect()
}

#[test]
fn a_url_meets_the_capture_before_it() {
    let url = "https://a.example/a";
    let asked = [
        START - 1,
        START,
        START + 60,
        START + 10 * DAY,
        START + 20 * DAY,
    ]
    .map(|time| (url, time));
    let none = json!(null);
    let expected = [
        json!([none, "no-body", none, none, none]),
        json!([false, "rule", "rules", 2, 0]),
        json!([false, "rule", "rules", 2, 0]),
        json!([true, "no-rule", "rules", none, 100]),
        json!([true, "stance", "open", none, 200]),
    ];
    assert_eq!(said(rfc9309(), &asked), expected);
    // In any other order, with other URLs between them, the answers are the same.
    let other = ("https://b.example/", START);
    let mixed = [
        asked[3], other, asked[0], asked[4], asked[1], other, asked[2],
    ];
    let unknown = json!([none, "no-body", none, none, none]);
    let expected = [
        &expected[3],
        &unknown,
        &expected[0],
        &expected[4],
        &expected[1],
        &unknown,
        &expected[2],
    ];
    assert_eq!(said(rfc9309(), &mixed).iter().collect::<Vec<_>>(), expected);
}

#[test]
fn what_has_expired_defers_unless_it_is_held() {
    let asked = [
        ("https://a.example/a", START + 2 * DAY),
        ("https://a.example/robots.txt", START + 2 * DAY),
    ];
    let none = json!(null);
    let expected = [
        json!([false, "stance", "defer", none, 0]),
        json!([true, "robots-txt", "defer", none, 0]),
    ];
    assert_eq!(said(rfc9309(), &asked), expected);
    let held = rfc9309().with_lifetime(Duration::from_secs(30 * 86_400));
    let expected = [
        json!([false, "rule", "rules", 2, 0]),
        json!([true, "robots-txt", "rules", none, 0]),
    ];
    assert_eq!(said(held, &asked), expected);
}

/// V-60, R9309-2.3.1.4-2. Time alone opens nothing: after a day or the lifetime, nothing is known.
#[test]
fn a_failure_decides_for_a_day_and_opens_where_failures_were_seen_for_thirty_days() {
    let (down, was) = ("https://down.example/a", "https://was.example/b");
    let asked = [
        (down, START),
        (down, START + DAY - 1),
        (down, START + DAY),
        (down, START + 30 * DAY - 1),
        (down, START + 30 * DAY),
        (down, START + 31 * DAY - 1),
        (down, START + 31 * DAY),
        (was, START + 60),
        (was, START + 60 + DAY - 1),
        (was, START + 60 + DAY),
        (was, START + 400 * DAY),
    ];
    let none = json!(null);
    let closed = |offset| json!([false, "stance", "closed", none, offset]);
    let open = json!([true, "stance", "open", none, 600]);
    let copy = json!([true, "no-rule", "copy", none, 400]);
    let defer = |offset| json!([false, "stance", "defer", none, offset]);
    let expected = [
        closed(300),
        closed(300),
        defer(300),
        defer(300),
        open.clone(),
        open.clone(),
        defer(600),
        copy.clone(),
        copy.clone(),
        defer(500),
        defer(500),
    ];
    assert_eq!(said(rfc9309(), &asked), expected);
    let held = rfc9309().with_lifetime(Duration::from_secs(20 * 86_400));
    let expected = [
        closed(300),
        closed(300),
        closed(300),
        defer(300),
        open.clone(),
        open.clone(),
        open,
        copy.clone(),
        copy.clone(),
        copy,
        defer(500),
    ];
    assert_eq!(said(held, &asked), expected);
}

#[test]
fn without_a_time_the_newest_capture_answers() {
    let source = source(&captures(), rfc9309(), &["x", "y"], 100);
    let names = vec!["x".into(), "y".into()];
    let checker = Checker::new(&source, names, rfc9309().reading, When::Newest);
    let urls = rows([
        (&b"https://a.example/b"[..], None),
        (b"https://was.example/a", None),
    ]);
    let lines = lines(&checker, &urls);
    let said: Vec<_> = lines
        .iter()
        .map(|line| (&line["crawler"], &line["stance"]))
        .collect();
    let expected = [("x", "open"), ("y", "open"), ("x", "copy"), ("y", "copy")];
    assert_eq!(said.len(), expected.len());
    for ((crawler, stance), (name, word)) in said.into_iter().zip(expected) {
        assert_eq!((crawler, stance), (&json!(name), &json!(word)));
    }
    assert_eq!(lines[0]["capture_file"], "a.warc.gz");
    let of_capture = "2026-10-11T14:13:20Z";
    assert_eq!(lines[0]["capture_time"], of_capture);
    // With a time for all URLs, the capture in force then decides.
    let at = When::At(Timestamp::from_unix_seconds(START.unsigned_abs() + 5));
    let checker = Checker::new(&source, vec!["x".into(), "y".into()], rfc9309().reading, at);
    assert_eq!(self::lines(&checker, &urls)[0]["capture_offset"], 0);
}

#[test]
fn while_the_body_that_decides_is_in_no_capture_the_answer_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("captures.parquet");
    let shared = Some("User-agent: *\nDisallow: /a\n");
    write_captures(
        &path,
        &[
            row(
                "https://first.example",
                START,
                "successful http 200",
                shared,
            ),
            row(SITE, START, "successful http 200", shared),
            row(SITE, START + 60, "error http 503", None),
            row(
                SITE,
                START + DAY,
                "successful http 200",
                Some("User-agent: *\nDisallow: /b\n"),
            ),
        ],
    );
    leave_out_first(&path);
    let source = source_of(&path, 3, rfc9309(), &["x"], 2);
    let checker = Checker::new(&source, vec!["x".into()], rfc9309().reading, When::Newest);
    let url = b"https://a.example/c".as_slice();
    let times = [START, START + 60, START + DAY, START + 2 * DAY + 1];
    let urls = rows(times.map(|time| (url, Some(time))));
    let said: Vec<_> = lines(&checker, &urls)
        .iter()
        .map(|line| [&line["allowed"], &line["reason"]].map(Clone::clone))
        .collect();
    let unknown = [json!(null), json!("unreadable-body")];
    assert_eq!(
        said,
        [
            unknown.clone(),
            unknown,
            [json!(true), json!("no-rule")],
            // An expired copy defers, whatever its body.
            [json!(false), json!("stance")],
        ]
    );
}

/// A worker answers lists with times and lists without times in turn.
#[test]
fn a_url_without_a_time_meets_the_newest_capture_after_any_other() {
    let source = source(&captures(), rfc9309(), &["x"], 2);
    let checker = Checker::new(&source, vec!["x".into()], rfc9309().reading, When::Newest);
    let url = format!("{SITE}/a");
    let mut worker = checker.worker();
    let mut allowed = |time| {
        let urls = rows([(url.as_bytes(), time)]);
        worker.check(&urls).unwrap().1.allowed
    };
    assert_eq!(allowed(Some(START)), 0);
    assert_eq!(allowed(None), 1, "the newest is a 404");
    assert_eq!(allowed(Some(START)), 0);
}
