//! `SitemapChecker`: that crawlers may fetch all that a sitemap lists, each URL by the robots.txt of its
//! own site.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use url::Url;
use verger::{GroupIndex, Policy, Reading, RobotsTxt, TargetPath};
use verger_access::Authority;
use verger_answer::ResolvedCrawler;
use verger_owner::{SitemapEntry, read_sitemap};

use super::sitemap_reader::{SitemapReader, SitemapSource};
use crate::octet_text::legible;
use crate::robots_source::{RobotsSource, SiteTime};
use crate::site_client::SiteClient;

/// So many files are read of what one sitemap lists.
const FILES_MAX: usize = 1_000;

/// Of so many sites the robots.txt is read.
const SITES_MAX: usize = 100;

/// So many URLs and problems are kept to be shown.
const SHOWN_MAX: usize = 10;

/// What is claimed: that these crawlers may fetch all that a sitemap lists.
pub(super) struct SitemapToCheck {
    pub(super) crawlers: Vec<ResolvedCrawler>,
    pub(super) sitemap: SitemapSource,
    pub(super) why: Option<String>,
    pub(super) line: Option<usize>,
}

/// What was found.
pub(super) struct CheckedSitemap {
    pub(super) of: SitemapToCheck,
    /// How many URLs it lists, the sitemaps of an index included.
    pub(super) urls: u64,
    /// Of each crawler.
    pub(super) tallies: Vec<Tally>,
    /// What is not as the protocol has it.
    pub(super) problems: Listed,
    /// What could not be read, so that some URLs are not known, or not decided.
    pub(super) unread: Listed,
}

/// What one crawler may not fetch.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) disallowed: Listed,
}

/// The first of many texts, and how many there are.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) count: u64,
    first: Vec<String>,
}

impl Listed {
    fn add(&mut self, text: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < SHOWN_MAX {
            self.first.push(text());
        }
    }

    /// The first ones, and how many more there are.
    pub(super) fn text(&self) -> String {
        let shown = u64::try_from(self.first.len()).unwrap_or(u64::MAX);
        match self.count.saturating_sub(shown) {
            0 => self.first.join("; "),
            more => format!("{}; and {more} more", self.first.join("; ")),
        }
    }
}

/// Reads sitemaps, and decides about their URLs.
pub(super) struct SitemapChecker<'a> {
    sites: SiteClient<'a>,
    reader: SitemapReader<'a>,
    reading: Reading,
    /// A robots.txt that is no site's yet: it is that of the first URL, unless it is said to be another's.
    local: Option<RobotsTxt>,
    /// By the URL of the robots.txt.
    robots: BTreeMap<String, Result<GroupIndex, String>>,
}

/// The policies of a site, by the URL of its robots.txt, one for each crawler.
type Policies = BTreeMap<String, Option<Vec<Policy>>>;

fn key(authority: &Authority) -> &str {
    authority.robots_url().as_str()
}

impl<'a> SitemapChecker<'a> {
    pub(super) fn new(sites: SiteClient<'a>, reading: Reading) -> Self {
        Self {
            reader: SitemapReader::new(sites.fetching),
            sites,
            reading,
            local: None,
            robots: BTreeMap::new(),
        }
    }

    /// Takes this file for the robots.txt of `site`; where none is named, for that of the site of a sitemap,
    /// or of the first URL in one that is a file.
    pub(super) fn take_robots(&mut self, robots: RobotsTxt, site: Option<&Authority>) {
        match site {
            Some(site) => {
                self.robots
                    .insert(key(site).to_owned(), Ok(GroupIndex::new(robots)));
            }
            None => self.local = Some(robots),
        }
    }

