use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::values::add_problems;

pub(super) const LINT: Lint = Lint {
    code: "invalid-crawl-delay",
    severity: Severity::Warning,
    summary: "a Crawl-delay is not a number of seconds, or is longer than a day",
    explanation: "\
A Crawl-delay is a number of seconds, with or without a fraction. Crawlers ignore any other value. More than a
day is valid, but crawlers may limit it.",
    wrong: Example::of(b"User-agent: *\nCrawl-delay: 10s\nDisallow: /private\n"),
    right: Example::of(b"User-agent: *\nCrawl-delay: 10\nDisallow: /private\n"),
    clauses: &[Clause::new("V-75")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let help = "write seconds: `10` or `0.5`";
    add_problems(file, RecordKind::CrawlDelay, help, found);
}
