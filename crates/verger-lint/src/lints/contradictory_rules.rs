use std::collections::BTreeSet;

use verger::{Clause, Record, RecordKind};

use crate::agent::Agent;
use crate::agent_value::is_header;
use crate::example::Example;
use crate::extent::are_same_by_google;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::{Subject, group_of};
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "contradictory-rules",
    severity: Severity::Warning,
    summary: "an Allow and a Disallow line have the same path",
    explanation: "\
If two rules have the same path after percent-encoding, the Allow line decides, whatever their order. The
Disallow line has no effect. Crawlers that follow the draft of 1996 use the first line. If the two are in
different groups, the finding names a crawler to which both apply. It is a note if the Disallow line also applies to
other crawlers, which may need it, and for crawlers that are not in the registry. The lint compares rules in up to
200,000 lines.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nAllow: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.2-6"), Clause::new("G-rule-4")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut reported = BTreeSet::new();
    for selected in &file.selected().all {
        let agent = &file.agents[selected.agent];
        // `Mozilla` is not a crawler, and another lint reports the line.
        if agent.known.is_none() && is_header(agent.record.value()) {
            continue;
        }
        let policy = &selected.policy;
        for same in selected.same_patterns() {
            let rules = same.iter();
            let rules: Vec<_> = rules.filter_map(|id| file.record_of(policy, *id)).collect();
            let of_kind = |kind| rules.iter().find(|it| it.kind() == kind);
            let (Some(allow), Some(disallow)) =
                (of_kind(RecordKind::Allow), of_kind(RecordKind::Disallow))
            else {
                continue;
            };
            let is_google_s = are_same_by_google(allow.value(), disallow.value());
            if is_google_s && reported.insert(disallow.line()) {
                found.add(draft(file, agent, allow, disallow));
            }
        }
    }
}

/// Maximum number of names of a group to look up.
const NAMES_MAX: usize = 50;

fn draft(
    file: &Subject<'_>,
    agent: &Agent<'_>,
    allow: &Record<'_>,
    disallow: &Record<'_>,
) -> Draft {
    let line = allow.line();
    let is_for_same = file.applies_where(disallow, allow);
    let mut names = file.agents_of(agent.group).iter().take(NAMES_MAX);
    let is_known = names.any(|it| it.known.is_some() || it.is_star());
    let (message, label, together) = if group_of(allow) == group_of(disallow) {
        let message = format!(
            "this line has no effect: line {line}, an Allow line with the same path, takes precedence"
        );
        let together =
            "these lines have no effect: Allow lines with the same paths take precedence";
        (message, "has no effect".to_owned(), together)
    } else {
        let name = quoted(agent.token.as_bytes());
        let message = format!(
            "this line has no effect for {name}: line {line}, an Allow line with the same path in another group, \
             takes precedence"
        );
        let together = "these lines have no effect for a crawler of two groups: Allow lines with the same paths \
             take precedence";
        (message, format!("has no effect for {name}"), together)
    };
    let help = if is_for_same && Subject::has_other_rule(disallow) {
        "remove it, or the Allow line if the path should be closed"
    } else {
        "give each crawler one group"
    };
    Draft::new(disallow.span(), message)
        .together(together)
        .label(label)
        .also(allow.span(), "takes precedence")
        .help(help)
        .note_if(!is_for_same || !is_known)
}