    /// Reads a sitemap and those that it lists, and decides about every URL.
    pub(super) fn check(&mut self, of: SitemapToCheck) -> CheckedSitemap {
        let mut checked = CheckedSitemap {
            urls: 0,
            tallies: of.crawlers.iter().map(|_| Tally::default()).collect(),
            problems: Listed::default(),
            unread: Listed::default(),
            of,
        };
        if let SitemapSource::Url(url) = &checked.of.sitemap {
            self.give_local_to(url);
        }
        let mut policies = Policies::new();
        let mut waiting = VecDeque::from([checked.of.sitemap.clone()]);
        let mut seen: BTreeSet<SitemapSource> = waiting.iter().cloned().collect();
        let mut is_root = true;
        while let Some(sitemap) = waiting.pop_front() {
            let is_argument = is_root && checked.of.line.is_none();
            let octets = match self.reader.read(&sitemap, is_argument) {
                Ok(octets) => octets,
                Err(why) => {
                    checked.unread.add(|| format!("{sitemap}: {why}"));
                    continue;
                }
            };
            let problems = read_sitemap(&octets, |entry| match entry {
                SitemapEntry::Url(text) => self.check_url(text, &mut checked, &mut policies),
                SitemapEntry::Sitemap(text) if !is_root => {
                    checked.problems.add(|| {
                        format!(
                            "{sitemap} is an index that an index lists, of {}",
                            shown(text)
                        )
                    });
                }
                SitemapEntry::Sitemap(text) => {
                    let next = Url::parse(text).ok().and_then(|url| {
                        sitemap.beside(&url).or_else(|| SitemapSource::of_url(url))
                    });
                    match next {
                        None => checked.problems.add(|| not_a_url(text)),
                        Some(next) if seen.contains(&next) => {}
                        Some(_) if seen.len() >= FILES_MAX => checked
                            .unread
                            .add(|| format!("{}: more than {FILES_MAX} files", shown(text))),
                        Some(next) => {
                            seen.insert(next.clone());
                            waiting.push_back(next);
                        }
                    }
                }
            });
            for problem in problems {
                checked.problems.add(|| format!("{sitemap}: {problem}"));
                if problem.is_cut() {
                    checked
                        .unread
                        .add(|| format!("{sitemap} was not read to its end"));
                }
            }
            is_root = false;
        }
        checked
    }

    fn check_url(&mut self, text: &str, checked: &mut CheckedSitemap, policies: &mut Policies) {
        checked.urls += 1;
        let url = Url::parse(text).ok();
        let authority = url.as_ref().and_then(|url| Authority::of_url(url).ok());
        let target = url
            .as_ref()
            .map(|url| TargetPath::as_sent(url.as_str(), self.reading));
        let (Some(url), Some(authority), Some(Ok(target))) = (&url, authority, target) else {
            checked.problems.add(|| not_a_url(text));
            return;
        };
        self.give_local_to(url);
        if !policies.contains_key(key(&authority)) {
            if !self.robots.contains_key(key(&authority)) && self.robots.len() >= SITES_MAX {
                checked
                    .unread
                    .add(|| format!("{authority}: URLs of more than {SITES_MAX} sites"));
                return;
            }
            let made = self.policies(&authority, checked);
            policies.insert(key(&authority).to_owned(), made);
        }
        let Some(Some(of_site)) = policies.get(key(&authority)) else {
            return;
        };
        for (policy, tally) in of_site.iter().zip(&mut checked.tallies) {
            let verdict = policy.decide(&target);
            if verdict.effect() == verger::Effect::Disallow {
                tally.disallowed.add(|| {
                    let rule = verdict.rule().and_then(|id| policy.rule(id));
                    let rule = rule.map_or_else(String::new, |rule| format!(", {rule}"));
                    let verdict = format!("{} is {verdict}{rule}", url.as_str());
                    legible(verdict.as_bytes())
                });
            }
        }
    }

    /// The policies of the crawlers on a site; `None` where its robots.txt is not known, which is noted once.
    fn policies(
        &mut self,
        authority: &Authority,
        checked: &mut CheckedSitemap,
    ) -> Option<Vec<Policy>> {
        if !self.robots.contains_key(key(authority)) {
            let source = RobotsSource::Site(authority.clone());
            let read = source.read(&mut self.sites, SiteTime::Now);
            let read = read.map_err(|error| error.to_string());
            let robots = read.map(|body| GroupIndex::new(RobotsTxt::parse(body, self.reading)));
            self.robots.insert(key(authority).to_owned(), robots);
        }
        match self.robots.get(key(authority))? {
            Ok(index) => {
                let crawlers = checked.of.crawlers.iter();
                Some(crawlers.map(|it| index.policy(it.crawler())).collect())
            }
            Err(why) => {
                checked.unread.add(|| legible(why.as_bytes()));
                None
            }
        }
    }

    fn give_local_to(&mut self, url: &Url) {
        if let Ok(authority) = Authority::of_url(url)
            && let Some(robots) = self.local.take()
        {
            let index = GroupIndex::new(robots);
            self.robots.insert(key(&authority).to_owned(), Ok(index));
        }
    }
}

/// What is not understood is repeated only where it looks like a URL: a list of URLs may be another file.
fn not_a_url(text: &str) -> String {
    if text.contains("://") {
        format!("{} is no URL of the web", shown(text))
    } else {
        "an entry is no URL of the web".to_owned()
    }
}

/// The start of an entry.
fn shown(text: &str) -> String {
    let start: String = text.chars().take(100).collect();
    format!("`{}`", legible(start.as_bytes()))
}
