//! Classes of captures, stores and given bodies agree with the engine.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use serde_json::Value;
use verger::{Dialect, Reading, RobotsTxt};
use verger_access::{Profile, Timestamp};
use verger_answer::ResolvedCrawler;
use verger_bulk::{
    BodyPlace, CaptureIndexBuilder, CaptureTable, CaptureTableRow, ClassMaker, ClassRows,
    StoreVersions, write_json_lines,
};
use verger_compare::{Budget, Extent, PolicySet};
use verger_store::{BodyHash, MemoryStore, StoreError};
use verger_testkit::case::{load_all, testdata_dir};
use verger_testkit::generate::{Rng, body};

use crate::captured::{Row, write_captures};
use crate::past::{Past, day};

/// Seconds since 1970.
const START: u64 = day(0);

const DAY: u64 = 86_400;

/// Returns the rows so far as JSON objects.
fn json(rows: &mut ClassRows<'_>) -> Vec<Value> {
    let mut output = Vec::new();
    write_json_lines(&rows.finish().unwrap(), "test/1", &mut output).unwrap();
    let lines = output
        .split(|&byte| byte == b'\n')
        .filter(|it| !it.is_empty());
    lines
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

/// Returns the rows of a store, and the number of unknown authorities.
fn of_store(
    rows: &mut ClassRows<'_>,
    store: &MemoryStore,
    profile: &Profile,
    at: Option<u64>,
) -> (Vec<Value>, u64) {
    let at = at.map(Timestamp::from_unix_seconds);
    let unknown = StoreVersions::new(store, profile.clone(), at).each(|authority, version| {
        rows.push_version(&authority.to_string(), version.unwrap())
            .unwrap();
        ControlFlow::Continue(())
    });
    (json(rows), unknown.unwrap())
}

fn profile_of(reading: Reading) -> Profile {
    let rfc9309: Profile = "rfc9309".parse().unwrap();
    Profile { reading, ..rfc9309 }
}

/// Returns the rows of captures of these bodies, in order.
fn of_captures(rows: &mut ClassRows<'_>, bodies: &[&[u8]]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("captures.parquet");
    let captures = bodies.iter().enumerate().map(|(nth, body)| Row {
        authority: format!("https://site-{nth:04}.example"),
        time: i64::try_from(START).unwrap(),
        outcome: "successful http 200",
        body: Some(body.to_vec()),
    });
    write_captures(&path, &captures.collect::<Vec<_>>());
    let mut index = CaptureIndexBuilder::new().unwrap();
    index.add_file(&path).unwrap();
    let index = index.finish().unwrap();
    let pushed = CaptureTable::open(&path).unwrap().each(|row| {
        let CaptureTableRow::Capture(capture, body) = row else {
            panic!("each says something");
        };
        rows.push_capture(&capture, body, &index).unwrap().is_some()
    });
    pushed.unwrap();
    json(rows)
}

const SAID: [&str; 10] = [
    "crawler",
    "disallowed",
    "group_line",
    "group_named",
    "disallowed_url",
    "disallowed_line",
    "allowed_url",
    "allowed_line",
    "states",
    "body_sha256",
];

/// Every body of `testdata/`, and generated ones: through a store, by itself and as a capture.
#[test]
fn every_source_says_what_the_engine_does_about_every_case() {
    let corpus = load_all(&testdata_dir()).unwrap();
    let agents = corpus.plain_cases().flat_map(|case| &case.asks);
    let agents: std::collections::BTreeSet<&String> =
        agents.filter_map(|ask| ask.agents.first()).collect();
    // One authority each, over several pages of the store.
    let mut rng = Rng::new(15);
    let generated: Vec<Vec<u8>> = (0..200).map(|_| body(&mut rng)).collect();
    let bodies = corpus.plain_cases().map(|case| &case.robots);
    let bodies: Vec<&[u8]> = bodies.chain(&generated).map(Vec::as_slice).collect();
    assert!(bodies.len() > 256);
    for dialect in [Dialect::Rfc9309, Dialect::Google] {
        let reading = Reading::new(dialect);
        let named = agents
            .iter()
            .filter_map(|name| ResolvedCrawler::from_token(name, reading).ok());
        let crawlers: Vec<_> = named.take(2).chain([ResolvedCrawler::unnamed()]).collect();
        let maker = ClassMaker::new(crawlers.clone(), reading);
        let profile = profile_of(reading);
        let mut rows = ClassRows::new(&maker, profile.clone());
        let mut store = MemoryStore::new(256 << 20);
        for (nth, body) in bodies.iter().enumerate() {
            let authority = format!("https://site-{nth:04}.example");
            let mut past = Past::within(store, &authority);
            past.body(START, body);
            store = past.store;
            let given = BodyPlace {
                authority: Some(&authority),
                ..BodyPlace::default()
            };
            assert!(rows.push_body(given, Some(body)).is_some());
        }
        let given = json(&mut rows);
        let (stored, unknown) = of_store(&mut rows, &store, &profile, None);
        assert_eq!(unknown, 0);
        let captured = of_captures(&mut rows, &bodies);
        assert_eq!(given.len(), bodies.len() * crawlers.len());
        assert_eq!((stored.len(), captured.len()), (given.len(), given.len()));
        for (nth, given) in given.iter().enumerate() {
            let (body, crawler) = (
                bodies[nth / crawlers.len()],
                &crawlers[nth % crawlers.len()],
            );
            for other in [&stored[nth], &captured[nth]] {
                assert_eq!(other["authority"], given["authority"]);
                assert_eq!(
                    (&other["stance"], &other["profile"]),
                    (&"rules".into(), &"rfc9309".into())
                );
                for key in SAID {
                    assert_eq!(other[key], given[key], "{key} {other} {given}");
                }
            }
            assert_eq!(given["body_sha256"], BodyHash::new(body).to_string());
            let robots = RobotsTxt::parse(body, reading);
            let policy = robots.policy(crawler.crawler());
            let extent = Extent::new(&PolicySet::new(&policy), Budget::default());
            let class = extent.class().map(verger_compare::ExtentClass::as_str);
            assert_eq!(given["disallowed"].as_str(), class, "{given}");
        }
    }
}

#[test]
fn a_version_begins_where_the_stance_or_the_body_changes() {
    let profile = profile_of(Reading::new(Dialect::Rfc9309));
    let all: &[u8] = b"User-agent: *\nDisallow: /\n";
    let mut changed = Past::within(MemoryStore::new(1 << 20), "https://a.example/");
    changed.body(START, b"");
    changed.not_modified(START + 1);
    changed.body(START + DAY, all);
    changed.status(START + DAY + 60, 503);
    changed.status(START + 2 * DAY, 503);
    changed.status(START + 3 * DAY, 404);
    changed.status(START + 4 * DAY, 410);
    changed.body(START + 5 * DAY, all);
    let mut failing = Past::within(changed.store, "https://b.example/");
    failing.status(START + DAY, 500);
    let store = failing.store;
    let maker = ClassMaker::new(vec![ResolvedCrawler::unnamed()], profile.reading);
    let mut rows = ClassRows::new(&maker, profile.clone());
    let (versions, unknown) = of_store(&mut rows, &store, &profile, None);
    let shown = |row: &Value| {
        let text = |key: &str| row[key].as_str().unwrap_or("-").to_owned();
        let hash = text("body_sha256");
        [
            text("authority"),
            text("time"),
            text("stance"),
            text("disallowed"),
            hash.get(..6).unwrap_or(&hash).to_owned(),
        ]
        .join(" ")
    };
    let (empty, full) = (
        BodyHash::new(b"").to_string(),
        BodyHash::new(all).to_string(),
    );
    let (empty, full) = (&empty[..6], &full[..6]);
    let expected = [
        format!("https://a.example 2026-09-21T14:13:20Z rules nothing {empty}"),
        format!("https://a.example 2026-09-22T14:13:20Z rules everything {full}"),
        format!("https://a.example 2026-09-22T14:14:20Z copy everything {full}"),
        "https://a.example 2026-09-24T14:13:20Z open nothing -".to_owned(),
        format!("https://a.example 2026-09-26T14:13:20Z rules everything {full}"),
        "https://b.example 2026-09-22T14:13:20Z closed everything -".to_owned(),
    ];
    assert_eq!(versions.iter().map(shown).collect::<Vec<_>>(), expected);
    assert_eq!(unknown, 0);
    for version in &versions {
        for key in ["capture_file", "capture_offset"] {
            assert_eq!(version[key], Value::Null);
        }
    }
    let mut in_force = |at| of_store(&mut rows, &store, &profile, Some(at));
    assert_eq!(in_force(START - 1), (Vec::new(), 2));
    let (at_once, unknown) = in_force(START + 10);
    assert_eq!(
        at_once.iter().map(shown).collect::<Vec<_>>(),
        [
            // The last snapshot by that time.
            format!("https://a.example 2026-09-21T14:13:21Z rules nothing {empty}")
        ]
    );
    assert_eq!(unknown, 1);
    // A day later, RFC 9309 no longer relies on it.
    let (expired, _) = in_force(START + DAY - 1 + 5 * DAY + 2);
    assert_eq!(expired[0]["stance"], "defer");
}

#[test]
fn a_visit_that_breaks_is_the_last() {
    let profile = profile_of(Reading::new(Dialect::Rfc9309));
    let mut store = MemoryStore::new(1 << 20);
    for site in ["https://a.example/", "https://b.example/"] {
        let mut past = Past::within(store, site);
        past.body(START, b"");
        store = past.store;
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let read: Result<u64, StoreError> =
        StoreVersions::new(&store, profile, None).each(|authority, _| {
            *seen.entry(authority.to_string()).or_default() += 1;
            ControlFlow::Break(())
        });
    assert_eq!(read.unwrap(), 0);
    assert_eq!(seen, BTreeMap::from([("https://a.example".to_owned(), 1)]));
}

/// The shortest allowed path is as long as the rule.
#[test]
fn paths_that_are_long_are_counted() {
    let profile = profile_of(Reading::new(Dialect::Rfc9309));
    let maker = ClassMaker::new(vec![ResolvedCrawler::unnamed()], profile.reading);
    let mut rows = ClassRows::new(&maker, profile);
    let path = format!("/{}", "a".repeat(400_000));
    let body = format!("User-agent: *\nDisallow: /\nAllow: {path}\n");
    rows.push_body(BodyPlace::default(), Some(body.as_bytes()));
    assert!(rows.path_bytes() > path.len());
    let row = &json(&mut rows)[0];
    assert_eq!(
        (&row["disallowed"], &row["allowed_url"]),
        (&"some".into(), &format!("https://example.com{path}").into())
    );
    assert_eq!(rows.path_bytes(), 0);
}
