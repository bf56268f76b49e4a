use verger::Clause;
use verger_access::{Outcome, RedirectEnd};

use crate::conclusions::Conclusions;
use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "too-many-redirects",
    severity: Severity::Error,
    summary: "more than five redirects lead to the file, or the redirects form a loop",
    explanation: "\
RFC 9309 tells crawlers to follow five consecutive redirects. After that, most crawlers assume that the file is
missing. Redirect once, to the URL of the file.",
    wrong: ServedExample::answered(
        &[
            ("https://example.com/robots.txt", 301),
            ("https://example.com/1", 302),
            ("https://example.com/2", 302),
            ("https://example.com/3", 302),
            ("https://example.com/4", 302),
            ("https://example.com/5", 302),
        ],
        Outcome::Redirect(RedirectEnd::TooMany),
    ),
    right: Example::usual_file(ServedExample {
        hops: &[
            ("https://example.com/robots.txt", 301),
            ("https://example.com/5", 200),
        ],
        ..ServedExample::USUAL
    }),
    clauses: &[Clause::new("R9309-2.3.1.2-1"), Clause::new("R9309-2.3.1.2-3"), Clause::new("G-3xx-1"), Clause::new("V-46")],
    check,
};

/// Number of consecutive redirects that crawlers should follow (R9309-2.3.1.2-1).
const REDIRECTS_MAX: usize = 5;

fn check(file: &Subject<'_>, found: &mut Findings) {
    let Some(fetch) = &file.served.fetch else {
        return;
    };
    let redirects = fetch.redirects();
    let message = match fetch.outcome {
        Outcome::Redirect(end @ RedirectEnd::Loop) => {
            let conclusions = Conclusions::of(Outcome::Redirect(end));
            format!("the redirects form a loop: {conclusions}")
        }
        _ if redirects > REDIRECTS_MAX => {
            let conclusions = Conclusions::of(Outcome::Redirect(RedirectEnd::TooMany));
            format!("{redirects} redirects, but many crawlers follow five: then {conclusions}")
        }
        _ => return,
    };
    found.add(Draft::of_serving(message).help("redirect once, to the URL of the file"));
}
