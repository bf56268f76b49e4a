use std::collections::BTreeSet;

use verger::{Clause, Group, RecordKind};

use crate::example::Example;
use crate::extent::{Selected, disallows_everything};
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "preference-of-disallowed",
    severity: Severity::Note,
    summary: "a group disallows everything and states preferences about the use of content",
    explanation: "\
In the AIPREF draft a URL that may not be fetched has no preference, and a crawler that obeys the rules has no
content to use. A Content-Signal or Content-Usage line has no effect in such a group. For crawlers that should
read it, write a group that allows something.",
    wrong: Example::of(b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /\n"),
    right: Example::of(b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n"),
    clauses: &[Clause::new("AA-3"), Clause::new("CS-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_stated = |kind| matches!(kind, RecordKind::ContentSignal | RecordKind::ContentUsage);
    if !file.robots.records().any(|it| is_stated(it.kind())) {
        return;
    }
    let mut reported = BTreeSet::new();
    for Selected {
        crawler, policy, ..
    } in &file.selected().all
    {
        let rule = disallows_everything(policy).and_then(|id| policy.rule(id));
        let rule = rule.and_then(|rule| file.robots.record_at(rule.line));
        let groups = file.index.groups_for(crawler);
        if let (Some(rule), Some(groups)) = (rule, groups) {
            let mut records = groups.groups().iter().flat_map(Group::records);
            let record = records.find(|it| is_stated(it.kind()));
            if let Some(record) = record.filter(|it| reported.insert(it.line())) {
                let message = "this group disallows everything, so the preference has no effect";
                found.add(
                    Draft::new(record.span(), message).also(rule.span(), "disallows everything"),
                );
            }
        }
    }
}
