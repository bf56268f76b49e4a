use std::collections::BTreeMap;
use std::path::Path;

use verger::{LineNumber, legible};
use verger_compare::Found;

use crate::claims::checked_claim::{CheckedClaim, ClaimResult};
use crate::crawler_list::{first_names, shown_names, spelt};
use crate::file_comparison::{FileComparison, PolicyChange};
use crate::listed::Listed;
use crate::sitemap::page_check::CheckedPages;
use crate::sitemap::sitemap_check::CheckedSitemap;

/// The results of all claims about a robots.txt.
#[derive(Debug)]
pub struct ClaimReport<'t> {
    /// The claim file.
    pub file: &'t Path,
    /// The robots.txt, as a path or a URL to show.
    pub robots: String,
    /// Path of the robots.txt, or `None` if a site serves it.
    pub robots_file: Option<&'t Path>,
    /// Path of the local robots.txt that the claim file names, if any.
    pub beside: Option<&'t Path>,
    /// The results of claims about URLs and path-patterns.
    pub claims: Vec<CheckedClaim<'t>>,
    /// The comparison of the served file with the local one, if they are claimed to be equivalent.
    pub comparison: Option<FileComparison<'t>>,
    /// The results of claims about sitemaps.
    pub sitemaps: Vec<CheckedSitemap>,
    /// The results of claims about pages.
    pub pages: Vec<CheckedPages>,
    /// Warnings about names that are probably misspelled, by line.
    pub warnings: Vec<(usize, String)>,
}

/// The result of a claim, independent of the output format.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClaimAnswer {
    /// Names of the crawlers with this result. Empty if the claim is about none.
    pub crawlers: Vec<String>,
    /// The claim in words.
    pub statement: String,
    /// The owner's reason.
    pub why: Option<String>,
    /// Line in the claim file, or `None` for the comparison of two files.
    pub line: Option<usize>,
    /// Line of the robots.txt that contradicts the claim.
    pub robots_line: Option<LineNumber>,
    /// The result.
    pub result: ClaimEnd,
    /// Number of URLs in a sitemap and number of disallowed ones.
    pub urls: Option<[u64; 2]>,
    /// Number of pages, and number of pages that contradict the claim.
    pub pages: Option<[u64; 2]>,
}

/// The result of a claim, with the reason if it does not hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClaimEnd {
    /// The claim holds.
    Holds,
    /// The claim does not hold.
    Fails(String),
    /// The result is unknown.
    NotDecided(String),
}

impl ClaimAnswer {
    /// Describes the claim: `gptbot: everything under / is disallowed`.
    #[must_use]
    pub fn claim(&self) -> String {
        match &self.crawlers[..] {
            [] => self.statement.clone(),
            crawlers => format!("{}: {}", first_names(crawlers), self.statement),
        }
    }

    /// Returns the owner's reason for people, after the text before it: `…; because: we sell there`.
    #[must_use]
    pub fn because(&self) -> String {
        let why = self.why.as_ref();
        why.map_or_else(String::new, |why| format!("; because: {why}"))
    }
}

impl ClaimReport<'_> {
    /// Returns whether all claims hold, or `None` if none fails but one is undecided.
    #[must_use]
    pub fn holds(&self) -> Option<bool> {
        self.answers().try_fold(true, |holds, it| match it.result {
            ClaimEnd::Holds => Some(holds),
            ClaimEnd::Fails(_) => Some(false),
            ClaimEnd::NotDecided(_) => None,
        })
    }

    /// Returns the results with the crawlers of each claim that have the same result together. Names
    /// are spelt as the operators spell them.
    #[must_use]
    pub fn by_result(&self) -> Vec<ClaimAnswer> {
        let mut together: Vec<ClaimAnswer> = Vec::new();
        let mut places = BTreeMap::new();
        for mut answer in self.answers() {
            for name in &mut answer.crawlers {
                *name = spelt(name).to_owned();
            }
            let key = (answer.line, answer.statement.clone(), answer.result.clone());
            let next = together.len();
            let place = *places.entry(key).or_insert(next);
            match together.get_mut(place) {
                Some(same) => same.crawlers.append(&mut answer.crawlers),
                None => together.push(answer),
            }
        }
        together
    }

    /// Returns the results of claims about crawlers, one for each crawler, then sitemaps, then pages, then the
    /// comparison of two files.
    pub fn answers(&self) -> impl Iterator<Item = ClaimAnswer> {
        let claims = self.claims.iter().map(shown_claim);
        let sitemaps = self.sitemaps.iter().flat_map(shown_sitemap);
        let pages = self.pages.iter().flat_map(shown_pages);
        let claims = claims.chain(sitemaps).chain(pages);
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
        crawlers: vec![legible(checked.claim.crawler.name().as_bytes())],
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
        pages: None,
    }
}

