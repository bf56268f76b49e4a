use verger::Clause;

use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::served::{ServedFetch, without_www};
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "redirected-to-other-host",
    severity: Severity::Warning,
    summary: "a redirect leads to another host",
    explanation: "\
RFC 9309 tells crawlers to follow the redirect and apply the file to the original host. Some crawlers do not,
and treat the file as missing or the site as closed. The owner of the other host also controls the rules for
this one. A redirect between a host and the same host with `www.` is a note.",
    wrong: Example::usual_file(ServedExample {
        hops: &[
            ("https://example.com/robots.txt", 301),
            ("https://cdn.example.net/robots.txt", 200),
        ],
        ..ServedExample::USUAL
    }),
    right: Example::USUAL,
    clauses: &[Clause::new("R9309-2.3.1.2-1"), Clause::new("R9309-2.3.1.2-2"), Clause::new("V-47")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let fetch = file.served.fetch.as_ref().filter(|it| it.is_file());
    let Some((first, last)) = fetch.and_then(ServedFetch::sites) else {
        return;
    };
    if first.host() == last.host() {
        return;
    }
    let is_near = without_www(first.host()) == without_www(last.host());
    let message = format!(
        "the file comes from another host, {}",
        quoted(last.host().as_bytes())
    );
    let help = "serve the file on the host to which it applies";
    found.add(Draft::of_serving(message).help(help).note_if(is_near));
}
