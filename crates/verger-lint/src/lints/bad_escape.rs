use verger::Clause;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "bad-escape",
    severity: Severity::Warning,
    summary: "a `%` in a path is not followed by two hexadecimal digits",
    explanation: "\
`%` and two hexadecimal digits encode one byte of a URL, and `%25` is a percent sign. A rule is compared byte by
byte, so any other `%` matches only a `%` that a link has by mistake. `%`, `%2` and `%*` at the end of a path or
before a `*` match the start of an escape and are not reported. Do not replace a `%` by `%25`, because the rule
would then no longer match what it matches now. Write a second line.",
    wrong: Example::of(b"User-agent: *\nDisallow: /100%-off\n"),
    right: Example::of(b"User-agent: *\nDisallow: /100%25-off\nDisallow: /*/%*\n"),
    clauses: &[Clause::new("V-30"), Clause::new("GL-value-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for rule in file.robots.records().filter_map(|it| it.as_rule()) {
        let pattern = rule.pattern();
        let is_bad = |at: &usize| pattern[*at] == b'%' && !may_be_cut(&pattern[at + 1..]);
        let Some(at) = (0..pattern.len()).find(is_bad) else {
            continue;
        };
        let place = part(rule.pattern_span(), at..pattern.len().min(at + 3));
        let message = "this `%` is not followed by two hexadecimal digits, as in most URLs";
        let help = "if links have `%25` here, add the same line with `%25`";
        // No link has `%%`. It is a stray sign, often of a template.
        let is_stray = pattern[at + 1..].starts_with(b"%");
        found.add(Draft::new(place, message).help(help).note_if(is_stray));
    }
}

/// Returns whether text after a `%` completes an escape, or matches the start of one.
fn may_be_cut(rest: &[u8]) -> bool {
    let digits = rest.iter().take(2).take_while(|it| it.is_ascii_hexdigit());
    let digits = digits.count();
    digits == 2 || matches!(rest.get(digits), None | Some(b'*' | b'$'))
}
