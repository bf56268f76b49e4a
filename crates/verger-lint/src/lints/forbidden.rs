use verger::Clause;
use verger_access::{Outcome, Reply};

use crate::conclusions::add_answer;
use crate::example::{Example, ServedExample};
use crate::finding::Findings;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "forbidden",
    severity: Severity::Error,
    summary: "the server answers with status 401 or 403",
    explanation: "\
A login, a firewall or a bot protection answers instead of the file, so no crawler reads its rules. Crawlers
draw different conclusions: RFC 9309 and Google assume that there is no file, so everything may be fetched.
Others follow the draft of 1996, in which the site is closed. Exempt `/robots.txt` from these protections: every
client must be able to read it.",
    wrong: ServedExample::answered(
        &[("https://example.com/robots.txt", 403)],
        Outcome::Error(Reply::Http(403)),
    ),
    right: Example::USUAL,
    clauses: &[Clause::new("R9309-2.3.1.3-1"), Clause::new("G-4xx-1"), Clause::new("K96-3.1-6")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_one = |status| matches!(status, 401 | 403);
    let help = "exempt `/robots.txt` from logins, firewalls and bot protection";
    add_answer(file, is_one, help, found);
}
