use verger::Clause;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "regular-expression",
    severity: Severity::Warning,
    summary: "a path looks like a regular expression",
    explanation: "\
A path has two special characters: `*` matches any characters, and `$` at the end of the path marks its end.
Everything else is literal: `^`, `.*`, `[0-9]+`, `(a|b)` and `\\d` do not match as they would in a regular
expression. Write a rule for each alternative, and `*` for any text. The lint reports `.*` and `.+` only after a
slash or a bracket, because `*.php.*` may be intended.",
    wrong: Example::of(b"User-agent: *\nDisallow: /(private|tmp)/.*\nDisallow: ^/admin\nDisallow: /shop/[0-9]+$\nDisallow: /feed/(.*)\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\nDisallow: /tmp/\nDisallow: /admin\nDisallow: /*.php.*\nDisallow: /*(offset)*\n"),
    clauses: &[Clause::new("R9309-2.2.3-1")],
    check,
};

/// Finds text that is special only in regular expressions.
pub(super) fn regular_expression(pattern: &[u8]) -> Option<(usize, usize)> {
    if pattern.first() == Some(&b'^') {
        return Some((0, 1));
    }
    (0..pattern.len()).find_map(|at| {
        let rest = &pattern[at..];
        let before = at.checked_sub(1).map(|before| pattern[before]);
        let length = match rest {
            [b'\\', escaped, ..] if b"dws./?+*$".contains(escaped) => 2,
            [b']', b'+' | b'*' | b'?' | b'{', ..] => 2,
            [b'.', b'*' | b'+', ..] if matches!(before, Some(b'/' | b'(' | b')' | b']') | None) => {
                2
            }
            [b'[', first, b'-', ..] if *first == b'^' || first.is_ascii_alphanumeric() => 3,
            [b'(', b'?', b':' | b'!' | b'=', ..] => 3,
            [b'(', inner @ ..] => alternatives(inner)? + 1,
            _ => return None,
        };
        Some((at, length))
    })
}

/// Returns the length of a list of alternatives, including its closing bracket, in bytes.
fn alternatives(inner: &[u8]) -> Option<usize> {
    /// Maximum length of a list.
    const BYTES_MAX: usize = 200;
    let inner = &inner[..inner.len().min(BYTES_MAX)];
    let end = inner.iter().position(|byte| *byte == b')')?;
    inner[..end].contains(&b'|').then_some(end + 1)
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    for rule in file.robots.records().filter_map(|it| it.as_rule()) {
        let Some((at, length)) = regular_expression(rule.pattern()) else {
            continue;
        };
        let span = part(rule.pattern_span(), at..at + length);
        let message = format!(
            "{} is literal in a path: only `*`, and `$` at the end, are special",
            quoted(file.bytes(span))
        );
        found.add(
            Draft::new(span, message)
                .together("these are literal in a path: only `*`, and `$` at the end, are special")
                .help("write a rule for each path, with `*` for any text"),
        );
    }
}
