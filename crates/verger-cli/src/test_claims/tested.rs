//! `Tested`: all that is shown about a run.

use std::path::Path;

use verger_answer::ResolvedCrawler;
use verger_compare::Found;
use verger_owner::{CheckedClaim, ClaimResult, FileComparison, PolicyChange};

use crate::octet_text::legible;
use crate::outcome::Outcome;

/// All that is shown about a run.
pub(super) struct Tested<'t> {
    /// The file of the claims.
    pub(super) file: &'t Path,
    /// What was held to them.
    pub(super) robots: String,
    pub(super) claims: Vec<CheckedClaim<'t>>,
    /// What is served, against the file of the repository, where that is claimed to be the same.
    pub(super) comparison: Option<FileComparison<'t>>,
}

/// One claim, as every format shows it.
pub(super) struct Shown {
    pub(super) claim: String,
    pub(super) why: Option<String>,
    /// Its line in the file of the claims; `None` of the claim that two files mean the same.
    pub(super) line: Option<usize>,
    pub(super) result: Shows,
}

/// How a claim ended.
pub(super) enum Shows {
    Holds,
    Fails(String),
    NotDecided(String),
}

impl Tested<'_> {
    pub(super) fn outcome(&self) -> Outcome {
        let outcomes = self.shown().map(|shown| match shown.result {
            Shows::Holds => Outcome::Success,
            Shows::Fails(_) => Outcome::Warned,
            Shows::NotDecided(_) => Outcome::Unanswered,
        });
        outcomes.max().unwrap_or(Outcome::Success)
    }

    /// Every claim in order; what two files mean comes last.
    pub(super) fn shown(&self) -> impl Iterator<Item = Shown> {
        let claims = self.claims.iter().map(shown_claim);
        claims.chain(self.comparison.as_ref().map(shown_comparison))
    }
}

fn shown_claim(checked: &CheckedClaim<'_>) -> Shown {
    let result = match &checked.result {
        ClaimResult::Holds => Shows::Holds,
        ClaimResult::Fails {
            path,
            verdict,
            rule,
        } => {
            let path = legible(path.as_bytes());
            let rule = rule.as_ref().map(|rule| legible(rule.as_bytes()));
            let rule = rule.map_or_else(String::new, |rule| format!(", {rule}"));
            Shows::Fails(format!("{path} is {verdict}{rule}"))
        }
        ClaimResult::NotDecided { states } => Shows::NotDecided(not_decided(*states)),
        _ => Shows::NotDecided("not known".to_owned()),
    };
    Shown {
        claim: legible(checked.claim.to_string().as_bytes()),
        why: checked
            .claim
            .why
            .as_ref()
            .map(|why| legible(why.as_bytes())),
        line: Some(checked.claim.line),
        result,
    }
}

fn shown_comparison(comparison: &FileComparison<'_>) -> Shown {
    let changes: Vec<String> = comparison.changes().iter().map(change).collect();
    Shown {
        claim: "what is served means what the file in the repository means".to_owned(),
        why: None,
        line: None,
        result: match comparison.is_same() {
            Some(true) => Shows::Holds,
            Some(false) => Shows::Fails(changes.join("; ")),
            None => Shows::NotDecided(changes.join("; ")),
        },
    }
}

/// `gptbot and 3 more: / is disallowed by line 2 of what is served`.
fn change(change: &PolicyChange<'_>) -> String {
    let names: Vec<&str> = change.crawlers().iter().map(|it| name(it)).collect();
    let names = match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first, others @ ..] => format!("{first} and {} more", others.len()),
    };
    let difference = change.difference();
    let [_, served] = change.policies();
    let found = [difference.newly_disallowed(), difference.newly_allowed()];
    let said = found.into_iter().filter_map(|found| match found {
        Found::Witness(witness) => {
            let verdict = served.decide(witness.target());
            Some(format!("{witness} is {verdict} as it is served"))
        }
        Found::NotDecided { states } => Some(not_decided(*states)),
        Found::NoTarget => None,
    });
    let said: Vec<String> = said.collect();
    format!("{}: {}", legible(names.as_bytes()), said.join(", "))
}

fn name(crawler: &ResolvedCrawler) -> &str {
    if crawler.crawler().tokens().is_empty() {
        "any other"
    } else {
        crawler.name()
    }
}

fn not_decided(states: u64) -> String {
    format!("not decided within {states} states")
}
