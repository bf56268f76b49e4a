use verger::Clause;
use verger_access::{Outcome, Reply};

use crate::conclusions::Conclusions;
use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "not-found",
    severity: Severity::Note,
    summary: "the site has no robots.txt",
    explanation: "\
After a 404 or 410, every crawler may fetch everything. That may be intended. A file with `User-agent: *` and an
empty `Disallow:` has the same effect, and shows that you mean it.",
    wrong: ServedExample::answered(
        &[("https://example.com/robots.txt", 404)],
        Outcome::Error(Reply::Http(404)),
    ),
    right: Example::served_as(b"User-agent: *\nDisallow:\n", ServedExample::USUAL),
    clauses: &[Clause::new("R9309-2.3.1.3-2"), Clause::new("G-4xx-1"), Clause::new("K96-3.1-5")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let Some(fetch) = &file.served.fetch else {
        return;
    };
    if let Some(status @ (404 | 410)) = fetch.error_status() {
        let conclusions = Conclusions::of(fetch.outcome);
        let message = format!("the site has no robots.txt (status {status}): {conclusions}");
        let help = "to allow everything on purpose, serve `User-agent: *` and `Disallow:`";
        found.add(Draft::of_serving(message).help(help));
    }
}
