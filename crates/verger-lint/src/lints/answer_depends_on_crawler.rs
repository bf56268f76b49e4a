use verger::Clause;
use verger_access::{Outcome, Reply};

use crate::example::{Example, OK, ServedExample, USUAL_FILE};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::served::is_file;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "answer-depends-on-crawler",
    severity: Severity::Warning,
    summary: "a request with a crawler's User-Agent gets a different answer",
    explanation: "\
A request for the same URL with a crawler's name in the `User-Agent` got a different answer. The usual cause is
a firewall or bot protection, often without the owner's knowledge. The finding is only an indication. Many of
these systems also check the client's address, so the real crawler may get a third answer. Check the settings of
the CDN, and the answers to the real crawler in the access log.",
    wrong: Example::usual_file(ServedExample {
        as_crawlers: &[("GPTBot", Outcome::Error(Reply::Http(403)), None)],
        ..ServedExample::USUAL
    }),
    right: Example::usual_file(ServedExample {
        as_crawlers: &[("GPTBot", OK, Some(USUAL_FILE))],
        ..ServedExample::USUAL
    }),
    clauses: &[Clause::new("R9309-2.2.1-3"), Clause::new("R9309-2.3.1.3-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let Some(fetch) = &file.served.fetch else {
        return;
    };
    for answered in &file.served.as_crawlers {
        let name = quoted(answered.name.as_bytes());
        let message = match (is_file(fetch.outcome), is_file(answered.outcome)) {
            (true, true) if answered.body.as_deref() == Some(file.robots.body()) => continue,
            (true, true) => {
                format!("a request with the User-Agent of {name} gets a different file")
            }
            _ if answered.outcome == fetch.outcome => continue,
            _ => format!(
                "a request with the User-Agent of {name} gets {}, other requests get {}",
                described(answered.outcome),
                described(fetch.outcome)
            ),
        };
        let help = "check the settings of firewalls and bot protection, which may treat the real \
                    crawler differently by its address";
        found.add(Draft::of_serving(message).help(help));
    }
}

fn described(outcome: Outcome) -> String {
    match outcome {
        Outcome::Failed(failure) => format!("no answer ({failure})"),
        outcome => outcome.to_string(),
    }
}
