use std::collections::BTreeMap;

use verger::{Clause, Record};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;

pub(super) const LINT: Lint = Lint {
    code: "repeated-agent",
    severity: Severity::Note,
    summary: "a group names the same crawler twice",
    explanation: "\
The second line changes nothing. It often comes from merging two lists of crawlers. Remove it.",
    wrong: Example::of(b"User-agent: GPTBot\nUser-agent: CCBot\nUser-agent: gptbot\nDisallow: /\n"),
    right: Example::of(b"User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n"),
    clauses: &[Clause::new("R9309-2.2.1-6")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let mut first: BTreeMap<(usize, String), Record<'_>> = BTreeMap::new();
    for agent in &file.agents {
        let first = *first
            .entry((agent.group, agent.key()))
            .or_insert(agent.record);
        if first.line() == agent.record.line() {
            continue;
        }
        let is_same = first.value().eq_ignore_ascii_case(agent.record.value());
        let message = format!(
            "this group already names {}",
            quoted(agent.token.as_bytes())
        );
        let draft = Draft::new(agent.record.span(), message)
            .also(first.span(), "here")
            .help("remove this line")
            .fix(is_same.then(|| file.removal_beside(&first, &agent.record)));
        found.add(draft);
    }
}
