use verger::Clause;

use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "not-plain-text",
    severity: Severity::Warning,
    summary: "the `Content-Type` of the file is not text/plain",
    explanation: "\
RFC 9309 requires `text/plain`. Crawlers still read the file, but proxies between them and the server may block
it, and browsers offer it as a download. A missing `Content-Type` is a note. For an HTML page see `html-page`.",
    wrong: Example::usual_file(ServedExample {
        headers: &[("content-type", "application/octet-stream")],
        ..ServedExample::USUAL
    }),
    right: Example::USUAL,
    clauses: &[Clause::new("R9309-2.3-2"), Clause::new("D00-2.3-3"), Clause::new("V-58")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let fetch = file.served.fetch.as_ref().filter(|it| it.has_content());
    let Some(fetch) = fetch.filter(|_| !file.is_page()) else {
        return;
    };
    let help = "serve it with `Content-Type: text/plain; charset=utf-8`";
    let Some(content_type) = fetch.content_type().filter(|it| !it.is_empty()) else {
        let draft = Draft::of_serving("the answer has no `Content-Type`").help(help);
        found.add(draft.severity(Severity::Note));
        return;
    };
    let mut parts = content_type.split(|byte| *byte == b';');
    let media_type = parts.next().unwrap_or_default().trim_ascii();
    if !media_type.eq_ignore_ascii_case(b"text/plain") {
        let message = format!("the file is served as {}", quoted(media_type));
        found.add(Draft::of_serving(message).help(help));
    }
}
