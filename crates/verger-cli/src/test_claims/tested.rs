//! `Tested`: all that is shown about a run.

use std::path::Path;

use verger::LineNumber;

use super::sitemaps::{CheckedSitemap, Tally};
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
    /// Where that is, unless a site serves it.
    pub(super) robots_file: Option<&'t Path>,
    /// The robots.txt that the claims name, where that is a file.
    pub(super) beside: Option<&'t Path>,
    pub(super) claims: Vec<CheckedClaim<'t>>,
    /// What is served, against the file of the repository, where that is claimed to be the same.
    pub(super) comparison: Option<FileComparison<'t>>,
    pub(super) sitemaps: Vec<CheckedSitemap>,
    /// What is said of names that are probably misspelt, by line.
    pub(super) warnings: Vec<(usize, String)>,
}

/// One claim, as every format shows it.
pub(super) struct Shown {
    /// The crawler that it is about, if it is about one.
    pub(super) crawler: Option<String>,
    /// What is claimed of it.
    pub(super) statement: String,
    pub(super) why: Option<String>,
    /// Its line in the file of the claims; `None` of the claim that two files mean the same.
    pub(super) line: Option<usize>,
    /// The line of the robots.txt that decides against it.
    pub(super) robots_line: Option<LineNumber>,
    pub(super) result: Shows,
    /// How many URLs a sitemap lists, and how many of them are disallowed.
    pub(super) urls: Option<[u64; 2]>,
}

impl Shown {
    /// `gptbot: everything under / is disallowed`.
    pub(super) fn claim(&self) -> String {
        let crawler = self.crawler.as_ref();
        let crawler = crawler.map_or_else(String::new, |crawler| format!("{crawler}: "));
        crawler + &self.statement
    }
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

    /// Every claim in order, then sitemaps; what two files mean comes last.
    pub(super) fn shown(&self) -> impl Iterator<Item = Shown> {
        let claims = self.claims.iter().map(shown_claim);
        let sitemaps = self.sitemaps.iter().flat_map(shown_sitemap);
        let claims = claims.chain(sitemaps);
        claims.chain(self.comparison.as_ref().map(shown_comparison))
    }
}

fn shown_claim(checked: &CheckedClaim<'_>) -> Shown {
    let result = match &checked.result {
        ClaimResult::Holds => Shows::Holds,
        ClaimResult::Fails { url, verdict, rule } => {
            let url = legible(url.as_bytes());
            let rule = rule.as_ref().map(|rule| legible(rule.as_bytes()));
            let rule = rule.map_or_else(String::new, |rule| format!(", {rule}"));
            Shows::Fails(format!("{url} is {verdict}{rule}"))
        }
        ClaimResult::NotDecided { states } => Shows::NotDecided(not_decided(*states)),
        _ => Shows::NotDecided("not known".to_owned()),
    };
    let robots_line = match &checked.result {
        ClaimResult::Fails { verdict, .. } => verdict.line(),
        _ => None,
    };
    Shown {
        crawler: Some(legible(checked.claim.crawler.name().as_bytes())),
        statement: legible(checked.claim.statement().as_bytes()),
        robots_line,
        why: checked
            .claim
            .why
            .as_ref()
            .map(|why| legible(why.as_bytes())),
        line: Some(checked.claim.line),
        result,
        urls: None,
    }
}

/// That it is a sitemap as the protocol has it, and what each crawler may fetch of what it lists.
fn shown_sitemap(checked: &CheckedSitemap) -> Vec<Shown> {
    let sitemap = &checked.of.sitemap;
    let shown = |crawler, statement: String, result, urls| Shown {
        crawler,
        statement,
        robots_line: None,
        why: checked.of.why.as_ref().map(|why| legible(why.as_bytes())),
        line: checked.of.line,
        result,
        urls,
    };
    let result = if checked.problems.count > 0 {
        Shows::Fails(checked.problems.text())
    } else if checked.unread.count > 0 {
        Shows::NotDecided(checked.unread.text())
    } else {
        Shows::Holds
    };
    let statement = format!("{sitemap} is a sitemap as the protocol has it");
    let mut all = vec![shown(None, statement, result, None)];
    for (crawler, tally) in checked.of.crawlers.iter().zip(&checked.tallies) {
        let crawler = legible(crawler.name().as_bytes());
        let statement = format!("every URL in {sitemap} is allowed");
        let urls = Some([checked.urls, tally.disallowed.count]);
        let result = of_urls(checked, tally);
        all.push(shown(Some(crawler), statement, result, urls));
    }
    all
}

fn of_urls(checked: &CheckedSitemap, tally: &Tally) -> Shows {
    let Tally { disallowed } = tally;
    if disallowed.count > 0 {
        let (count, urls) = (disallowed.count, checked.urls);
        let first = disallowed.text();
        return Shows::Fails(format!("{count} of {urls} URLs are disallowed: {first}"));
    }
    match checked.unread.count {
        0 => Shows::Holds,
        _ => Shows::NotDecided(checked.unread.text()),
    }
}

fn shown_comparison(comparison: &FileComparison<'_>) -> Shown {
    let changes = comparison.changes().iter();
    let changes: Vec<String> = changes.map(|it| change(it, comparison.site())).collect();
    Shown {
        crawler: None,
        statement: "what is served means what the file in the repository means".to_owned(),
        robots_line: None,
        why: None,
        line: None,
        result: match comparison.is_same() {
            Some(true) => Shows::Holds,
            Some(false) => Shows::Fails(changes.join("; ")),
            None => Shows::NotDecided(changes.join("; ")),
        },
        urls: None,
    }
}

/// `gptbot and 3 more: / is disallowed by line 2 of what is served`.
fn change(change: &PolicyChange<'_>, site: &str) -> String {
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
            let url = witness.url(site);
            Some(format!("{url} is {verdict} as it is served"))
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
