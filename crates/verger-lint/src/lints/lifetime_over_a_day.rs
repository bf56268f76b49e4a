//! `lifetime-over-a-day`: a lifetime over 24 hours.

use std::time::Duration;

use verger::Clause;

use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "lifetime-over-a-day",
    severity: Severity::Warning,
    summary: "the headers let caches keep the file for more than 24 hours",
    explanation: "\
A `max-age`, `s-maxage` or `Expires` of more than a day keeps an old file in use: in the caches of an edge, and with
crawlers that honour the header, as Google does. RFC 9309 asks crawlers not to use a copy for longer than 24
hours. A change of the rules, perhaps an urgent one, then waits that long.",
    wrong: Example::usual_file(ServedExample {
        headers: &[
            ("content-type", "text/plain; charset=utf-8"),
            ("cache-control", "max-age=604800"),
        ],
        stated_lifetime: Some(Duration::from_secs(604_800)),
        ..ServedExample::USUAL
    }),
    right: Example::usual_file(ServedExample {
        headers: &[
            ("content-type", "text/plain; charset=utf-8"),
            ("cache-control", "max-age=86400"),
        ],
        stated_lifetime: Some(Duration::from_secs(86_400)),
        ..ServedExample::USUAL
    }),
    clauses: &[Clause::new("R9309-2.4-3"), Clause::new("R9309-2.4-2"), Clause::new("G-cache-3")],
    check,
};

/// For how long RFC 9309 lets a crawler use its copy. R9309-2.4-3.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn check(file: &Subject<'_>, found: &mut Findings) {
    let fetch = file.served.fetch.as_ref().filter(|it| it.is_file());
    let stated = fetch.and_then(|fetch| fetch.stated_lifetime);
    if let Some(stated) = stated.filter(|stated| *stated > DAY) {
        let hours = stated.as_secs() / 3600;
        let message = format!("caches may keep the file for {hours} hours");
        let help = "state a `max-age` of 86400 (24 hours) or less";
        found.add(Draft::of_serving(message).help(help));
    }
}
