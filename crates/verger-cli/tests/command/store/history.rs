//! The stored history of a site.

use serde_json::Value;

use crate::past::{Past, day};
use crate::server::{new_store, on_store};
use crate::verger::{command, run};

const FIRST: &str = "User-agent: *\nDisallow: /a\nDisallow: /b\n";
const SECOND: &str = "User-agent: *\nDisallow: /a\nDisallow: /c\nDisallow: /d\n";

fn written(name: &str) -> std::path::PathBuf {
    let store = new_store(name);
    let mut past = Past::of("https://h.example/", &store);
    past.body(day(1), FIRST);
    past.not_modified(day(2));
    past.body(day(3), FIRST);
    past.body(day(4), SECOND);
    past.status(day(5), 404);
    past.status(day(6), 404);
    past.body(day(7), FIRST);
    store
}

/// Returns the number, outcome and change of every line.
fn told(said: &str) -> Vec<String> {
    let lines = said.lines().map(|line| {
        let columns: Vec<&str> = line
            .split("  ")
            .map(str::trim)
            .filter(|it| !it.is_empty())
            .collect();
        format!("{} {}", columns[0], columns[columns.len() - 1])
    });
    lines.collect()
}

#[test]
fn the_file_of_a_time_is_printed() {
    let store = written("history-body");
    assert_eq!(
        on_store(&store, "history --body h.example").quietly(0),
        FIRST
    );
    let body = |number| {
        on_store(
            &store,
            &format!("history --body --until @{} h.example", day(number)),
        )
    };
    assert_eq!(body(2).quietly(0), FIRST);
    assert_eq!(body(4).quietly(0), SECOND);
    let none = body(6);
    assert_eq!(
        (none.stdout.as_str(), none.stderr.as_str()),
        ("", "note: there is no file: status 404\n")
    );
    assert_eq!(body(0).code, 3);
}

#[test]
fn what_changed_is_told_snapshot_by_snapshot() {
    let store = written("history");
    let said = on_store(&store, "history h.example").quietly(0);
    let expected = [
        "1 first",
        "2 renewed",
        "3 same",
        "4 +2 −1 lines",
        "5 status 200 → 404",
        "6 same",
        "7 status 404 → 200, +1 −2 lines",
    ];
    assert_eq!(told(&said), expected);
    let first = said.lines().next().unwrap();
    assert!(
        first.contains("2026-09-22 14:13:20 UTC  status 200 "),
        "{first}"
    );
    assert!(first.contains("  40 bytes  "), "{first}");
    let since = format!(
        "history https://h.example/x --since @{} --until @{}",
        day(4),
        day(6)
    );
    let said = on_store(&store, &since).quietly(0);
    assert_eq!(told(&said), expected[3..5]);
}

#[test]
fn lines_that_changed_are_shown_where_they_are_asked_for() {
    let store = written("diff");
    let since = format!(
        "history h.example --diff --since @{} --until @{}",
        day(4),
        day(5)
    );
    let said = on_store(&store, &since).quietly(0);
    let (line, hunks) = said.split_once('\n').unwrap();
    assert!(line.ends_with("+2 −1 lines"), "{line}");
    let expected = "
@@ -1,3 +1,4 @@
 User-agent: *
 Disallow: /a
-Disallow: /b
+Disallow: /c
+Disallow: /d

";
    let (hunks, meaning) = hunks.split_at(expected.len());
    assert_eq!(hunks, expected);
    // What the lines mean for crawlers, as `verger diff` says it.
    let (names, changes) = meaning.split_once('\n').unwrap();
    assert!(names.starts_with("any other, "), "{names}");
    assert!(
        changes.starts_with(
            "  newly disallowed: https://h.example/c
    before allowed: no rule matches
    after  disallowed by line 3, Disallow: /c
  newly allowed: https://h.example/b
    before disallowed by line 3, Disallow: /b
    after  allowed: no rule matches
no change in meaning for "
        ),
        "{changes}"
    );
}

#[test]
fn what_was_never_seen_is_unknown_and_a_store_that_is_not_there_an_error() {
    let store = written("nothing");
    for (arguments, said) in [
        (
            "history other.example",
            "error: the store has nothing about https://other.example\n",
        ),
        (
            "history http://h.example",
            "error: the store has nothing about http://h.example\n",
        ),
        (
            "history h.example --until @1",
            "error: the store has nothing about https://h.example at that time\n",
        ),
    ] {
        let told = on_store(&store, arguments);
        assert_eq!(
            (
                told.stdout.as_str(),
                told.stderr.split_inclusive('\n').next(),
                told.code
            ),
            ("", Some(said), 3)
        );
    }
    let missing = new_store("nowhere");
    let said = on_store(&missing, "history h.example").refused();
    assert!(said.contains("there is no store"), "{said}");
    assert!(!missing.exists());
}

/// Returns a graph of that width on that kind of terminal.
fn graph(store: &std::path::Path, columns: &str, term: &str, arguments: &str) -> String {
    let mut command = command();
    command.args(["history", "--graph", "--store"]).arg(store);
    command.args(arguments.split_whitespace());
    command.env("COLUMNS", columns).env("TERM", term);
    run(&mut command, "").quietly(0)
}

