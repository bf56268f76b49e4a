//! Removes findings that only follow from another, so that one mistake is one finding.

use std::collections::BTreeMap;

use verger::LineNumber;

use crate::finding::Finding;
use crate::line_places::LinePlaces;

/// Lints about a body that is not a robots.txt. Its lines need no findings.
pub(crate) const OF_PAGES: [&str; 4] =
    ["byte-order-mark", "html-page", "json-document", "not-text"];

/// Lints about a whole line, the most fundamental cause first.
pub(crate) const CAUSES: [&str; 5] = [
    "invisible-character",
    "two-records-on-one-line",
    "rule-before-group",
    "url-as-path",
    "missing-leading-slash",
];

/// Lints about details, which disappear or mean nothing after such a cause is fixed.
pub(crate) const DETAILS: [&str; 17] = [
    "agent-is-header",
    "agent-list",
    "agent-names-no-crawler",
    "agent-with-digits",
    "agent-with-version",
    "agent-with-wildcard",
    "agent-with-words",
    "bad-escape",
    "group-without-rules",
    "inner-dollar",
    "invalid-sitemap",
    "misspelt-crawler",
    "misspelt-key",
    "number-sign-in-path",
    "regular-expression",
    "space-in-path",
    "unreadable-line",
];

/// Returns the findings without those that follow from another about the same line or the whole
/// body.
pub(crate) fn without_repetitions(
    mut findings: Vec<Finding>,
    places: &LinePlaces,
    is_page: bool,
) -> Vec<Finding> {
    if is_page {
        findings.retain(|it| it.spans.is_empty() || OF_PAGES.contains(&it.code));
        return findings;
    }
    let line = |it: &Finding| places.position(it.span().start).line;
    let mut causes: BTreeMap<LineNumber, usize> = BTreeMap::new();
    for finding in findings.iter().filter(|it| !it.spans.is_empty()) {
        if let Some(cause) = rank(finding.code) {
            let first = causes.entry(line(finding)).or_insert(cause);
            *first = cause.min(*first);
        }
    }
    findings.retain(|it| {
        let own = rank(it.code).or_else(|| DETAILS.contains(&it.code).then_some(CAUSES.len()));
        let first = causes.get(&line(it));
        it.spans.is_empty() || own.is_none_or(|own| first.is_none_or(|first| own <= *first))
    });
    findings
}

fn rank(code: &str) -> Option<usize> {
    CAUSES.iter().position(|it| *it == code)
}
