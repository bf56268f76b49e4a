use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use verger::{Clause, Dialect, Effect, LineNumber, Rule};

use super::two_records_on_one_line;
use crate::example::Example;
use crate::extent::Readers;
use crate::finding::{Draft, Findings};
use crate::fix::{Edit, Fix, Meaning};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::witness::witness;

pub(super) const LINT: Lint = Lint {
    code: "space-in-path",
    severity: Severity::Warning,
    summary: "a path has a space, which crawlers treat in different ways",
    explanation: "\
URLs contain `%20` instead of a space. By RFC 9309 a space in a rule equals `%20`. Google's library compares the
rule literally, so it matches no request. If the line has several paths, write a rule for each. If the path
contains a space, write `%20`, or `%09` for a tab. If it is a slip, delete it. The finding is a note if the group is
not for Google's search, or if Google treats such URLs in the same way by another rule.",
    wrong: Example::of(b"User-agent: *\nDisallow: /my files/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /my%20files/\n"),
    clauses: &[Clause::new("V-30"), Clause::new("GL-value-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let by_google = OnceCell::new();
    for rule in file.robots.records().filter_map(|it| it.as_rule()) {
        let pattern = rule.pattern();
        if two_records_on_one_line::holds_another(pattern) {
            continue;
        }
        let place = rule.pattern_span();
        let mut gaps = gaps(pattern).peekable();
        let Some(first) = gaps.peek() else { continue };
        let span = part(place, first.clone());
        found.add(if starts_a_path(pattern, first) {
            let message = "crawlers read several paths on one line as one path with spaces";
            Draft::new(span, message).help("write a rule for each path")
        } else {
            // One fix for the whole line, because separate fixes would make room for each other.
            let edits = gaps.take_while(|gap| !starts_a_path(pattern, gap));
            let edits = edits.map(|gap| {
                let escaped = escaped(&pattern[gap.clone()]);
                Edit::new(part(place, gap), escaped)
            });
            let (what, how) = if pattern.contains(&b'\t') {
                (
                    "`%09`, not a tab",
                    "write `%09` for a tab and `%20` for a space",
                )
            } else {
                ("`%20`, not a space", "write `%20` for a space")
            };
            let fix = Fix::new(how, Meaning::Changed, edits.collect());
            let message = format!("Google never matches this rule: addresses have {what}");
            let help = format!("{how}, or delete it if it is a slip");
            let readers = by_google.get_or_init(|| google_readers(file));
            let draft = Draft::new(span, message).help(help).fix(fix);
            draft.note_if(!changes_answers(&rule, readers))
        });
    }
}

/// Returns the rules of Google's search, each with the lines that have them.
fn google_readers<'s>(file: &'s Subject<'_>) -> Vec<(BTreeSet<LineNumber>, &'s Readers)> {
    let readers = file.searching().iter();
    let readers = readers.filter(|it| it.dialect == Dialect::Google);
    let with_lines = readers.map(|it| (it.policy.rules().map(|rule| rule.line).collect(), it));
    with_lines.collect()
}

/// Returns whether an answer of Google would change if the rule had `%20` instead of a space.
fn changes_answers(rule: &Rule<'_>, readers: &[(BTreeSet<LineNumber>, &Readers)]) -> bool {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let parts = rule
        .pattern()
        .chunk_by(|one, other| is_blank(one) == is_blank(other));
    let written = parts.map(|part| match part {
        [b' ' | b'\t', ..] => escaped(part),
        _ => part.to_vec(),
    });
    let Some(path) = witness(&written.collect::<Vec<_>>().concat()) else {
        return false;
    };
    let disallows = rule.effect() == Effect::Disallow;
    let mut readers = readers
        .iter()
        .filter(|(lines, _)| lines.contains(&rule.line()));
    readers.any(|(_, it)| it.disallowing(&path).is_some() != disallows)
}

/// Returns the places of white space in a pattern.
fn gaps(pattern: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let start = from + pattern[from..].iter().position(is_blank)?;
        from = pattern.len() - pattern[start..].trim_ascii_start().len();
        Some(start..from)
    })
}

fn starts_a_path(pattern: &[u8], gap: &Range<usize>) -> bool {
    pattern[gap.end..].starts_with(b"/")
}

fn escaped(bytes: &[u8]) -> Vec<u8> {
    let bytes = bytes.iter();
    bytes
        .flat_map(|byte| format!("%{byte:02X}").into_bytes())
        .collect()
}
