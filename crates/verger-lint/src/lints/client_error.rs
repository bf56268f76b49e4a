use verger::Clause;
use verger_access::{Outcome, Reply};

use crate::conclusions::add_answer;
use crate::example::{Example, ServedExample};
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "client-error",
    severity: Severity::Warning,
    summary: "the server answers with an unusual status from 400 to 499",
    explanation: "\
After any 4xx except 429, RFC 9309 and Google assume a missing file, so everything may be fetched. Other
crawlers wait, or treat the site as closed. 401, 403, 404, 410 and 429 have their own lints. Serve the file, or
answer 404.",
    wrong: ServedExample::answered(
        &[("https://example.com/robots.txt", 451)],
        Outcome::Error(Reply::Http(451)),
    ),
    right: Example::USUAL,
    clauses: &[Clause::new("R9309-2.3.1.3-1"), Clause::new("G-4xx-1"), Clause::new("V-53")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_one = |status| matches!(status, 400 | 402 | 405..=409 | 411..=428 | 430..=499);
    let help = "serve the file, or answer 404 if there is none";
    add_answer(file, is_one, help, found);
}
