use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

/// Keys that belong elsewhere.
const KEYS: [&str; 6] = [
    "noarchive",
    "nofollow",
    "nosnippet",
    "revisit-after",
    "x-robots-tag",
    "robots",
];

pub(super) const LINT: Lint = Lint {
    code: "unused-key",
    severity: Severity::Note,
    summary: "a line belongs in a page or a response header",
    explanation: "\
`Nofollow`, `Noarchive`, `Nosnippet`, `X-Robots-Tag` and `Revisit-after` are values of the robots meta element
or of response headers, or never were a standard. No known crawler reads them in a robots.txt. Other unknown
keys are not reported.",
    wrong: Example::of(b"User-agent: *\nNoarchive: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-82")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for record in file.robots.records_of(RecordKind::Other) {
        let key = record.key();
        if KEYS
            .iter()
            .any(|it| key.eq_ignore_ascii_case(it.as_bytes()))
        {
            let message = format!("no known crawler reads {} in a robots.txt", quoted(key));
            let help = "use the robots meta element or an `X-Robots-Tag` header";
            found.add(Draft::new(record.span(), message).help(help));
        }
    }
}
