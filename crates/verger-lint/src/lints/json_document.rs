use verger::Clause;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "json-document",
    severity: Severity::Error,
    summary: "the file is JSON",
    explanation: "\
A crawler finds no rule in it, and may fetch everything. Usually an API answers every path, or reports a missing
file in JSON with status 200. Serve `/robots.txt` as `text/plain`, or answer 404.",
    wrong: Example::of(b"{\"error\": \"not found\"}\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.3-2"), Clause::new("G-fmt-3")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    if file.is_json() {
        let message = "the file is JSON: crawlers find no rule in it";
        let help = "serve `/robots.txt` as text, or answer 404 if there is none";
        found.add(Draft::new(file.first_line(), message).help(help));
    }
}
