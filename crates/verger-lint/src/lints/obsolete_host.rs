use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "obsolete-host",
    severity: Severity::Note,
    summary: "a Host line is obsolete: only Yandex read it",
    explanation: "\
Yandex read the line until 2018 and now uses redirects. No other search engine read it. Redirect the other host
names of the site permanently, and remove the line.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nHost: www.h.example\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-78")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    if let Some(record) = file.robots.records_of(RecordKind::Host).next() {
        let message = "no search engine reads Host lines any more";
        found.add(Draft::new(record.span(), message).help("use permanent redirects"));
    }
}
