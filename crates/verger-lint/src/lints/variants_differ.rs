use verger::{Clause, Dialect, GroupIndex, RobotsTxt};
use verger_access::{Outcome, Reply, TransportFailure};

use crate::conclusions::Conclusions;
use crate::example::{Example, OK, ServedExample, USUAL_FILE};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::same_meaning::mean_the_same;
use crate::served::{OtherFetch, is_file};
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "variants-differ",
    severity: Severity::Warning,
    summary: "the site serves a different file, or none, under another of its names",
    explanation: "\
Each scheme and host has its own robots.txt: the file of `https://example.com` does not apply to
`http://example.com` or `https://www.example.com`. If they serve the same pages, they need the same rules.
Redirect them all to one, or serve one file on all of them. A different file whose rules provably mean the same
for every crawler is a note. A name that does not exist or accepts no connection is not reported. A name that
fails in another way is a note.",
    wrong: Example::usual_file(ServedExample {
        variants: &[(
            "https://www.example.com/robots.txt",
            OK,
            Some(b"User-agent: *\nDisallow:\n"),
        )],
        ..ServedExample::USUAL
    }),
    right: Example::usual_file(ServedExample {
        variants: &[
            ("http://example.com/robots.txt", OK, Some(USUAL_FILE)),
            ("https://www.example.com/robots.txt", OK, Some(USUAL_FILE)),
        ],
        ..ServedExample::USUAL
    }),
    clauses: &[Clause::new("G-loc-5"), Clause::new("G-url-1"), Clause::new("G-url-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let Some(fetch) = &file.served.fetch else {
        return;
    };
    for variant in &file.served.variants {
        let drafted = match (is_file(fetch.outcome), is_file(variant.outcome)) {
            (true, true) => other_file(variant, file),
            (true, false) => no_file(variant),
            (false, true) => {
                let url = quoted(variant.name.as_bytes());
                Some(Draft::of_serving(format!(
                    "{url} serves a file, and this URL does not"
                )))
            }
            (false, false) => None,
        };
        let help = "redirect all names of the site to one, or serve one file on all of them";
        if let Some(draft) = drafted {
            found.add(draft.help(help));
        }
    }
}

fn other_file(variant: &OtherFetch, file: &Subject<'_>) -> Option<Draft> {
    let url = quoted(variant.name.as_bytes());
    let body = variant.body.as_deref().unwrap_or_default();
    if body == file.robots.body() {
        return None;
    }
    let other = GroupIndex::new(RobotsTxt::parse(body, Dialect::Rfc9309));
    Some(if mean_the_same(file.index, &other) {
        let message = format!("{url} serves a different file whose rules mean the same");
        Draft::of_serving(message).severity(Severity::Note)
    } else {
        Draft::of_serving(format!("{url} serves another file"))
    })
}

fn no_file(variant: &OtherFetch) -> Option<Draft> {
    let url = quoted(variant.name.as_bytes());
    let conclusions = Conclusions::of(variant.outcome);
    match variant.outcome {
        // The site does not exist, or not for this client.
        Outcome::Failed(
            TransportFailure::Dns | TransportFailure::Connect | TransportFailure::AddressRefused,
        ) => None,
        Outcome::Failed(failure) => {
            let draft = Draft::of_serving(format!("{url} cannot be fetched: {failure}"));
            Some(draft.severity(Severity::Note))
        }
        Outcome::Error(Reply::Http(404 | 410)) => Some(Draft::of_serving(format!(
            "{url} has no robots.txt: {conclusions} there"
        ))),
        outcome => Some(Draft::of_serving(format!(
            "{url} is answered with {outcome}: there {conclusions}"
        ))),
    }
}
