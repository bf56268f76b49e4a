//! Removes findings that only follow from another, and joins equal ones, so that one mistake is one
//! finding.

use std::collections::BTreeMap;
use std::mem;

use verger::LineNumber;

use crate::finding::{Draft, Finding, LabelledSpan};
use crate::fix::Meaning;
use crate::line_places::LinePlaces;

/// Lints about a body that is not a robots.txt. Its lines need no findings.
pub(crate) const OF_PAGES: [&str; 5] = [
    "byte-order-mark",
    "html-page",
    "json-document",
    "not-text",
    "unfilled-template",
];

/// Lints about a whole line, the most fundamental cause first.
pub(crate) const CAUSES: [&str; 7] = [
    "unfilled-template",
    "invisible-character",
    "two-records-on-one-line",
    "path-list",
    "rule-before-group",
    "url-as-path",
    "missing-leading-slash",
];

/// Lints about details, which disappear or mean nothing after such a cause is fixed.
pub(crate) const DETAILS: [&str; 17] = [
    "agent-is-header",
    "agent-list",
    "agent-names-no-crawler",
    "agent-with-digits",
    "agent-with-version",
    "agent-with-wildcard",
    "agent-with-words",
    "bad-escape",
    "group-without-rules",
    "inner-dollar",
    "invalid-sitemap",
    "misspelt-crawler",
    "misspelt-key",
    "number-sign-in-path",
    "regular-expression",
    "space-in-path",
    "unreadable-line",
];

/// Returns the findings without those that follow from another about the same line or the whole
/// body.
pub(crate) fn without_repetitions(
    mut found: Vec<Draft>,
    places: &LinePlaces,
    is_page: bool,
) -> Vec<Finding> {
    if is_page {
        let is_of_file = |it: &Finding| it.spans.is_empty() || OF_PAGES.contains(&it.code);
        found.retain(|it| is_of_file(&it.finding));
        return joined(found);
    }
    let ranked = |it: &Draft| {
        let line = places.position(it.finding.span().start).line;
        Some((line, rank(it.finding.code)?))
    };
    let mut causes: BTreeMap<LineNumber, usize> = BTreeMap::new();
    for (line, rank) in found.iter().filter_map(ranked) {
        let first = causes.entry(line).or_insert(rank);
        *first = rank.min(*first);
    }
    let is_cause = |(line, rank)| causes.get(&line) == Some(&rank);
    found.retain(|it| ranked(it).is_none_or(is_cause));
    joined(found)
}

/// Returns the place of a lint among causes and details.
fn rank(code: &str) -> Option<usize> {
    let cause = CAUSES.iter().position(|it| *it == code);
    cause.or_else(|| DETAILS.contains(&code).then_some(CAUSES.len()))
}

/// Joins the findings that say the same.
fn joined(found: Vec<Draft>) -> Vec<Finding> {
    let mut joined: Vec<Draft> = Vec::with_capacity(found.len());
    let mut first = BTreeMap::new();
    for it in found {
        let Draft {
            finding, together, ..
        } = &it;
        let fix = finding.fix.as_ref();
        let key = (
            (finding.code, finding.severity),
            together.map_or_else(|| finding.message.clone(), str::to_owned),
            finding.help.clone(),
            fix.map(|fix| (fix.title.clone(), fix.meaning == Meaning::Kept)),
        );
        match first.get(&key) {
            Some(&at) if !finding.spans.is_empty() => join(&mut joined[at], it.finding),
            _ => {
                first.insert(key, joined.len());
                joined.push(it);
            }
        }
    }
    joined.into_iter().map(|it| it.finding).collect()
}

/// Adds the place and the fix of another finding.
fn join(first: &mut Draft, mut other: Finding) {
    let finding = &mut first.finding;
    if let Some(together) = first.together {
        let own = mem::replace(&mut finding.message, together.to_owned());
        if finding.further.is_empty() {
            label(&mut finding.spans, own);
        }
        label(&mut other.spans, other.message);
    }
    finding.further.extend(other.spans.into_iter().next());
    if let (Some(fix), Some(other)) = (&mut finding.fix, other.fix) {
        let ends = fix.edits.last().zip(other.edits.first());
        // A fix that overlaps follows in the next round.
        if ends.is_some_and(|(last, next)| last.may_precede(next)) {
            fix.edits.extend(other.edits);
        }
    }
}

/// Labels the first place.
fn label(spans: &mut [LabelledSpan], text: String) {
    if let Some(first) = spans.first_mut() {
        first.label = text;
    }
}

#[cfg(test)]
mod tests {
    use crate::linted::Linted;
    use crate::served::Served;

    #[test]
    fn findings_that_say_the_same_are_one_with_all_places() {
        let body = "User-agent: *\nNoindex: /a\nDisallow: /my a\nNoindex: /b\nNoindex: /c\nDisallow: /my b\nNoindex: /d\n";
        let file = Linted::new(body, &Served::default());
        let found = file.findings().iter();
        let found = found.map(|it| (it.code, it.places().count(), file.further_lines(it)));
        let lines = |text: &str| Some(text.to_owned());
        assert_eq!(
            found.collect::<Vec<_>>(),
            [
                ("noindex-in-robots-txt", 4, lines("also in lines 4-5, 7")),
                ("space-in-path", 2, lines("also in line 6")),
            ]
        );
        let fix = file.findings()[1].fix.as_ref().unwrap();
        assert_eq!(fix.edits.len(), 2);
    }
}
