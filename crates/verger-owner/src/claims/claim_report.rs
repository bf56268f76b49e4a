//! `ClaimReport`: what was found of all claims, as every format shows it.

use std::path::Path;

use verger::{LineNumber, legible};
use verger_answer::ResolvedCrawler;
use verger_compare::Found;

use crate::claims::checked_claim::{CheckedClaim, ClaimResult};
use crate::file_comparison::{FileComparison, PolicyChange};
use crate::listed::Listed;
use crate::sitemap::sitemap_check::CheckedSitemap;

/// The results of all claims about a robots.txt.
#[derive(Debug)]
pub struct ClaimReport<'t> {
    /// The file of the claims.
    pub file: &'t Path,
    /// The robots.txt that the claims are about, a path or a URL for people.
    pub robots: String,
    /// The path of that file, unless a site serves it.
    pub robots_file: Option<&'t Path>,
    /// The robots.txt that the claims name, where that is a file.
    pub beside: Option<&'t Path>,
    /// The claims about URLs and sets of them.
    pub claims: Vec<CheckedClaim<'t>>,
    /// The served file compared with that of the repository, where they are claimed to be the same.
    pub comparison: Option<FileComparison<'t>>,
    /// The claims about sitemaps.
    pub sitemaps: Vec<CheckedSitemap>,
    /// Warnings about names that are probably misspelt, by line.
    pub warnings: Vec<(usize, String)>,
}

/// One claim, as every format shows it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClaimAnswer {
    /// The crawler that it is about, if it is about one.
    pub crawler: Option<String>,
    /// The claim in words.
    pub statement: String,
    /// Why, in the owner's words.
    pub why: Option<String>,
    /// Its line in the file of the claims; `None` of the claim that two files mean the same.
    pub line: Option<usize>,
    /// The line of the robots.txt that decides against it.
    pub robots_line: Option<LineNumber>,
    /// How it ended.
    pub result: ClaimEnd,
    /// How many URLs a sitemap lists, and how many of them are disallowed.
    pub urls: Option<[u64; 2]>,
}

/// How a claim ended, with a sentence that says why it does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClaimEnd {
    /// It holds.
    Holds,
    /// It does not hold.
    Fails(String),
    /// Something is not known.
    NotDecided(String),
}

impl ClaimAnswer {
    /// `gptbot: everything under / is disallowed`.
    #[must_use]
    pub fn claim(&self) -> String {
        let crawler = self.crawler.as_ref();
        let crawler = crawler.map_or_else(String::new, |crawler| format!("{crawler}: "));
        crawler + &self.statement
    }
}

impl ClaimReport<'_> {
    /// Whether all claims hold; `None` where one is not decided.
    #[must_use]
    pub fn holds(&self) -> Option<bool> {
        self.answers().try_fold(true, |holds, it| match it.result {
            ClaimEnd::Holds => Some(holds),
            ClaimEnd::Fails(_) => Some(false),
            ClaimEnd::NotDecided(_) => None,
        })
    }

    /// Every claim in order, then sitemaps; what two files mean comes last.
    pub fn answers(&self) -> impl Iterator<Item = ClaimAnswer> {
        let claims = self.claims.iter().map(shown_claim);
        let sitemaps = self.sitemaps.iter().flat_map(shown_sitemap);
        let claims = claims.chain(sitemaps);
        claims.chain(self.comparison.as_ref().map(shown_comparison))
    }
}

fn shown_claim(checked: &CheckedClaim<'_>) -> ClaimAnswer {
    let result = match &checked.result {
        ClaimResult::Holds => ClaimEnd::Holds,
        ClaimResult::Fails { url, verdict, rule } => {
            let url = legible(url.as_bytes());
            let rule = rule.as_ref().map(|rule| legible(rule.as_bytes()));
            let rule = rule.map_or_else(String::new, |rule| format!(", {rule}"));
            ClaimEnd::Fails(format!("{url} is {verdict}{rule}"))
        }
        ClaimResult::NotDecided { states } => ClaimEnd::NotDecided(not_decided(*states)),
    };
    let robots_line = match &checked.result {
        ClaimResult::Fails { verdict, .. } => verdict.line(),
        _ => None,
    };
    ClaimAnswer {
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
fn shown_sitemap(checked: &CheckedSitemap) -> Vec<ClaimAnswer> {
    let sitemap = &checked.of.sitemap;
    let shown = |crawler, statement: String, result, urls| ClaimAnswer {
        crawler,
        statement,
        robots_line: None,
        why: checked.of.why.as_ref().map(|why| legible(why.as_bytes())),
        line: checked.of.line,
        result,
        urls,
    };
    let result = if checked.problems.count > 0 {
        ClaimEnd::Fails(checked.problems.text())
    } else if checked.unread.count > 0 {
        ClaimEnd::NotDecided(checked.unread.text())
    } else {
        ClaimEnd::Holds
    };
    let statement = format!("{sitemap} is a sitemap as the protocol has it");
    let mut all = vec![shown(None, statement, result, None)];
    for (crawler, disallowed) in checked.of.crawlers.iter().zip(&checked.disallowed) {
        let crawler = legible(crawler.name().as_bytes());
        let statement = format!("every URL in {sitemap} is allowed");
        let urls = Some([checked.urls, disallowed.count]);
        let result = of_urls(checked, disallowed);
        all.push(shown(Some(crawler), statement, result, urls));
    }
    all
}

fn of_urls(checked: &CheckedSitemap, disallowed: &Listed) -> ClaimEnd {
    if disallowed.count > 0 {
        let (count, urls) = (disallowed.count, checked.urls);
        let first = disallowed.text();
        return ClaimEnd::Fails(format!("{count} of {urls} URLs are disallowed: {first}"));
    }
    match checked.unread.count {
        0 => ClaimEnd::Holds,
        _ => ClaimEnd::NotDecided(checked.unread.text()),
    }
}

fn shown_comparison(comparison: &FileComparison<'_>) -> ClaimAnswer {
    let changes = comparison.changes().iter();
    let changes: Vec<String> = changes.map(|it| change(it, comparison.site())).collect();
    ClaimAnswer {
        crawler: None,
        statement: "what is served means what the file in the repository means".to_owned(),
        robots_line: None,
        why: None,
        line: None,
        result: match comparison.is_same() {
            Some(true) => ClaimEnd::Holds,
            Some(false) => ClaimEnd::Fails(changes.join("; ")),
            None => ClaimEnd::NotDecided(changes.join("; ")),
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
