use verger::Clause;
use verger_access::{Outcome, Reply};

use crate::conclusions::add_answer;
use crate::example::{Example, ServedExample};
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "server-error",
    severity: Severity::Error,
    summary: "the server answers with a status from 500 to 599",
    explanation: "\
While the file cannot be fetched, RFC 9309 treats the whole site as disallowed. A crawler that fetched it before
may use its copy. Google stops crawling for twelve hours, then uses its copy for up to 30 days, and then crawls
without rules if the rest of the site answers. Serve the file. An error page that says \"not found\" needs
status 404.",
    wrong: ServedExample::answered(
        &[("https://example.com/robots.txt", 503)],
        Outcome::Error(Reply::Http(503)),
    ),
    right: Example::USUAL,
    clauses: &[Clause::new("R9309-2.3.1.4-1"), Clause::new("G-5xx-1"), Clause::new("G26-5xx-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_one = |status| matches!(status, 500..=599);
    let help = "serve the file, or answer 404 if there is none";
    add_answer(file, is_one, help, found);
}