#[test]
fn a_graph_has_a_row_for_each_class_of_outcomes() {
    let store = written("graph");
    let ascii = "\
https://h.example
2026-09-22 14:13:20 UTC to 2026-09-28 14:13:20 UTC
5 successful, 2 unavailable; the body changed 2 times

body changed                         ^                       ^
successful   #-------#-------#-------#-------                #
unavailable                                  #-------#-------
                         |               |               |
                         2026-09-24      2026-09-26

A column is 3 hours: # every attempt, + some, - no attempt, so as before;
^ one change, 2 to 9 as many, * more
";
    assert_eq!(graph(&store, "80", "dumb", "h.example"), ascii);
    let narrow = "\
https://h.example
2026-09-22 14:13:20 UTC to 2026-09-28 14:13:20 UTC
5 successful, 2 unavailable; the body changed 2 times

body changed                   ▲                 ▲
successful   █─────█─────█─────█─────            █
unavailable                          █─────█─────
                      │                       │
                      2026-09-24

A column is 4 hours: █ every attempt, ▄ some, ─ no attempt, so as before;
▲ one change, 2 to 9 as many, * more
";
    assert_eq!(graph(&store, "60", "xterm", "h.example"), narrow);
}

#[test]
fn a_graph_counts_what_falls_into_one_column() {
    let store = new_store("graph-dense");
    let mut past = Past::of("https://h.example/", &store);
    for number in 0..600 {
        let at = day(0) + number * 3600;
        match number {
            // Two versions in turn.
            100..200 if number % 2 == 0 => past.body(at, SECOND),
            0..300 => past.body(at, FIRST),
            300..310 => past.status(at, 503),
            310..320 => past.status(at, 404),
            320 => past.body(at, SECOND),
            _ => past.not_modified(at),
        }
    }
    let drawn = graph(&store, "60", "dumb", "h.example --since @1790086400");
    let expected = "\
https://h.example
2026-09-22 14:13:20 UTC to 2026-10-16 13:13:20 UTC
556 successful, 10 unavailable, 10 unreachable; the body changed 101 times

body changed    6****    ^
successful   ############+############
unavailable              +
unreachable              +
               |             |
               2026-09-24

A column is 1 day: # every attempt, + some, - no attempt, so as before;
^ one change, 2 to 9 as many, * more
";
    assert_eq!(drawn, expected);
}

#[test]
fn a_graph_classes_outcomes_as_a_profile_does() {
    let store = new_store("graph-profile");
    let mut past = Past::of("https://h.example/", &store);
    past.status(day(0), 429);
    let rows = |profile: &str| {
        let arguments = format!("h.example --profile {profile}");
        let drawn = graph(&store, "80", "dumb", &arguments);
        drawn.lines().nth(5).unwrap().to_owned()
    };
    assert_eq!(rows("rfc9309"), "unreachable  #");
    assert_eq!(rows("draft2019"), "unavailable  #");
}

#[test]
fn a_graph_of_nothing_is_unknown() {
    let store = written("graph-nothing");
    let said = on_store(&store, "history --graph h.example --until @1");
    let expected = "error: the store has nothing about https://h.example at that time\n";
    let (stdout, stderr) = (said.stdout.as_str(), said.stderr.as_str());
    assert_eq!(
        (stdout, stderr.starts_with(expected), said.code),
        ("", true, 3)
    );
}

#[test]
fn all_sites_come_in_the_order_of_their_names() {
    let store = new_store("history-all");
    for site in [
        "https://b.example/",
        "https://a.example/",
        "http://a.example/",
    ] {
        let mut past = Past::of(site, &store);
        past.body(day(1), FIRST);
        past.body(day(3), SECOND);
    }
    let all = |arguments: &str| {
        let said = on_store(&store, &format!("history --json --all {arguments}")).quietly(0);
        let lines = said.lines().map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            let authority = line["authority"].as_str().unwrap().to_owned();
            let alone = format!("history --json {authority} {arguments}");
            let alone = on_store(&store, &alone).quietly(0);
            assert!(
                alone
                    .lines()
                    .any(|alone| serde_json::from_str(alone).ok() == Some(line.clone()))
            );
            (
                authority,
                line["change"]["body"].as_str().unwrap().to_owned(),
            )
        });
        lines.collect::<Vec<_>>()
    };
    let [http, a, b] = ["http://a.example", "https://a.example", "https://b.example"];
    let expected = [http, a, b].map(|site| (site.to_owned(), "changed".to_owned()));
    assert_eq!(all(&format!("--since @{}", day(2))), expected);
    let sites: Vec<_> = all("").into_iter().map(|(site, _)| site).collect();
    assert_eq!(sites, [http, http, a, a, b, b]);
    let none = on_store(&store, &format!("history --json --all --since @{}", day(9)));
    assert_eq!((none.code, none.stdout.as_str()), (3, ""));
    for unfit in ["history --all", "history --facts h.example"] {
        assert_eq!(on_store(&store, unfit).code, 2, "{unfit}");
    }
}
