use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};

use verger::{Clause, Rule};

use crate::agent::Agent;
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::platform::PlatformBlock;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "repeated-group",
    severity: Severity::Note,
    summary: "a crawler, or `*`, has several groups",
    explanation: "\
By RFC 9309 and in Google's library all groups for one crawler count as one group. Crawlers that follow the
drafts of 1996 and 2019 obey only the first `*` group. By the draft of 1996 they also obey only the first group
for a name. Some parsers that do not merge groups obey only the last one. A second `*` group often comes from a
block that a CDN or a plugin added to the file.

A second `*` group is a warning if both have rules with a path, unless Cloudflare or another platform wrote either.
Write one group.",
    wrong: Example::of(b"User-agent: *\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n"),
    right: Example::of(b"User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n"),
    clauses: &[Clause::new("R9309-2.2.1-7"), Clause::new("V-8"), Clause::new("V-9")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let with_paths = LazyCell::new(|| {
        let has_path = |rule: Rule<'_>| matches!(rule.pattern(), [b'/' | b'*', ..]);
        let groups = file.robots.groups().filter(|it| it.rules().any(has_path));
        groups.map(|it| it.index()).collect::<BTreeSet<_>>()
    });
    let mut first: BTreeMap<String, Agent<'_>> = BTreeMap::new();
    for agent in &file.agents {
        let first = *first.entry(agent.key()).or_insert(*agent);
        if first.group == agent.group {
            continue;
        }
        let places = [first, *agent].map(|it| it.record.span());
        let block = places.into_iter().find_map(|it| file.platform_block(it));
        // Without a path, the only group that counts cannot be the wrong one.
        let have_paths = || {
            [first, *agent]
                .iter()
                .all(|it| with_paths.contains(&it.group))
        };
        let severity = if agent.is_star() && block.is_none() && have_paths() {
            Severity::Warning
        } else {
            LINT.severity
        };
        let name = quoted(agent.token.as_bytes());
        let message = format!(
            "another group for {name}: most crawlers merge them, some obey only the first or the last"
        );
        let draft = Draft::new(agent.record.span(), message)
            .also(first.record.span(), "the first group is here")
            .help(block.map_or("move the rules into one group", PlatformBlock::advice))
            .severity(severity);
        found.add(draft);
    }
}
