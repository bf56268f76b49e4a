use verger::{Clause, Record, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Edit, Fix, Meaning};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{find_ignoring_case, quoted};

/// Number of bytes of a value to search.
const VALUE_BYTES_MAX: usize = 4_096;

pub(super) const LINT: Lint = Lint {
    code: "two-records-on-one-line",
    severity: Severity::Error,
    summary: "two lines became one, because a line end is missing",
    explanation: "\
A template, an editor or a plugin dropped a line end. `Disallow: /Sitemap: https://h/s.xml` disallows a path
that no URL has, and lists no sitemap. The lint searches the first 4,096 bytes of a value.",
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

/// Finds the starts of other records inside a value.
fn start_of_another(value: &[u8]) -> Option<usize> {
    let value = &value[..value.len().min(VALUE_BYTES_MAX)];
    if !value.contains(&b':') {
        return None;
    }
    let keys = KEYS.iter();
    keys.filter_map(|key| find_ignoring_case(value, key.as_bytes()))
        .min()
}

/// Returns whether another record begins inside a value.
pub(super) fn holds_another(value: &[u8]) -> bool {
    start_of_another(value).is_some()
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    for record in file.robots.records() {
        let is_read = record.kind() != RecordKind::Other;
        let value = record.value();
        let Some(at) = start_of_another(value).filter(|_| is_read) else {
            continue;
        };
        let span = part(record.value_span(), at..value.len());
        let message = format!(
            "another line begins inside the value: {}",
            quoted(file.bytes(span))
        );
        let draft = Draft::new(span, message).together("other lines begin inside these values");
        found.add(draft.fixed_by(fix(file, &record)));
    }
}

/// Inserts a line end before each record inside a value and removes repeated keys. One fix for the
/// whole line, because separate fixes would make room for each other.
fn fix(file: &Subject<'_>, record: &Record<'_>) -> Fix {
    let value = record.value();
    let searched = &value[..value.len().min(VALUE_BYTES_MAX)];
    let mut edits = Vec::new();
    let mut title = "insert a line end before it";
    // The previous record: the start of its key, the key, and the start of its value.
    let (mut key_start, mut key, mut value_at) = (record.key_span().start, record.key(), 0);
    while let Some(at) = searched.get(value_at..).and_then(start_of_another) {
        let at = value_at + at;
        let next_key = value[at..]
            .split(|it| *it == b':')
            .next()
            .unwrap_or_default();
        // White space before the lost line end is not part of the value.
        let kept = value_at + value[value_at..at].trim_ascii_end().len();
        let is_twice = kept == value_at && next_key.eq_ignore_ascii_case(key);
        let mut replaced = part(record.value_span(), kept..at);
        let mut text = file.line_end(replaced.end);
        if is_twice {
            if edits.is_empty() {
                title = "remove the first key";
            }
            (replaced.start, text) = (key_start, "");
        }
        edits.push(Edit::new(replaced, text.as_bytes()));
        (key_start, key) = (replaced.end, next_key);
        let rest = &value[at + next_key.len() + 1..];
        value_at = value.len() - rest.trim_ascii_start().len();
    }
    Fix::new(title, Meaning::Changed, edits)
}
