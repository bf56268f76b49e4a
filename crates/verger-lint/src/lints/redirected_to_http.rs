use verger::Clause;
use verger_access::Hop;

use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "redirected-to-http",
    severity: Severity::Warning,
    summary: "a redirect leads from https to http",
    explanation: "\
Others can change the file on an unencrypted connection. Some crawlers do not follow the redirect and treat the
site as closed. Redirect to https, or serve the file directly.",
    wrong: Example::usual_file(ServedExample {
        hops: &[
            ("https://example.com/robots.txt", 302),
            ("http://example.com/robots.txt", 200),
        ],
        ..ServedExample::USUAL
    }),
    right: Example::USUAL,
    clauses: &[Clause::new("R9309-2.3.1.2-1"), Clause::new("V-48")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let hops = file
        .served
        .fetch
        .iter()
        .flat_map(|fetch| fetch.hops.windows(2));
    let downgrade =
        |[from, to]: &[Hop; 2]| from.url.scheme() == "https" && to.url.scheme() == "http";
    let mut hops = hops.filter_map(|two| <&[Hop; 2]>::try_from(two).ok());
    if let Some([_, to]) = hops.find(|two| downgrade(two)) {
        let message = format!(
            "a redirect leads from https to {}",
            quoted(to.url.as_str().as_bytes())
        );
        let help = "redirect to https, or serve the file at `/robots.txt`";
        found.add(Draft::of_serving(message).help(help));
    }
}
