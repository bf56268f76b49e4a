//! `space-in-path`: white space inside of a path.

use verger::{Clause, Span};

use super::two_records_on_one_line;
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "space-in-path",
    severity: Severity::Warning,
    summary: "a path has a space, which crawlers treat differently",
    explanation: "\
A URL has no space: requests have `%20` in its place. By RFC 9309 a space in a rule equals `%20`; Google's
library compares the rule literally, so it matches no request. If the line has several paths, write a rule for
each. If the path contains a space, write `%20`.",
    wrong: Example::of(b"User-agent: *\nDisallow: /my files/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /my%20files/\n"),
    clauses: &[Clause::new("V-30"), Clause::new("GL-value-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for rule in file.robots.records().filter_map(|it| it.as_rule()) {
        let pattern = rule.pattern();
        let is_space = |octet: &u8| matches!(octet, b' ' | b'\t');
        let Some(at) = pattern.iter().position(is_space) else {
            continue;
        };
        if two_records_on_one_line::holds_another(pattern) {
            continue;
        }
        let rest = pattern[at..].trim_ascii_start();
        let place = |at: usize| rule.pattern_span().start + u32::try_from(at).unwrap_or(0);
        let gap = Span {
            start: place(at),
            end: place(pattern.len() - rest.len()),
        };
        let draft = if rest.starts_with(b"/") {
            Draft::new(
                gap,
                "crawlers read several paths on one line as one path with spaces",
            )
            .help("write a rule for each path")
        } else {
            let message = "Google's library compares the space literally, and no request has one";
            let escaped = b"%20".repeat(usize::try_from(gap.len()).unwrap_or(0));
            let fix = Fix::new("write `%20`", Meaning::Changed, gap, escaped);
            Draft::new(gap, message)
                .help("write `%20` for a space")
                .fix(fix)
        };
        found.add(draft);
    }
}
