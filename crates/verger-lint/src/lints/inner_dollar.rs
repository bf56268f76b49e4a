use verger::Clause;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "inner-dollar",
    severity: Severity::Warning,
    summary: "a `$` inside a path is a literal dollar sign, not the end of the path",
    explanation: "\
`$` marks the end of the path only as the last character of a rule. Anywhere else it is a literal dollar sign,
which hardly any URL has, so the rule probably matches nothing. The text after it is usually a mistake. Before
letters and digits nothing is reported, because they may belong to a name with a dollar sign, such as
`/*$edit`.",
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
        // Only a name continues with letters.
        let is_of_name = pattern[at + 1..].iter().any(u8::is_ascii_alphanumeric);
        // Without the text after it, the rule would be for everything, or for the home page.
        let is_short = matches!(&pattern[..at], b"" | b"/" | b"*" | b"/*");
        if is_of_name || is_short {
            continue;
        }
        let span = part(rule.pattern_span(), at..at + 1);
        let message =
            "`$` here is a literal dollar sign: it marks the end only as the last character";
        let help = "if the path ends there, remove the text after `$`";
        found.add(Draft::new(span, message).help(help));
    }
}
