use std::collections::{BTreeMap, BTreeSet};

use verger::{PathPattern, Reading, TargetPath, legible};
use verger_access::{Timestamp, requested_target};
use verger_answer::{
    CheckAnswer, CheckedFile, CheckedFiles, Explaining, PageFacts, PageFinding, PageState,
    ReadTargets, ResolvedCrawler,
};

use crate::listed::Listed;

/// A claim that crawlers index pages, or that they do not.
#[derive(Clone, Debug)]
pub struct PagesToCheck {
    /// The crawlers.
    pub crawlers: Vec<ResolvedCrawler>,
    /// The pages.
    pub pages: ClaimedPages,
    /// Whether the pages must be indexable. If not, crawlers must see them and not index them.
    pub indexable: bool,
    /// The owner's reason.
    pub why: Option<String>,
    /// Line of the claim, or `None` if it comes from an argument.
    pub line: Option<usize>,
}

/// The pages of a claim.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ClaimedPages {
    /// Every URL in a sitemap, whose name is here.
    Sitemap(String),
    /// The URLs in sitemaps that a path-pattern matches, with its text.
    Matching(PathPattern, String),
    /// One URL, or a path on the site of the robots.txt.
    One(String),
}

/// The result of a [`PagesToCheck`].
#[derive(Debug)]
pub struct CheckedPages {
    pub(crate) of: PagesToCheck,
    /// Number of pages.
    pub(crate) pages: u64,
    /// Pages that contradict the claim, for each crawler.
    pub(crate) contrary: Vec<Listed>,
    /// Pages whose state is not known, for each crawler.
    pub(crate) unknown: Vec<Listed>,
    /// The parts of sitemaps that were not read.
    pub(crate) unread: Listed,
    /// The URLs of sitemaps so far, as they are requested.
    seen: BTreeSet<String>,
    /// The robots.txt for the crawlers, by its URL.
    files: BTreeMap<String, CheckedFiles>,
}

impl ClaimedPages {
    /// Parses a claim: a path-pattern if it has a `*` or ends with `$`, and one page if not.
    pub(crate) fn from_text(text: &str, reading: Reading) -> Result<Self, String> {
        let is_pattern = text.contains('*') || text.ends_with('$');
        let is_url = text.contains("://");
        if is_pattern && is_url {
            let shown = legible(text.as_bytes());
            return Err(format!(
                "`{shown}`: write the path-pattern alone, such as /blog/**"
            ));
        }
        if is_pattern {
            let pattern = PathPattern::new(text, reading);
            let pattern = pattern.map_err(|error| format!("`{text}`: {error}"))?;
            return Ok(Self::Matching(pattern, text.to_owned()));
        }
        requested_target(text.as_bytes(), reading).map_err(|error| error.to_string())?;
        Ok(Self::One(text.to_owned()))
    }
}

impl PagesToCheck {
    /// Returns the claim in words: `every listed URL under /blog/** is indexable`.
    pub(crate) fn statement(&self) -> String {
        let state = if self.indexable {
            "indexable"
        } else {
            "not indexed"
        };
        match &self.pages {
            ClaimedPages::Sitemap(sitemap) => format!("every URL in {sitemap} is {state}"),
            ClaimedPages::Matching(_, text) => {
                format!(
                    "every URL in sitemaps that {} matches is {state}",
                    legible(text.as_bytes())
                )
            }
            ClaimedPages::One(text) => format!("{} is {state}", legible(text.as_bytes())),
        }
    }
}

impl CheckedPages {
    pub(crate) fn new(of: PagesToCheck) -> Self {
        let listed = || of.crawlers.iter().map(|_| Listed::default()).collect();
        Self {
            pages: 0,
            contrary: listed(),
            unknown: listed(),
            unread: Listed::default(),
            seen: BTreeSet::new(),
            files: BTreeMap::new(),
            of,
        }
    }

    /// Returns whether the claim is about a URL of a sitemap that is new to it. `is_own` says whether the claim is about the
    /// whole sitemap.
    pub(crate) fn accepts(
        &mut self,
        is_own: bool,
        target: &TargetPath<'_>,
        requested: &str,
    ) -> bool {
        let is_about = match &self.of.pages {
            ClaimedPages::Sitemap(_) => is_own,
            ClaimedPages::Matching(pattern, _) => pattern.matches(target),
            ClaimedPages::One(_) => false,
        };
        is_about && self.seen.insert(requested.to_owned())
    }

    /// Adds the parts of a sitemap that were not read, if the claim is about its URLs. `is_own` is as in
    /// [`CheckedPages::accepts`].
    pub(crate) fn end_sitemap(&mut self, is_own: bool, unread: &Listed) {
        let is_about = match &self.of.pages {
            ClaimedPages::Sitemap(_) => is_own,
            ClaimedPages::Matching(..) => true,
            ClaimedPages::One(_) => false,
        };
        if is_about && unread.count > 0 {
            self.unread.add(|| unread.text());
        }
        if is_own {
            self.seen.clear();
        }
    }

    /// Adds a page whose state is not known to any crawler.
    pub(crate) fn add_unknown(&mut self, why: &str) {
        self.pages += 1;
        for listed in &mut self.unknown {
            listed.add(|| why.to_owned());
        }
    }

    /// Adds a page. `robots` is the URL of its robots.txt, whose body `body` returns. `findings` returns the mistakes in its
    /// directives.
    pub(crate) fn add(
        &mut self,
        (url, facts, at): (&str, &PageFacts, Timestamp),
        (robots, reading): (&str, Reading),
        body: impl FnOnce() -> Vec<u8>,
        findings: impl Fn(&CheckAnswer<'_>) -> Vec<PageFinding>,
    ) {
        if !self.files.contains_key(robots) {
            let body = body();
            let read = |readings: &_, of: &[_]| CheckedFile::new(body.clone(), readings, of);
            let files = CheckedFiles::new(reading, Explaining::No, &self.of.crawlers, read);
            self.files.insert(robots.to_owned(), files);
        }
        let Some(files) = self.files.get(robots) else {
            return;
        };
        let readings: Vec<_> = files
            .files()
            .iter()
            .map(|it| *it.robots().reading())
            .collect();
        // A URL that cannot be requested was reported with its sitemap.
        let Ok(targets) = ReadTargets::new(url.as_bytes(), &readings) else {
            return;
        };
        self.pages += 1;
        let lists = self.contrary.iter_mut().zip(&mut self.unknown);
        for (&(file, nth), (contrary, unknown)) in files.places().iter().zip(lists) {
            let answer = files.files()[file].answer(nth, url.as_bytes(), targets.get(file));
            let answer = answer.with_page(facts, at);
            let Some(page) = &answer.page else { continue };
            let list = match (page.state, self.of.indexable) {
                (PageState::Indexable, true) | (PageState::NotIndexed, false) => continue,
                (PageState::Unknown, _) => unknown,
                _ => contrary,
            };
            // `https://example.com/x is not indexed: noindex (meta, line 5) [noindex-in-sitemap]`
            list.add(|| {
                let state = page.state.as_str().replace('-', " ");
                let url = legible(url.as_bytes());
                let mut said = format!("{url} is {state}: {}", page.because);
                for finding in findings(&answer) {
                    said.extend([" [", finding.code, "]"]);
                }
                said
            });
        }
    }
}
