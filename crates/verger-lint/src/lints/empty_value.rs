use verger::Clause;
use verger_extensions::{ValueProblem, value_problems};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "empty-value",
    severity: Severity::Warning,
    summary: "a line that needs a value has none",
    explanation: "\
A Sitemap, Crawl-delay or other extension line without a value has no effect. Usually a template did not fill it
in. A Disallow line without a value is valid and is not reported.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nSitemap:\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\nSitemap: https://h.example/sitemap.xml\n"),
    clauses: &[Clause::new("R9309-2.2.4-1"), Clause::new("SM-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for record in file.robots.records().filter(|it| it.value().is_empty()) {
        let problems = value_problems(&record);
        if problems.iter().any(|it| it.problem == ValueProblem::Empty) {
            let message = format!("{} has no value and no effect", quoted(record.key()));
            found.add(Draft::new(record.span(), message).help("write a value, or remove the line"));
        }
    }
}
