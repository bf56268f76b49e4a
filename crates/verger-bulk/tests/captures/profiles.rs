//! Captures with redirects that profiles follow differently: `check` and `classes` agree with the
//! row.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{RecordBatch, TimestampMicrosecondArray};
use serde_json::{Value, json};
use tempfile::TempDir;
use verger::Crawler;
use verger_access::Profile;
use verger_answer::ResolvedCrawler;
use verger_bulk::{
    AccessSource, CaptureFile, CaptureIndex, CaptureIndexBuilder, CaptureReader, CaptureSettings,
    CaptureTable, CaptureTableRow, CapturedKnowledge, Checker, ClassMaker, ClassRows,
    UrlRowsBuilder, UrlTimes, When, write_json_lines,
};
use verger_inputs::rulebook::{Keeping, RulesMaker};

use crate::warc::{Row, gzip, ok, read, record_at, redirect, response};

const RULES: &str = "User-agent: *\nDisallow: /private\n";

fn robots(host: &str) -> String {
    format!("https://{host}.example/robots.txt")
}

/// Returns redirects of the robots.txt of `host`, then a record.
fn chain(host: &str, redirects: usize, last: impl Fn(&str) -> Vec<u8>) -> Vec<Vec<u8>> {
    let place = |nth: usize| match nth {
        0 => robots(host),
        nth => format!("https://{host}.example/{nth}"),
    };
    let records = (0..redirects).map(|nth| redirect(&place(nth), &place(nth + 1)));
    records.chain([last(&place(redirects))]).collect()
}

/// Returns captures of sites named after their redirects.
fn captures() -> Vec<u8> {
    let rules = |url: &str| ok(url, RULES);
    let not_found = |url: &str| response(url, "HTTP/1.1 404 Not Found\r\n\r\n");
    let failed = |url: &str| response(url, "HTTP/1.1 503 Unavailable\r\n\r\n");
    let mut records = vec![
        redirect(&robots("other-host"), &robots("target")),
        ok(&robots("target"), RULES),
        redirect(&robots("downgrade"), "http://downgrade.example/r"),
        ok("http://downgrade.example/r", RULES),
        redirect(&robots("loop"), &robots("loop")),
        redirect(&robots("without-target"), &robots("nowhere")),
    ];
    for redirects in [0, 1, 5, 6, 10, 11, 20, 21] {
        records.extend(chain(&format!("rules-{redirects}"), redirects, rules));
        records.extend(chain(&format!("absent-{redirects}"), redirects, not_found));
        records.extend(chain(&format!("failed-{redirects}"), redirects, failed));
    }
    gzip(&records)
}

/// Writes the captures of a WARC file like `bulk captures`.
pub(crate) fn written(warc: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("captures.parquet");
    let mut file = CaptureFile::create(&path, "", 1 << 20).unwrap();
    for batch in CaptureReader::new(warc, "a.warc.gz", CaptureSettings::default()) {
        file.write(&batch.unwrap()).unwrap();
    }
    file.finish().unwrap();
    (folder, path)
}

pub(crate) fn index_of(path: &Path) -> CaptureIndex {
    let mut index = CaptureIndexBuilder::new().unwrap();
    index.add_file(path).unwrap();
    index.finish().unwrap()
}

/// Returns the answers of `bulk check` about URLs with optional times, in seconds.
pub(crate) fn answers(
    index: CaptureIndex,
    profile: &Profile,
    urls: impl Iterator<Item = (String, Option<i64>)>,
) -> Vec<Value> {
    let maker = RulesMaker::new(vec![Crawler::unnamed()], profile.reading, Keeping::Rules);
    let knowledge = CapturedKnowledge::new(index);
    let source = AccessSource::new(knowledge, profile.clone(), maker, Some(When::Newest));
    let checker = Checker::new(&source, vec!["*".into()], profile.reading, When::Newest);
    let (mut rows, mut times) = (UrlRowsBuilder::default(), Vec::new());
    for (url, time) in urls {
        rows.push(Some(url.as_bytes()));
        times.push(time.map(|seconds| seconds * 1_000_000));
    }
    let times = if times.iter().any(Option::is_some) {
        UrlTimes::Each(Arc::new(TimestampMicrosecondArray::from(times)))
    } else {
        UrlTimes::None
    };
    json_rows(&checker.worker().check(&rows.finish(times)).unwrap().0)
}

