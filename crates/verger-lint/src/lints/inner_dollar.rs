use verger::{Clause, Span};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "inner-dollar",
    severity: Severity::Warning,
    summary: "a `$` inside a path is a literal dollar sign, not the end of the path",
    explanation: "\
`$` marks the end of the path only as the last character of a rule. Anywhere else it is a literal dollar sign,
which hardly any URL has, so the rule probably matches nothing. The text after it is usually a mistake. Before
letters and digits the finding is a note, because they may belong to a name with a dollar sign.",
    wrong: Example::of(b"User-agent: *\nDisallow: /*docs$/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /*docs$\n"),
    clauses: &[Clause::new("V-32"), Clause::new("GL-match-1"), Clause::new("R9309-2.2.3-3")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for rule in file.robots.records().filter_map(|it| it.as_rule()) {
        let pattern = rule.pattern();
        let at = pattern.iter().position(|byte| *byte == b'$');
        let Some(at) = at.filter(|at| at + 1 < pattern.len()) else {
            continue;
        };
        let start = rule.pattern_span().start + u32::try_from(at).unwrap_or(0);
        let span = Span {
            start,
            end: start + 1,
        };
        let message =
            "`$` here is a literal dollar sign: it marks the end only as the last character";
        // Only a name continues with letters.
        let goes_on = pattern[at + 1..].iter().any(u8::is_ascii_alphanumeric);
        let severity = if goes_on {
            Severity::Note
        } else {
            LINT.severity
        };
        found.add(
            Draft::new(span, message)
                .severity(severity)
                .help("remove the text after it, or write `%24` for a dollar sign"),
        );
    }
}