/// Returns a result for the validity of the sitemap and one for each crawler.
fn shown_sitemap(checked: &CheckedSitemap) -> Vec<ClaimAnswer> {
    let sitemap = &checked.of.sitemap;
    let shown = |crawlers, statement: String, result, urls| ClaimAnswer {
        crawlers,
        statement,
        robots_line: None,
        why: checked.of.why.as_ref().map(|why| legible(why.as_bytes())),
        line: checked.of.line,
        result,
        urls,
        pages: None,
    };
    let result = if checked.problems.count > 0 {
        ClaimEnd::Fails(checked.problems.text())
    } else if checked.unread.count > 0 {
        ClaimEnd::NotDecided(checked.unread.text())
    } else {
        ClaimEnd::Holds
    };
    let statement = format!("{sitemap} is a valid sitemap");
    let mut all = vec![shown(Vec::new(), statement, result, None)];
    for (crawler, disallowed) in checked.of.crawlers.iter().zip(&checked.disallowed) {
        let crawler = legible(crawler.name().as_bytes());
        let statement = format!("every URL in {sitemap} is allowed");
        let urls = Some([checked.urls, disallowed.count]);
        let result = of_urls(checked, disallowed);
        all.push(shown(vec![crawler], statement, result, urls));
    }
    all
}

/// Returns a result for each crawler.
fn shown_pages(checked: &CheckedPages) -> Vec<ClaimAnswer> {
    let of = &checked.of;
    let lists = checked.contrary.iter().zip(&checked.unknown);
    let shown = of.crawlers.iter().zip(lists);
    let shown = shown.map(|(crawler, (contrary, unknown))| ClaimAnswer {
        crawlers: vec![legible(crawler.name().as_bytes())],
        statement: of.statement(),
        robots_line: None,
        why: of.why.as_ref().map(|why| legible(why.as_bytes())),
        line: of.line,
        result: of_pages(checked, contrary, unknown),
        urls: None,
        pages: Some([checked.pages, contrary.count]),
    });
    shown.collect()
}

fn of_pages(checked: &CheckedPages, contrary: &Listed, unknown: &Listed) -> ClaimEnd {
    let shown = |of: &Listed| match checked.pages {
        1 => of.text(),
        pages => format!("{} of {pages} pages: {}", of.count, of.text()),
    };
    if contrary.count > 0 {
        return ClaimEnd::Fails(shown(contrary));
    }
    let unknown = (unknown.count > 0).then(|| shown(unknown));
    let unread = (checked.unread.count > 0).then(|| checked.unread.text());
    let why: Vec<String> = unknown.into_iter().chain(unread).collect();
    match (why.is_empty(), checked.pages) {
        (false, _) => ClaimEnd::NotDecided(why.join("; ")),
        (true, 0) => {
            let why = "no URL of a sitemap was tested: add `--sitemap`, or write URLs without `*`";
            ClaimEnd::NotDecided(why.to_owned())
        }
        (true, _) => ClaimEnd::Holds,
    }
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
        crawlers: Vec::new(),
        statement: "the served file is equivalent to the file in the repository".to_owned(),
        robots_line: None,
        why: None,
        line: None,
        result: match comparison.is_same() {
            Some(true) => ClaimEnd::Holds,
            Some(false) => ClaimEnd::Fails(changes.join("; ")),
            None => ClaimEnd::NotDecided(changes.join("; ")),
        },
        urls: None,
        pages: None,
    }
}

fn change(change: &PolicyChange<'_>, site: &str) -> String {
    let names = first_names(&shown_names(change.crawlers()));
    let difference = change.difference();
    let [_, served] = change.policies();
    let found = [difference.newly_disallowed(), difference.newly_allowed()];
    let said = found.into_iter().filter_map(|found| match found {
        Found::Witness(witness) => {
            let verdict = served.decide(witness.target());
            let url = witness.url(site);
            Some(format!("in the served file, {url} is {verdict}"))
        }
        Found::NotDecided { states } => Some(not_decided(*states)),
        Found::NoTarget => None,
    });
    let said: Vec<String> = said.collect();
    format!("{names}: {}", said.join(", "))
}

fn not_decided(states: u64) -> String {
    format!("not decided within {states} states")
}
