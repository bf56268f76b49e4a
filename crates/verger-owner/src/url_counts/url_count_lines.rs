//! Counts of URLs as JSON Lines: `verger.diff-urls/1` in `docs/json.md`.

use std::io::{self, Write};

use serde::Serialize;
use verger_answer::{VerdictKeys, json};

use super::{ChangedUrls, UrlCounts};

const SCHEMA: &str = "verger.diff-urls/1";

#[derive(Serialize)]
struct CountLine<'c> {
    schema: &'static str,
    crawlers: Vec<&'c str>,
    disallowed_before: u64,
    disallowed_after: u64,
    newly_disallowed: Changed<'c>,
    newly_allowed: Changed<'c>,
}

/// URLs about which the verdict changes in one way, and the first of them.
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
    /// Whether no verdict changes; null where not all URLs were counted.
    same: Option<bool>,
    urls: u64,
    not_counted: u64,
    not_compared: usize,
    /// The first sentences about what was not counted.
    problems: Vec<&'c str>,
}

/// Writes the counts, a line for crawlers whose rules are the same, and at last one about the whole.
///
/// # Errors
///
/// Where it cannot be written.
pub fn write_url_count_lines(output: &mut impl Write, counts: &UrlCounts<'_>) -> io::Result<()> {
    for count in counts.counts() {
        let [disallowed_before, disallowed_after] = count.disallowed();
        let line = CountLine {
            schema: SCHEMA,
            crawlers: count.crawlers().iter().map(|it| it.name()).collect(),
            disallowed_before,
            disallowed_after,
            newly_disallowed: changed(count.newly_disallowed(), counts),
            newly_allowed: changed(count.newly_allowed(), counts),
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

fn changed<'c>(changed: &'c ChangedUrls, counts: &'c UrlCounts<'_>) -> Changed<'c> {
    let [old, new] = &counts.files;
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
