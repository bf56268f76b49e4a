use verger::Clause;
use verger_access::{Outcome, Reply};

use crate::conclusions::add_answer;
use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "unusual-status",
    severity: Severity::Error,
    summary: "the server answers with an unusual status other than 200",
    explanation: "\
Crawlers read the file after any 2xx, but a 204 has no body, and a 206 may be only part of the file. These are
notes. After a 206 whose Content-Range states a part, or a status below 200 or above 599, crawlers treat the
site as unreachable and fetch nothing. RFC 9309 does not define these cases. Serve the file with status 200.",
    wrong: ServedExample::answered(
        &[("https://example.com/robots.txt", 999)],
        Outcome::Error(Reply::Http(999)),
    ),
    right: Example::USUAL,
    clauses: &[Clause::new("R9309-2.3.1.1-1"), Clause::new("K96-3.1-4"), Clause::new("V-54")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let Some(fetch) = &file.served.fetch else {
        return;
    };
    let help = "serve the file with status 200";
    add_answer(file, |status| matches!(status, ..300 | 600..), help, found);
    if let (None, Some(status @ 201..=299)) = (fetch.error_status(), fetch.status()) {
        let message = format!("the server answers with status {status} instead of 200");
        let draft = Draft::of_serving(message).help(help);
        found.add(draft.severity(Severity::Note));
    }
}
