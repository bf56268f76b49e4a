//! `rule-before-group`: a rule that belongs to no group.

use verger::{Clause, DiagnosticKind, Span};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "rule-before-group",
    severity: Severity::Error,
    summary: "an Allow or Disallow line stands before the first user-agent line",
    explanation: "\
Rules belong to the user-agent lines above them. A rule that has none above it is ignored by every
crawler. Put `User-agent: *` before it if it is meant for all of them.",
    wrong: Example::of(b"Disallow: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.2-17")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_outside = |kind| matches!(kind, DiagnosticKind::RuleOutsideGroup);
    let outside = file.diagnostics.iter().filter(|it| is_outside(it.kind));
    for (nth, diagnostic) in outside.enumerate() {
        let line = file.places.line(diagnostic.span.start);
        let start = Span {
            start: line.start,
            end: line.start,
        };
        // One line before the first of them is enough for all.
        let fix = (nth == 0).then(|| {
            let title = "put `User-agent: *` before it";
            Fix::new(title, Meaning::Changed, start, &b"User-agent: *\n"[..])
        });
        let draft = Draft::new(line, diagnostic.kind.to_string())
            .help("put a user-agent line before it")
            .fix(fix);
        found.add(draft);
    }
}
