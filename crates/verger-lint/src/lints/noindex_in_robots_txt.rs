//! `noindex-in-robots-txt`: a Noindex line.

use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::values::add_problems;

pub(super) const LINT: Lint = Lint {
    code: "noindex-in-robots-txt",
    severity: Severity::Warning,
    summary: "a Noindex line, which no crawler obeys",
    explanation: "\
Google stopped reading Noindex lines in September 2019, and they never were documented. A page is kept out of an
index by an `X-Robots-Tag: noindex` header or a robots meta element, and the crawler must be allowed to fetch it
to see them.",
    wrong: Example::of(b"User-agent: *\nNoindex: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-80")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let help = "use an `X-Robots-Tag: noindex` header or a robots meta element";
    add_problems(file, RecordKind::Noindex, help, found);
}
