use verger::{Clause, Span};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Edit, Fix};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "carriage-return-line-ends",
    severity: Severity::Note,
    summary: "lines end with only CR",
    explanation: "\
The grammar permits CR, and crawlers that follow it read the file. Many programs read it as one line. Save the
file with LF or CR LF.",
    wrong: Example::of(b"User-agent: *\rDisallow: /private\r"),
    right: Example::of(b"User-agent: *\r\nDisallow: /private\r\n"),
    clauses: &[Clause::new("GL-line-1"), Clause::new("G-fmt-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let body = file.robots.body();
    if body.contains(&b'\n') || file.is_page() {
        return;
    }
    let ends = (0..body.len()).filter(|at| body[*at] == b'\r');
    let start = Span { start: 0, end: 0 };
    let edits = ends.map(|at| Edit::new(part(start, at..at + 1), &b"\n"[..]));
    let edits: Vec<Edit> = edits.collect();
    if edits.is_empty() {
        return;
    }
    let fix = Fix::new("end the lines with LF", file.meaning_kept(), edits);
    let message = "the lines end with only CR: many programs read the file as one line";
    found.add(Draft::new(file.first_line(), message).fixed_by(fix));
}
