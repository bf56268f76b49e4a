use verger::Clause;
use verger_access::{Outcome, Reply};

use crate::conclusions::add_answer;
use crate::example::{Example, ServedExample};
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "too-many-requests",
    severity: Severity::Error,
    summary: "the server answers with status 429",
    explanation: "\
The server asks for fewer requests. Google treats this as a server error, and stops crawling the whole site. By
the letter of RFC 9309, 429 is like any other 4xx, and everything may be fetched. Exempt `/robots.txt` from rate
limits: crawlers fetch it about once a day.",
    wrong: ServedExample::answered(
        &[("https://example.com/robots.txt", 429)],
        Outcome::Error(Reply::Http(429)),
    ),
    right: Example::USUAL,
    clauses: &[Clause::new("G-5xx-1"), Clause::new("R9309-2.3.1.3-1"), Clause::new("V-52")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_one = |status| status == 429;
    let help = "exempt `/robots.txt` from rate limits";
    add_answer(file, is_one, help, found);
}