/// Returns rows as JSON.
fn json_rows(batch: &RecordBatch) -> Vec<Value> {
    let mut output = Vec::new();
    write_json_lines(batch, "test/1", &mut output).unwrap();
    let lines = output
        .split(|&byte| byte == b'\n')
        .filter(|it| !it.is_empty());
    lines
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

/// Returns the stances of a row by profile. `?` means that the profile has none.
fn stances(row: &Row) -> BTreeMap<&str, &str> {
    let stances = row.stance.as_deref().unwrap().split(' ');
    stances.map(|of| of.split_once('=').unwrap()).collect()
}

#[test]
fn answers_and_classes_have_the_stance_of_the_row_under_every_profile() {
    let warc = captures();
    let (_folder, path) = written(&warc);
    let captured = read(&warc).rows;
    assert_eq!(captured.len(), 29);
    let mut seen = BTreeMap::<String, usize>::new();
    for profile in Profile::ALL {
        let index = || index_of(&path);
        let authorities = captured.iter().map(|row| row.authority.as_deref().unwrap());
        let urls = authorities.map(|authority| (format!("{authority}/private"), None));
        let answers = answers(index(), profile, urls);

        let maker = ClassMaker::new(vec![ResolvedCrawler::unnamed()], profile.reading);
        let mut classes = ClassRows::new(&maker, profile.clone());
        let index = index();
        let pushed = CaptureTable::open(&path).unwrap().each(|row| {
            match row {
                CaptureTableRow::Capture(capture, body) => {
                    classes.push_capture(&capture, body, &index).unwrap();
                }
                CaptureTableRow::Unusable(capture) => classes.push_unusable(&capture),
            }
            true
        });
        pushed.unwrap();
        let classes = json_rows(&classes.finish().unwrap());

        assert_eq!((answers.len(), classes.len()), (29, 29));
        for ((row, answer), class) in captured.iter().zip(&answers).zip(&classes) {
            let stance = stances(row)[&*profile.name];
            let (allowed, disallowed) = match stance {
                "rules" => (Value::from(false), Value::from("some")),
                "open" => (Value::from(true), Value::from("nothing")),
                "closed" | "defer" => (Value::from(false), Value::from("everything")),
                _ => (Value::Null, Value::Null),
            };
            let shown = Value::from((stance != "?").then_some(stance));
            let of = format!(
                "{} under {}",
                row.authority.as_deref().unwrap(),
                profile.name
            );
            assert_eq!(
                (&answer["stance"], &answer["allowed"]),
                (&shown, &allowed),
                "{of}"
            );
            assert_eq!(
                (&class["stance"], &class["disallowed"]),
                (&shown, &disallowed),
                "{of}"
            );
            *seen
                .entry(format!("{} {stance}", profile.name))
                .or_default() += 1;
        }
    }
    // The test covers redirect rules that differ: `cautious` stays on the host and follows five
    // redirects.
    assert!(seen["cautious closed"] > seen["rfc9309 closed"], "{seen:?}");
    assert!(seen["koster1996 rules"] > seen["rfc9309 rules"], "{seen:?}");
}

/// A row keeps the result of each profile: a redirect that `cautious` does not follow ends its
/// copy, whatever other profiles find after it.
#[test]
fn a_profile_counts_what_it_saw_of_a_capture_and_not_what_another_one_saw() {
    let at =
        |date: &str, url: &str, http: &str| record_at(date, "response", url, "", http.as_bytes());
    let (first, later) = ("2026-11-01T00:00:00Z", "2026-11-01T01:00:00Z");
    let moved = format!("HTTP/1.1 302 Found\r\nLocation: {}\r\n\r\n", robots("b"));
    let warc = gzip(&[
        at(
            first,
            &robots("a"),
            &format!("HTTP/1.1 200 OK\r\n\r\n{RULES}"),
        ),
        at(later, &robots("a"), &moved),
        at(later, &robots("b"), "HTTP/1.1 503 Unavailable\r\n\r\n"),
    ]);
    let (_folder, path) = written(&warc);
    let stance = |profile: &Profile| {
        let url = ("https://a.example/x".to_owned(), None);
        let answer = &answers(index_of(&path), profile, [url].into_iter())[0];
        [answer["stance"].clone(), answer["allowed"].clone()]
    };
    assert_eq!(stance(&Profile::RFC9309), [json!("copy"), json!(true)]);
    assert_eq!(stance(&Profile::CAUTIOUS), [json!("closed"), json!(false)]);
}

/// A redirect to a URL that was not captured is an attempt with an unknown result, which ends a
/// streak of failures.
#[test]
fn a_redirect_without_target_ends_what_was_known_before() {
    let at =
        |date: &str, http: &str| record_at(date, "response", &robots("a"), "", http.as_bytes());
    let down = "HTTP/1.1 503 Unavailable\r\n\r\n";
    for target in ["https://elsewhere.example/robots.txt", "/elsewhere"] {
        let moved = format!("HTTP/1.1 302 Found\r\nLocation: {target}\r\n\r\n");
        let records = [
            at("2026-01-01T00:00:00Z", down),
            at("2026-01-15T00:00:00Z", &moved),
            at("2026-02-01T00:00:00Z", down),
        ];
        let stance = |records: &[Vec<u8>]| {
            let (_folder, path) = written(&gzip(records));
            let url = ("https://a.example/x".to_owned(), None);
            let answer = &answers(index_of(&path), &Profile::RFC9309, [url].into_iter())[0];
            [answer["stance"].clone(), answer["reason"].clone()]
        };
        assert_eq!(
            stance(&records),
            [json!("closed"), json!("stance")],
            "{target}"
        );
        assert_eq!(
            stance(&records[..2]),
            [json!(null), json!("no-body")],
            "{target}"
        );
        let without = [records[0].clone(), records[2].clone()];
        assert_eq!(stance(&without), [json!("open"), json!("stance")]);
    }
}
