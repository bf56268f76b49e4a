//! URL counts as JSON Lines (`verger.diff-urls/1` in `docs/json.md`).

use std::io::{self, Write};

use serde::Serialize;
use verger::RobotsTxt;
use verger_answer::{VerdictKeys, json};

use super::{ChangedUrls, UrlCounts};

const SCHEMA: &str = "verger.diff-urls/1";

#[derive(Serialize)]
struct CountLine<'c> {
    schema: &'static str,
    crawlers: Vec<&'c str>,
    dialect: &'static str,
    disallowed_before: u64,
    disallowed_after: u64,
    newly_disallowed: Changed<'c>,
    newly_allowed: Changed<'c>,
}

#[derive(Serialize)]
struct Changed<'c> {
    count: u64,
    examples: Vec<Example<'c>>,
}

#[derive(Serialize)]
struct Example<'c> {
    url: &'c str,
    before: VerdictKeys<'c>,
    after: VerdictKeys<'c>,
}

#[derive(Serialize)]
struct WholeLine<'c> {
    schema: &'static str,
    /// Null if some URLs were not counted.
    same: Option<bool>,
    urls: u64,
    not_counted: u64,
    not_compared: usize,
    /// Descriptions of the first uncounted entries.
    problems: Vec<&'c str>,
}

/// Writes one line per set of crawlers with the same rules, then a summary line.
///
/// # Errors
///
/// Returns an error if writing fails.
pub fn write_url_count_lines(output: &mut impl Write, counts: &UrlCounts<'_>) -> io::Result<()> {
    for count in counts.counts() {
        let first = count.crawlers()[0];
        let files = [0, 1].map(|side: usize| counts.files[side].index_for(first).robots());
        let [disallowed_before, disallowed_after] = count.disallowed();
        let line = CountLine {
            schema: SCHEMA,
            crawlers: count.crawlers().iter().map(|it| it.name()).collect(),
            dialect: files[0].dialect().as_str(),
            disallowed_before,
            disallowed_after,
            newly_disallowed: changed(count.newly_disallowed(), files),
            newly_allowed: changed(count.newly_allowed(), files),
        };
        json::write_line(&mut *output, &line)?;
    }
    let (not_counted, sentences) = counts.not_counted();
    let problems = sentences.iter().chain(counts.unread());
    let whole = WholeLine {
        schema: SCHEMA,
        same: counts.is_same(),
        urls: counts.urls(),
        not_counted,
        not_compared: counts.not_compared(),
        problems: problems.map(String::as_str).collect(),
    };
    json::write_line(output, &whole)
}

fn changed<'c>(changed: &'c ChangedUrls, [old, new]: [&'c RobotsTxt; 2]) -> Changed<'c> {
    let examples = changed.examples().iter().map(|example| {
        let [before, after] = example.verdicts();
        Example {
            url: example.url(),
            before: VerdictKeys::in_batch(&before, old),
            after: VerdictKeys::in_batch(&after, new),
        }
    });
    Changed {
        count: changed.count(),
        examples: examples.collect(),
    }
}
