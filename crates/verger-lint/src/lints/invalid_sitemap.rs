//! `invalid-sitemap`: a sitemap that is no absolute URL.

use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::values::add_problems;

pub(super) const LINT: Lint = Lint {
    code: "invalid-sitemap",
    severity: Severity::Warning,
    summary: "a Sitemap line has no absolute URL",
    explanation: "\
A sitemap is named by its full URL, with scheme and host. Some crawlers resolve a relative one, others ignore
it. The line may be anywhere in the file and belongs to no group.",
    wrong: Example::of(b"Sitemap: /sitemap.xml\nUser-agent: *\nDisallow: /private\n"),
    right: Example::of(b"Sitemap: https://h.example/sitemap.xml\nUser-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("SM-1"), Clause::new("G-map-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let help = "write the full URL: `https://host/sitemap.xml`";
    add_problems(file, RecordKind::Sitemap, help, found);
}
