//! `group-without-rules`: user-agent lines that allow everything, since no rule follows them.

use verger::{Clause, Crawler, Effect, Span};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::Fix;
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "group-without-rules",
    severity: Severity::Warning,
    summary: "a group has no rule, so its crawlers may fetch everything",
    explanation: "\
A crawler that a group names obeys that group and not the `*` group, also where the group has no rule:
then it may fetch everything. Only the last group of a file can be without rules, since user-agent lines
join the group below. Crawlers that follow the draft of 1996 see no group there, and obey the `*` group.
Write what is meant: `Disallow:` allows everything, `Disallow: /` nothing.

It is a note where that changes nothing, since the `*` group disallows nothing or there is none, and for a crawler
that is not in the registry.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nDisallow: /\n"),
    clauses: &[Clause::new("R9309-2.1-4"), Clause::new("V-10"), Clause::new("K96-3.3-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let Some(group) = file.robots.groups().next_back() else {
        return;
    };
    if group.has_rules() {
        return;
    }
    let Some(last) = group.records().next_back() else {
        return;
    };
    let agents = file.agents_of(group.index());
    let is_known = agents.iter().any(|it| it.known.is_some());
    let others = file.robots.policy(&Crawler::unnamed());
    let is_disallowing = others.rules().any(|it| it.effect == Effect::Disallow);
    let severity = if is_known && is_disallowing {
        LINT.severity
    } else {
        Severity::Note
    };
    let end = file.places.line(last.span().start).end;
    let fix = Fix::new(
        "write the rule that it amounts to",
        file.meaning_kept(),
        Span { start: end, end },
        format!("{}Disallow:", file.line_end(end)).into_bytes(),
    );
    found.add(
        Draft::new(
            group.span(),
            "this group has no rule, so its crawlers may fetch everything",
        )
        .help("write `Disallow:` to allow everything, `Disallow: /` to allow nothing")
        .severity(severity)
        .fix(fix),
    );
}
