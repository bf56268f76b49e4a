use verger::{Clause, Crawler, Diagnostic, Dialect, Effect, Group, Record, RecordKind};

use super::{missing_colon, misspelt_key};
use crate::agent::{Agent, obeys};
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "group-without-rules",
    severity: Severity::Warning,
    summary: "a group has no rule, so its crawlers may fetch everything",
    explanation: "\
A crawler obeys the group that names it and not the `*` group. If its group has no rule, it may fetch
everything. Only the last group of a file can be without rules, because earlier user-agent lines join the group
below. Crawlers that follow the draft of 1996 do not recognise such a group, and obey the `*` group. Write a
rule: `Disallow:` allows everything, `Disallow: /` nothing.

The finding is a note if the group has a Crawl-delay, which is then probably all that is wanted, if the rule
would change nothing, because the `*` group disallows nothing or does not exist, and for a crawler that is not in the registry, is out of use or ignores robots.txt.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n\nUser-agent: GPTBot\nDisallow: /\n"),
    clauses: &[Clause::new("R9309-2.1-4"), Clause::new("V-10"), Clause::new("K96-3.3-2")],
    check,
};

/// Maximum number of names of the group to check.
const NAMES_MAX: usize = 50;

fn check(file: &Subject<'_>, found: &mut Findings) {
    let last_group = file.robots.groups().next_back();
    let Some(group) = last_group.filter(|it| !it.has_rules()) else {
        return;
    };
    let Some(last) = group.records().next_back() else {
        return;
    };
    // Rules with a wrong key or without a colon have their own findings.
    let is_rule =
        |record: Record<'_>| misspelt_key::meant(file, &record).is_some_and(RecordKind::is_rule);
    let is_behind = |it: &&Diagnostic<'_>| it.span.start > group.span().start;
    if group.records().any(is_rule) || missing_colon::lines(file).any(|it| is_behind(&it)) {
        return;
    }
    // Another group for the same crawler may have rules.
    let has_none = |agent: &&Agent<'_>| {
        let crawler = agent.crawler(Dialect::Rfc9309);
        let groups = crawler.as_ref().and_then(|it| file.index.groups_for(it));
        !groups.is_some_and(|it| it.groups().iter().any(Group::has_rules))
    };
    let agents = file.agents_of(group.index()).iter().take(NAMES_MAX);
    let mut agents = agents.filter(has_none).peekable();
    if agents.peek().is_none() {
        return;
    }
    let is_known = agents.any(|it| it.known.is_some_and(obeys));
    let others = file.robots.policy(&Crawler::unnamed());
    let is_disallowing = others.rules().any(|it| it.effect == Effect::Disallow);
    let has_delay = group
        .records()
        .any(|it| it.kind() == RecordKind::CrawlDelay);
    // By the text of 1996 such a group is ignored.
    let meaning = if is_disallowing {
        Meaning::Changed
    } else {
        file.meaning_kept()
    };
    let edit = file.empty_disallow_after(&last);
    let fix = Fix::new("write the equivalent rule", meaning, vec![edit]);
    let message = "this group has no rule, so its crawlers may fetch everything";
    let help = "write `Disallow:` to allow everything, `Disallow: /` to allow nothing";
    let draft = Draft::new(group.span(), message).help(help).fix(fix);
    // A delay is probably all that is wanted.
    found.add(draft.note_if(!is_known || !is_disallowing || has_delay));
}
