use verger::{Clause, Span};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "bad-escape",
    severity: Severity::Warning,
    summary: "a `%` in a path is not followed by two hexadecimal digits",
    explanation: "\
`%` and two hexadecimal digits encode one byte of a URL. By RFC 9309 any other `%` equals `%25`. Google's
library compares it literally, but requests contain `%25`. Write `%25` for a percent sign. Patterns such as `%2`
or `%*` are usually truncated escapes.",
    wrong: Example::of(b"User-agent: *\nDisallow: /100%-off\n"),
    right: Example::of(b"User-agent: *\nDisallow: /100%25-off\n"),
    clauses: &[Clause::new("V-30"), Clause::new("GL-value-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for rule in file.robots.records().filter_map(|it| it.as_rule()) {
        let pattern = rule.pattern();
        let is_bad = |at: &usize| {
            pattern[*at] == b'%'
                && !matches!(pattern.get(at + 1..at + 3), Some([a, b])
                    if a.is_ascii_hexdigit() && b.is_ascii_hexdigit())
        };
        let Some(at) = (0..pattern.len()).find(is_bad) else {
            continue;
        };
        let start = rule.pattern_span().start + u32::try_from(at).unwrap_or(0);
        let end = rule.pattern_span().end.min(start + 3);
        let message = "`%` is not followed by two hexadecimal digits";
        found.add(Draft::new(Span { start, end }, message).help("write `%25` for a percent sign"));
    }
}
