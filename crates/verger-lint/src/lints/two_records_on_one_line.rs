//! `two-records-on-one-line`: a value that holds another record.

use verger::{Clause, Record, RecordKind, Span};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{find_ignoring_case, quoted};

/// How much of a value is searched, in octets.
const VALUE_OCTETS_MAX: usize = 4_096;

pub(super) const LINT: Lint = Lint {
    code: "two-records-on-one-line",
    severity: Severity::Error,
    summary: "the value of a line contains the key of another line: a line end is missing",
    explanation: "\
A template, an editor or a plugin dropped a line end, so that two lines became one. `Disallow: /Sitemap:
https://h/s.xml` disallows a path that no URL has, and lists no sitemap. The lint searches the first 4,096 bytes
of a value.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private/Sitemap: https://h.example/sitemap.xml\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\nSitemap: https://h.example/sitemap.xml\n"),
    clauses: &[Clause::new("R9309-2.1-2")],
    check,
};

const KEYS: [&str; 5] = [
    "user-agent:",
    "disallow:",
    "allow:",
    "sitemap:",
    "crawl-delay:",
];

/// Where another record begins inside of a value.
fn start_of_another(value: &[u8]) -> Option<usize> {
    let value = &value[..value.len().min(VALUE_OCTETS_MAX)];
    if !value.contains(&b':') {
        return None;
    }
    let keys = KEYS.iter();
    keys.filter_map(|key| find_ignoring_case(value, key.as_bytes()))
        .min()
}

/// Whether another record begins inside of a value.
pub(super) fn holds_another(value: &[u8]) -> bool {
    start_of_another(value).is_some()
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    for record in file.robots.records() {
        let is_read = matches!(
            record.kind(),
            RecordKind::UserAgent
                | RecordKind::Allow
                | RecordKind::Disallow
                | RecordKind::Sitemap
                | RecordKind::CrawlDelay
        );
        let value = record.value();
        let Some(at) = start_of_another(value).filter(|_| is_read) else {
            continue;
        };
        let start = record.value_span().start + u32::try_from(at).unwrap_or(0);
        let span = Span {
            start,
            end: record.value_span().end,
        };
        // White space before the lost line end is none of the value.
        let kept = value[..at].trim_ascii_end().len();
        let cut = Span {
            start: record.value_span().start + u32::try_from(kept).unwrap_or(0),
            end: start,
        };
        let message = format!(
            "another line begins inside the value: {}",
            quoted(file.octets(span))
        );
        let (title, fix) = fix(file, &record, cut);
        found.add(Draft::new(span, message).help(title).fix(fix));
    }
}

/// Puts a line end in the place of `cut`. A key that is only there twice goes.
fn fix(file: &Subject<'_>, record: &Record<'_>, cut: Span) -> (&'static str, Fix) {
    let rest = Span {
        start: cut.end,
        end: record.value_span().end,
    };
    let is_twice = cut.start == record.value_span().start
        && file
            .octets(rest)
            .split(|it| *it == b':')
            .next()
            .is_some_and(|key| key.eq_ignore_ascii_case(record.key()));
    let (title, replaced, text) = if is_twice {
        let replaced = Span {
            start: record.key_span().start,
            end: cut.end,
        };
        ("remove the first key", replaced, "")
    } else {
        ("insert a line end before it", cut, file.line_end(cut.end))
    };
    let fix = Fix::new(title, Meaning::Changed, replaced, text.as_bytes());
    (title, fix)
}
