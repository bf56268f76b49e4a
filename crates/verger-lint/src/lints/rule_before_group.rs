use verger::{Clause, Diagnostic, DiagnosticKind, LineNumber, Record, RecordKind};

use super::{invisible_character, missing_colon, misspelt_key};
use crate::example::Example;
use crate::extent::matches_everything;
use crate::finding::{Draft, Findings};
use crate::fix::{Edit, Fix, Meaning};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::find_ignoring_case;

pub(super) const LINT: Lint = Lint {
    code: "rule-before-group",
    severity: Severity::Error,
    summary: "an Allow or Disallow line comes before the first user-agent line",
    explanation: "\
Rules belong to the user-agent lines above them. Every crawler ignores a rule without a user-agent line above
it. To apply it to all crawlers, put `User-agent: *` before it. If all such rules allow something, the finding is a
note.",
    wrong: Example::of(b"Disallow: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.2-17")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_outside = |kind| matches!(kind, DiagnosticKind::RuleOutsideGroup);
    let outside = file.diagnostics.iter().filter(|it| is_outside(it.kind));
    let lost = lost_agent(file);
    let outside: Vec<_> = outside
        .filter(|it| lost.is_none_or(|lost| it.line < Some(lost)))
        .collect();
    // The author of a rule for everything may have meant a specific crawler, and other words are
    // not rules.
    let mut rules = outside
        .iter()
        .filter_map(|it| file.robots.record_at(it.line?));
    let are_parts =
        rules.all(|it| matches!(it.value(), [b'/' | b'*', ..]) && !matches_everything(it.value()));
    let mut records = outside
        .iter()
        .filter_map(|it| file.robots.record_at(it.line?));
    let close_nothing = records.all(|it| it.kind() == RecordKind::Allow || it.value().is_empty());
    // One line before the first rule is enough for all.
    let first = outside.first().map_or(0, |it| it.span.start);
    let first = part(file.places.line(first), 0..0);
    for diagnostic in outside {
        let line = file.places.line(diagnostic.span.start);
        let fix = are_parts.then(|| {
            let title = "put `User-agent: *` before the first of them";
            let text = format!("User-agent: *{}", file.line_end(line.start));
            let edit = Edit::new(first, text.into_bytes());
            Fix::new(title, Meaning::Changed, vec![edit])
        });
        let message = "no user-agent line is above this rule, so crawlers ignore it";
        let draft = Draft::new(line, message).help("put a user-agent line before it");
        found.add(draft.fix(fix).note_if(close_nothing));
    }
}

/// Returns the first invalid user-agent line, which has its own finding.
fn lost_agent(file: &Subject<'_>) -> Option<LineNumber> {
    let is_agent =
        |record: &Record<'_>| misspelt_key::meant(file, record) == Some(RecordKind::UserAgent);
    let misspelt = file.robots.records_of(RecordKind::Other).find(is_agent);
    let is_key = |line: &&Diagnostic<'_>| {
        find_ignoring_case(file.bytes(line.span), b"user-agent") == Some(0)
    };
    let without_colon = missing_colon::lines(file).find(is_key);
    let mut lines = file.robots.lines();
    let odd = lines.find(invisible_character::looks_like_agent);
    let lost = [
        misspelt.map(|it| it.line()),
        without_colon.and_then(|it| it.line),
        odd.map(|line| line.number()),
    ];
    lost.into_iter().flatten().min()
}
