use verger::Clause;

use crate::example::{Example, ServedExample};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "charset-not-utf8",
    severity: Severity::Warning,
    summary: "the `Content-Type` names a charset other than UTF-8",
    explanation: "\
Crawlers read a robots.txt as UTF-8, whatever the header says. If the file has bytes beyond ASCII, the header or
the file is wrong. For a pure ASCII file the charset does not matter, and the finding is a note.",
    wrong: Example::served_as(
        b"User-agent: *\nDisallow: /caf\xC3\xA9\n",
        ServedExample {
            headers: &[("content-type", "text/plain; charset=iso-8859-1")],
            ..ServedExample::USUAL
        },
    ),
    right: Example::served_as(
        b"User-agent: *\nDisallow: /caf\xC3\xA9\n",
        ServedExample::USUAL,
    ),
    clauses: &[Clause::new("R9309-2.3-2"), Clause::new("D00-2.3-2")],
    check,
};

/// Names of UTF-8 and its subset ASCII.
const NAMES: [&str; 4] = ["utf-8", "utf8", "us-ascii", "ascii"];

fn check(file: &Subject<'_>, found: &mut Findings) {
    let fetch = file.served.fetch.as_ref().filter(|it| it.has_content());
    let Some(content_type) = fetch.and_then(|fetch| fetch.content_type()) else {
        return;
    };
    let mut parameters = content_type.split(|byte| *byte == b';').skip(1);
    let Some(charset) = parameters.find_map(charset_of) else {
        return;
    };
    let is_name = |name: &&str| charset.eq_ignore_ascii_case(name.as_bytes());
    if file.is_page() || NAMES.iter().any(is_name) {
        return;
    }
    let message = format!(
        "the header says that the file is {}, but crawlers read it as UTF-8",
        quoted(charset)
    );
    let help = "save the file as UTF-8, and serve it with `charset=utf-8`";
    let draft = Draft::of_serving(message).help(help);
    found.add(draft.note_if(file.robots.body().is_ascii()));
}

/// Returns the charset parameter without quotes.
fn charset_of(parameter: &[u8]) -> Option<&[u8]> {
    let mut parts = parameter.splitn(2, |byte| *byte == b'=');
    let name = parts.next()?.trim_ascii();
    let value = parts.next()?.trim_ascii();
    let unquoted = value
        .strip_prefix(b"\"")
        .and_then(|it| it.strip_suffix(b"\""));
    name.eq_ignore_ascii_case(b"charset")
        .then_some(unquoted.unwrap_or(value))
}
