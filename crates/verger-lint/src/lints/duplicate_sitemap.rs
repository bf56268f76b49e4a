//! `duplicate-sitemap`: a sitemap that is named twice.

use std::collections::BTreeMap;

use verger::{Clause, Record, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "duplicate-sitemap",
    severity: Severity::Note,
    summary: "a sitemap is named twice",
    explanation: "\
A Sitemap line is for the whole file. A second line with the same URL says nothing new, in whatever group it
is.",
    wrong: Example::of(b"Sitemap: https://h.example/s.xml\nUser-agent: *\nDisallow: /private\nSitemap: https://h.example/s.xml\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\nSitemap: https://h.example/s.xml\n"),
    clauses: &[Clause::new("SM-1"), Clause::new("G-map-3")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut first: BTreeMap<&[u8], Record<'_>> = BTreeMap::new();
    for record in file.robots.records_of(RecordKind::Sitemap) {
        if record.value().is_empty() {
            continue;
        }
        let first = *first.entry(record.value()).or_insert(record);
        if first.line() != record.line() {
            let draft = Draft::new(record.span(), "this sitemap is named already")
                .also(first.span(), "here")
                .help("remove this line")
                .fix(file.removal(&record));
            found.add(draft);
        }
    }
}
