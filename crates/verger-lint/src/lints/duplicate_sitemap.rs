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
    summary: "a sitemap is listed twice",
    explanation: "\
A Sitemap line applies to the whole file. A second line with the same URL adds nothing, whatever group it is in.",
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
            let draft = Draft::new(record.span(), "this sitemap is already listed")
                .also(first.span(), "here")
                .help("remove this line")
                .fix(file.removal(&record));
            found.add(draft);
        }
    }
}
