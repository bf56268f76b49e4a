//! Changes between two files as JSON Lines (`verger.diff/1` in `docs/json.md`).

use std::io::{self, Write};

use serde::Serialize;
use verger::{Policy, RobotsTxt};
use verger_answer::{VerdictKeys, json};
use verger_compare::Found;

use crate::file_comparison::{FileComparison, PolicyChange};

const SCHEMA: &str = "verger.diff/1";

/// A change for a set of crawlers, as a line of JSON.
#[derive(Debug, Serialize)]
pub struct ChangeLine<'c> {
    schema: &'static str,
    crawlers: Vec<&'c str>,
    dialect: &'static str,
    newly_disallowed: Direction<'c>,
    newly_allowed: Direction<'c>,
}

#[derive(Debug, Serialize)]
struct Direction<'c> {
    /// Null if undecided.
    found: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    /// An example URL.
    url: Option<String>,
    before: Option<VerdictKeys<'c>>,
    after: Option<VerdictKeys<'c>>,
}

#[derive(Serialize)]
struct WholeLine {
    schema: &'static str,
    /// Whether nothing changed for any crawler. Null if undecided.
    same: Option<bool>,
    unchanged: usize,
    not_compared: usize,
}

/// Writes one line per change, then a summary line.
///
/// # Errors
///
/// Returns an error if writing fails.
pub fn write_change_lines(
    output: &mut impl Write,
    comparison: &FileComparison<'_>,
) -> io::Result<()> {
    for change in change_lines(comparison) {
        json::write_line(&mut *output, &change)?;
    }
    let whole = WholeLine {
        schema: SCHEMA,
        same: comparison.is_same(),
        unchanged: comparison.unchanged(),
        not_compared: comparison.not_compared(),
    };
    json::write_line(output, &whole)
}

/// Returns the changes as lines of JSON.
#[must_use]
pub fn change_lines<'c>(comparison: &'c FileComparison<'_>) -> Vec<ChangeLine<'c>> {
    let changes = comparison.changes().iter();
    changes
        .map(|change| change_line(change, comparison))
        .collect()
}

fn change_line<'c>(
    change: &'c PolicyChange<'c>,
    comparison: &'c FileComparison<'_>,
) -> ChangeLine<'c> {
    let difference = change.difference();
    let files = comparison.files_for(change.crawlers()[0]);
    let direction = |found| direction(found, change.policies(), files, comparison.site());
    ChangeLine {
        schema: SCHEMA,
        crawlers: change.crawlers().iter().map(|it| it.name()).collect(),
        dialect: files[0].dialect().as_str(),
        newly_disallowed: direction(difference.newly_disallowed()),
        newly_allowed: direction(difference.newly_allowed()),
    }
}

fn direction<'c>(
    found: &Found,
    policies: [&Policy; 2],
    [old, new]: [&'c RobotsTxt; 2],
    site: &str,
) -> Direction<'c> {
    let witness = found.witness();
    let keys = |policy: &Policy, robots: &'c RobotsTxt| {
        let verdict = policy.decide(witness?.target());
        Some(VerdictKeys::in_batch(&verdict, robots))
    };
    Direction {
        found: match found {
            Found::Witness(_) => Some(true),
            Found::NoTarget => Some(false),
            Found::NotDecided { .. } => None,
        },
        states: match found {
            Found::NotDecided { states } => Some(*states),
            Found::Witness(_) | Found::NoTarget => None,
        },
        url: witness.map(|witness| witness.url(site)),
        before: keys(policies[0], old),
        after: keys(policies[1], new),
    }
}
