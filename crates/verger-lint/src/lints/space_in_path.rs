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
use crate::text::is_encoded_twice;
use crate::witness::witness;

pub(super) const LINT: Lint = Lint {
    code: "space-in-path",
    severity: Severity::Warning,
    summary: "a path has a space, which crawlers treat in different ways",
    explanation: "\
URLs contain `%20` instead of a space. By RFC 9309 a space in a rule equals `%20`. Google's library compares the
rule literally, so it matches no request. If the line has several paths, write a rule for each. If the path
contains a space, write `%20`, or `%09` for a tab. If it is a slip, delete it. The finding is a note if the group is
not for Google's search, if the letters of the path were encoded twice, or if Google treats such URLs in the same way by another rule.",
    wrong: Example::of(b"User-agent: *\nDisallow: /my files/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /my%20files/\n"),
    clauses: &[Clause::new("V-30"), Clause::new("GL-value-1")],
    check,
};

/// Maximum number of names of a group to look up.
const NAMES_MAX: usize = 50;

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut by_google = None;
    for rule in file.robots.records().filter_map(|it| it.as_rule()) {
        let pattern = rule.pattern();
        if two_records_on_one_line::holds_another(pattern) {
            continue;
        }
        let place = rule.pattern_span();
        let mut gaps = gaps(pattern).peekable();
        let Some(first) = gaps.peek().cloned() else {
            continue;
        };
        let span = part(place, first.clone());
        found.add(if starts_a_path(pattern, &first) {
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
            // With `%20`, the other letters would still match no address.
            let garbled = is_encoded_twice(pattern);
            let help = if garbled {
                "write the path as addresses have it: its letters were encoded twice".to_owned()
            } else {
                format!("{how}, or delete it if it is a slip")
            };
            let draft = Draft::new(span, message).help(help);
            // Between names it is part of one. Elsewhere it is rather a slip.
            let is_of_name = is_between_words(pattern, &first) && !garbled;
            let draft = draft.fix(is_of_name.then_some(fix));
            let by_google = by_google.get_or_insert_with(|| GoogleAnswers::new(file));
            let is_meant_for_google = || {
                let group = rule.group().map(|it| file.agents_of(it.index()));
                let mut named = group.iter().flat_map(|it| it.iter().take(NAMES_MAX));
                named.any(|it| it.known.is_some_and(|it| it.dialect() == Dialect::Google))
            };
            let matters = by_google.change_with(&rule);
            draft.note_if(garbled || !matters.unwrap_or_else(is_meant_for_google))
        });
    }
}

/// Answers of Google's search about rules of a file.
struct GoogleAnswers<'s> {
    /// The rules of its crawlers, with the lines that have them and the number of those with `*`.
    readers: Vec<(BTreeSet<LineNumber>, usize, &'s Readers)>,
    pairs_left: usize,
}

impl<'s> GoogleAnswers<'s> {
    /// Maximum number of pairs of a URL and a rule with `*`. Each such rule takes time for each URL.
    const PAIRS_MAX: usize = 200_000;

    fn new(file: &'s Subject<'_>) -> Self {
        let readers = file.searching().iter();
        let readers = readers.filter(|it| it.dialect == Dialect::Google);
        let readers = readers.map(|it| {
            let lines = it.policy.rules().map(|rule| rule.line).collect();
            let wildcards = it.policy.rules().filter(|it| it.pattern.contains(&b'*'));
            (lines, wildcards.count(), it)
        });
        Self {
            readers: readers.collect(),
            pairs_left: Self::PAIRS_MAX,
        }
    }

    /// Returns whether an answer would change if the rule had `%20` instead of a space, or `None` if
    /// the rule is for none of these crawlers. Returns `true` unchecked after many questions.
    fn change_with(&mut self, rule: &Rule<'_>) -> Option<bool> {
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let parts = rule
            .pattern()
            .chunk_by(|one, other| is_blank(one) == is_blank(other));
        let written = parts.map(|part| match part {
            [b' ' | b'\t', ..] => escaped(part),
            _ => part.to_vec(),
        });
        let path = witness(&written.collect::<Vec<_>>().concat())?;
        let disallows = rule.effect() == Effect::Disallow;
        let readers = self.readers.iter();
        let mut readers = readers.filter(|it| it.0.contains(&rule.line())).peekable();
        readers.peek()?;
        Some(readers.any(|(_, wildcards, reader)| {
            self.pairs_left = self.pairs_left.saturating_sub(wildcards + 1);
            self.pairs_left == 0 || reader.disallowing(&path).is_some() != disallows
        }))
    }
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

/// Returns whether text of a name is on both sides of white space.
fn is_between_words(pattern: &[u8], gap: &Range<usize>) -> bool {
    let before = gap.start.checked_sub(1).map(|it| pattern[it]);
    let ends = matches!(before, Some(b'/' | b'=' | b'*') | None);
    !ends && !matches!(pattern.get(gap.end), Some(b'*' | b'&' | b'$' | b'/'))
}

/// Returns whether a path of its own begins after white space, not the end of a path: `/a /` and `/a /index.html` are one.
fn starts_a_path(pattern: &[u8], gap: &Range<usize>) -> bool {
    let path = pattern[gap.end..]
        .split(|it| matches!(it, b' ' | b'\t'))
        .next();
    path.is_some_and(|it| {
        it.starts_with(b"/") && !matches!(it, b"/" | b"/*" | b"/$") && !it.starts_with(b"/index.")
    })
}

fn escaped(bytes: &[u8]) -> Vec<u8> {
    let bytes = bytes.iter();
    bytes
        .flat_map(|byte| format!("%{byte:02X}").into_bytes())
        .collect()
}
