use verger::Clause;
use verger_access::{Outcome, RedirectEnd};

use crate::conclusions::Conclusions;
use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "broken-redirect",
    severity: Severity::Error,
    summary: "a redirect does not lead to a file",
    explanation: "\
The answer is a redirect without a location, with a location that is not a URL, to a scheme other than http and
https, to a port of another protocol, or to a URL that its own robots.txt disallows. Most crawlers then treat
the site as unreachable, and fetch nothing. If only the profile (`--profile`) does not follow the redirect, the
finding is a warning.",
    wrong: ServedExample::answered(
        &[("https://example.com/robots.txt", 302)],
        Outcome::Redirect(RedirectEnd::NoLocation),
    ),
    right: Example::usual_file(ServedExample {
        hops: &[
            ("https://example.com/robots.txt", 302),
            ("https://example.com/files/robots.txt", 200),
        ],
        ..ServedExample::USUAL
    }),
    clauses: &[Clause::new("R9309-2.3.1.2-2"), Clause::new("G-3xx-2"), Clause::new("V-49")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let Some(Outcome::Redirect(end)) = file.served.fetch.as_ref().map(|it| it.outcome) else {
        return;
    };
    let help = "serve the file at `/robots.txt`, or redirect to a URL that has it";
    match end {
        // Other lints report these.
        RedirectEnd::TooMany | RedirectEnd::Loop => {}
        // This depends on the profile of the fetch.
        RedirectEnd::OtherHost | RedirectEnd::Downgrade | RedirectEnd::DisallowedHop => {
            let draft = Draft::of_serving(end.to_string()).help(help);
            found.add(draft.severity(Severity::Warning));
        }
        _ => {
            let conclusions = Conclusions::of(Outcome::Redirect(end));
            found.add(Draft::of_serving(format!("{end}: {conclusions}")).help(help));
        }
    }
}
