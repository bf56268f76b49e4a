use verger::{Clause, Effect};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "robots-txt-disallowed",
    severity: Severity::Note,
    summary: "a rule disallows `/robots.txt` itself",
    explanation: "\
The file itself is always allowed, because a crawler must fetch it to read the rule. In Google's library it is
an ordinary path, which matters only if a program shows the file in search results. Remove the rule.",
    wrong: Example::of(b"User-agent: *\nDisallow: /robots.txt\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.2-8"), Clause::new("V-39"), Clause::new("GL-rank-3")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for rule in file.robots.records().filter_map(|it| it.as_rule()) {
        let is_itself = matches!(rule.pattern(), b"/robots.txt" | b"/robots.txt$");
        if rule.effect() == Effect::Disallow && is_itself {
            let message = "`/robots.txt` itself is always allowed";
            found.add(Draft::new(rule.span(), message).help("remove the rule"));
        }
    }
}
