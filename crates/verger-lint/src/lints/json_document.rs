//! `json-document`: JSON in the place of the file.

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
A crawler finds no rule in it, and may fetch everything. Mostly an interface for programs answers every path,
or says in JSON, with the status 200, that there is no such file. Serve `/robots.txt` as `text/plain`; where there is
none, answer 404.",
    wrong: Example::of(b"{\"error\": \"not found\"}\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.3-2"), Clause::new("G-fmt-3")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    if file.is_json() {
        let message = "the file is JSON, in which no crawler finds a rule";
        let help = "serve `/robots.txt` as text, or answer 404 where there is none";
        found.add(Draft::new(file.first_line(), message).help(help));
    }
}
