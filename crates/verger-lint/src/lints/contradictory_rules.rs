//! `contradictory-rules`: Allow and Disallow of the same path.

use std::collections::BTreeSet;

use verger::{Clause, RecordKind};

use crate::example::Example;
use crate::extent::{policies, same_patterns};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "contradictory-rules",
    severity: Severity::Warning,
    summary: "an Allow and a Disallow line have the same path",
    explanation: "\
Of two rules with the same path, as it is compared, the Allow line decides, wherever it is; the Disallow line
has no effect. Crawlers that follow the draft of 1996 take the first of them. The rules of up to 200,000 lines
are compared.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\nAllow: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.2-6"), Clause::new("G-rule-4")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut reported = BTreeSet::new();
    for policy in policies(file) {
        for same in same_patterns(&policy) {
            let rules = same.rules.into_iter().filter_map(|id| policy.rule(id));
            let rules: Vec<_> = rules
                .filter_map(|rule| file.robots.record_at(rule.line))
                .collect();
            let of_kind = |kind| rules.iter().find(|it| it.kind() == kind);
            let (Some(allow), Some(disallow)) =
                (of_kind(RecordKind::Allow), of_kind(RecordKind::Disallow))
            else {
                continue;
            };
            if reported.insert(disallow.line()) {
                let message = format!(
                    "{} is allowed by another rule with the same path, so this one has no effect",
                    quoted(disallow.value())
                );
                let draft = Draft::new(disallow.span(), message)
                    .label("has no effect")
                    .also(allow.span(), "decides")
                    .help("remove the one or the other");
                found.add(draft);
            }
        }
    }
}
