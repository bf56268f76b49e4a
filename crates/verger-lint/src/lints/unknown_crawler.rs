use std::collections::{BTreeMap, BTreeSet};

use verger::Clause;

use super::invisible_character;
use crate::agent::Agent;
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{listed, quoted};

pub(super) const LINT: Lint = Lint {
    code: "unknown-crawler",
    severity: Severity::Note,
    summary: "some names are not in the registry of known crawlers",
    explanation: "\
The registry has about 300 crawlers, and others exist. But many lists contain programs that are long out of use,
and names of products that are not names of crawlers. Each file gets one finding, without names that another lint
reports.",
    wrong: Example::of(b"User-agent: NoSuchRobot\nDisallow: /\n"),
    right: Example::of(b"User-agent: Googlebot\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.2.1-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let misspelt: BTreeSet<u32> = found
        .places_of(&["misspelt-crawler", "agent-with-words"])
        .collect();
    let mut unknown: BTreeMap<String, &Agent<'_>> = BTreeMap::new();
    for agent in file
        .agents
        .iter()
        .filter(|it| !it.is_star() && it.known.is_none())
        .filter(|it| !invisible_character::is_in(file, &it.record))
    {
        unknown.entry(agent.key()).or_insert(agent);
    }
    let mut agents: Vec<&Agent<'_>> = unknown.into_values().collect();
    agents.retain(|it| !misspelt.contains(&it.span().start));
    agents.sort_by_key(|agent| agent.record.line());
    if let Some(first) = agents.first() {
        found.add(draft(first, &agents));
    }
}

/// A separate function, because V8 would compile it with its caller for every file.
#[inline(never)]
fn draft(first: &Agent<'_>, agents: &[&Agent<'_>]) -> Draft {
    let message = match agents.len() {
        1 => format!(
            "{} is not in the registry of crawlers",
            quoted(first.token.as_bytes())
        ),
        count => {
            // A name has no characters to escape, but may be long.
            let names = agents.iter().map(|it| &it.token[..it.token.len().min(40)]);
            let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
            let names = listed(names.iter().map(String::as_str), 5);
            format!("{count} names are not in the registry of crawlers: {names}")
        }
    };
    Draft::new(first.span(), message)
}
