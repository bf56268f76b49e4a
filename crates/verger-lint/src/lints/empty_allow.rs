use verger::{Clause, Effect};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "empty-allow",
    severity: Severity::Warning,
    summary: "an Allow line without a path has no effect",
    explanation: "\
A rule without a path matches nothing. `Allow:` does not allow everything, and some parsers read it as the
opposite, by analogy with `Disallow:`, which disallows nothing. Write `Allow: /`, or remove the line.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nAllow:\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-26"), Clause::new("G-syn-4")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for rule in file.robots.records().filter_map(|it| it.as_rule()) {
        if rule.effect() == Effect::Allow && rule.pattern().is_empty() {
            let message = "a rule without a path matches nothing: this does not allow everything";
            found
                .add(Draft::new(rule.span(), message).help("write `Allow: /`, or remove the line"));
        }
    }
}
