use std::collections::BTreeSet;

use verger::Clause;

use crate::example::Example;
use crate::extent::disallows_everything;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::preferences::stating;
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
    let mut reported = BTreeSet::new();
    for (preference, selected) in stating(file) {
        let policy = &selected.policy;
        let rule = disallows_everything(policy).and_then(|id| file.record_of(policy, id));
        if let Some(rule) = rule.filter(|_| reported.insert(preference.line())) {
            let message = "this group disallows everything, so the preference has no effect";
            let draft = Draft::new(preference.span(), message);
            found.add(draft.also(rule.span(), "disallows everything"));
        }
    }
}
