use std::collections::BTreeSet;

use verger::Clause;
use verger_extensions::{content_signal, content_usage, licenses, link_targets};

use crate::example::{Example, ServedExample};
use crate::extent::Selected;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::preferences::{Statement, stating};
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "header-contradicts-file",
    severity: Severity::Warning,
    summary: "response headers about the use of content contradict the lines of the file",
    explanation: "\
The response to `/robots.txt` has a `Content-Signal` or `Content-Usage` header that permits what the file
refuses, or refuses what it permits. A server that sends the header with this response probably sends it with
every page. Crawlers combine it with the file, and a careful one obeys the refusal. Make the two agree. Lines
for one path are not compared. The lint checks the first 100 crawlers of a file whose groups state preferences.

A `Link` header with the relation `license` is a note if it names none of the file's licences.",
    wrong: Example::served_as(
        b"User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n",
        ServedExample {
            headers: &[
                ("content-type", "text/plain; charset=utf-8"),
                ("content-signal", "ai-train=yes"),
            ],
            ..ServedExample::USUAL
        },
    ),
    right: Example::served_as(
        b"User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n",
        ServedExample {
            headers: &[
                ("content-type", "text/plain; charset=utf-8"),
                ("content-signal", "ai-train=no"),
            ],
            ..ServedExample::USUAL
        },
    ),
    clauses: &[Clause::new("AA-1"), Clause::new("CS-1"), Clause::new("RSL-1")],
    check,
};

/// Maximum number of crawlers to check, among those whose groups state preferences.
const CRAWLERS_MAX: usize = 100;

fn check(file: &Subject<'_>, found: &mut Findings) {
    let Some(fetch) = file.served.fetch.as_ref().filter(|it| it.is_file()) else {
        return;
    };
    let links = fetch.header("link");
    licences(
        file,
        links.flat_map(|it| link_targets(it, "license")),
        found,
    );
    let of_headers = Statement::of_headers(fetch);
    if of_headers.is_empty() {
        return;
    }
    let mut reported = BTreeSet::new();
    for (first, Selected { crawler, .. }) in stating(file).take(CRAWLERS_MAX) {
        let signal = content_signal(file.robots, crawler);
        let usage = content_usage(file.robots, crawler);
        for line in Statement::of_lines(&signal, &usage) {
            let header = of_headers.iter().find(|it| it.contradicts(&line));
            let Some(header) = header.filter(|it| reported.insert((it.of, first.line()))) else {
                continue;
            };
            let message = format!(
                "{} says {} here, and the response header {} says {}",
                line.field,
                quoted(line.text.as_bytes()),
                header.field,
                quoted(header.text.as_bytes())
            );
            let help = "make the header and the file agree";
            found.add(Draft::new(first.span(), message).help(help));
        }
    }
}

/// Finds a licence in a header if the file names others.
fn licences<'l>(
    file: &Subject<'_>,
    mut links: impl Iterator<Item = &'l [u8]>,
    found: &mut Findings,
) {
    let of_file: BTreeSet<&[u8]> = licenses(file.robots).map(|it| it.url()).collect();
    let other = links.find(|link| !of_file.contains(link));
    if let (Some(link), Some(line)) = (other, licenses(file.robots).next()) {
        let message = format!(
            "the file names this licence, and the response header Link names {}",
            quoted(link)
        );
        let draft = Draft::new(line.record().span(), message);
        found.add(draft.severity(Severity::Note));
    }
}
