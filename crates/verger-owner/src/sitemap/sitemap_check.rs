use std::collections::BTreeMap;
use std::rc::Rc;

use url::Url;
use verger::{Policy, Reading, RobotsTxt, legible};
use verger_access::Authority;
use verger_answer::{
    CrawlerQuery, CrawlerQueryError, CrawlerReadings, ReadAs, ReadError, ReadTargets,
    ResolvedCrawler,
};

use crate::file_policies::FilePolicies;
use crate::listed::Listed;
use crate::sitemap::sitemap_file::{SitemapEntry, read_sitemap};
use crate::sitemap::sitemap_source::SitemapSource;
use crate::sitemap::sitemap_walk::{NotRead, SitemapReader, SitemapWalk, not_a_url};

/// Maximum number of sites whose robots.txt is read.
const SITES_MAX: usize = 100;

/// A claim that crawlers may fetch every URL of a sitemap.
#[derive(Clone, Debug)]
pub struct SitemapToCheck {
    /// The crawlers.
    pub crawlers: Vec<ResolvedCrawler>,
    /// The sitemap.
    pub sitemap: SitemapSource,
    /// The owner's reason.
    pub why: Option<String>,
    /// Line of the claim, or `None` if it comes from an argument.
    pub line: Option<usize>,
}

/// The crawlers that read sitemaps most.
const SITEMAP_CRAWLERS: [&str; 2] = ["googlebot", "bingbot"];

impl SitemapToCheck {
    /// Resolves the named crawlers. If none is named, returns Googlebot, Bingbot and a crawler that
    /// no group names.
    ///
    /// # Errors
    ///
    /// Returns an error if a name is neither known nor a product token.
    pub fn crawlers_of(
        named: &[CrawlerQuery],
        read_as: ReadAs,
    ) -> Result<Vec<ResolvedCrawler>, CrawlerQueryError> {
        let mut crawlers = Vec::new();
        for query in named {
            crawlers.extend(query.resolve(read_as)?);
        }
        if crawlers.is_empty() {
            for name in SITEMAP_CRAWLERS {
                crawlers.push(ResolvedCrawler::from_name(name, read_as)?);
            }
            crawlers.push(ResolvedCrawler::unnamed());
        }
        Ok(crawlers)
    }
}

/// The result of a [`SitemapToCheck`].
#[derive(Debug)]
pub struct CheckedSitemap {
    pub(crate) of: SitemapToCheck,
    /// Number of listed URLs, including those in the sitemaps of an index.
    pub(crate) urls: u64,
    /// URLs that each crawler may not fetch.
    pub(crate) disallowed: Vec<Listed>,
    /// Violations of the sitemap protocol.
    pub(crate) problems: Listed,
    /// Reasons why some URLs are unknown or undecided.
    pub(crate) unread: Listed,
}

/// Checks sitemaps against the robots.txt of each listed URL's site.
#[derive(Debug)]
pub struct SitemapChecker<R> {
    reader: R,
    reading: Reading,
    /// A local robots.txt without a site. It stands in for that of the first URL's site.
    local: Option<RobotsTxt>,
    /// Files by the URL of the robots.txt.
    robots: BTreeMap<String, Result<FilePolicies, ReadError>>,
}

/// Policies by the URL of the robots.txt, one per crawler.
type Policies = BTreeMap<String, Option<Vec<Rc<Policy>>>>;

fn key(authority: &Authority) -> &str {
    authority.robots_url().as_str()
}

impl<R: SitemapReader> SitemapChecker<R> {
    /// Creates a checker that gets files from `reader` and parses each robots.txt as `reading`
    /// says.
    pub fn new(reader: R, reading: Reading) -> Self {
        Self {
            reader,
            reading,
            local: None,
            robots: BTreeMap::new(),
        }
    }

    /// Uses this file as the robots.txt of `site`. Without a site, uses it for the site of a
    /// sitemap URL, or for the site of the first URL in a local sitemap.
    pub fn take_robots(&mut self, robots: RobotsTxt, site: Option<&Authority>) {
        match site {
            Some(site) => {
                self.robots
                    .insert(key(site).to_owned(), Ok(FilePolicies::new(robots)));
            }
            None => self.local = Some(robots),
        }
    }

    /// Checks every URL of a sitemap and of the sitemaps it lists.
    pub fn check(&mut self, of: SitemapToCheck) -> CheckedSitemap {
        let mut checked = CheckedSitemap {
            urls: 0,
            disallowed: of.crawlers.iter().map(|_| Listed::default()).collect(),
            problems: Listed::default(),
            unread: Listed::default(),
            of,
        };
        if let SitemapSource::Url(url) = &checked.of.sitemap {
            self.give_local_to(url);
        }
        let mut policies = Policies::new();
        let mut walk = SitemapWalk::from(checked.of.sitemap.clone());
        let mut is_root = true;
        while let Some(sitemap) = walk.next() {
            let is_argument = is_root && checked.of.line.is_none();
            is_root = false;
            let bytes = match self.reader.sitemap(&sitemap, is_argument) {
                Ok(bytes) => bytes,
                Err(why) => {
                    checked.unread.add(|| format!("{sitemap}: {why}"));
                    continue;
                }
            };
            let problems = read_sitemap(&bytes, |entry| match entry {
                SitemapEntry::Url(text) => self.check_url(text, &mut checked, &mut policies),
                SitemapEntry::Sitemap(text) => match walk.take(&sitemap, text, &self.reader) {
                    Ok(()) => {}
                    Err(NotRead::Wrong(sentence)) => checked.problems.add(|| sentence),
                    Err(NotRead::TooMany(sentence)) => checked.unread.add(|| sentence),
                },
            });
            for problem in problems {
                checked.problems.add(|| format!("{sitemap}: {problem}"));
                if problem.is_cut() {
                    checked
                        .unread
                        .add(|| format!("{sitemap} was not read to the end"));
                }
            }
        }
        checked
    }

    fn check_url(&mut self, text: &str, checked: &mut CheckedSitemap, policies: &mut Policies) {
        checked.urls += 1;
        let url = Url::parse(text).ok();
        let authority = url
            .as_ref()
            .and_then(|url| Authority::from_parsed_url(url).ok());
        // Use the text as written, because a URL parser rewrites paths.
        let readings = CrawlerReadings::new(self.reading, &checked.of.crawlers);
        let targets = ReadTargets::new(text.as_bytes(), readings.readings());
        let (Some(url), Some(authority), Ok(targets)) = (&url, authority, targets) else {
            checked.problems.add(|| not_a_url(text));
            return;
        };
        self.give_local_to(url);
        if !policies.contains_key(key(&authority)) {
            if !self.robots.contains_key(key(&authority)) && self.robots.len() >= SITES_MAX {
                checked
                    .unread
                    .add(|| format!("{authority}: not checked, because the sitemap has URLs of more than {SITES_MAX} sites"));
                return;
            }
            let made = self.policies(&authority, checked);
            policies.insert(key(&authority).to_owned(), made);
        }
        let Some(Some(of_site)) = policies.get(key(&authority)) else {
            return;
        };
        let judged = of_site.iter().zip(readings.places());
        for ((policy, &reading), disallowed) in judged.zip(&mut checked.disallowed) {
            let verdict = policy.decide(targets.get(reading));
            if verdict.effect() == verger::Effect::Disallow {
                disallowed.add(|| {
                    let rule = verdict.rule().and_then(|id| policy.rule(id));
                    let rule = rule.map_or_else(String::new, |rule| format!(", {rule}"));
                    let verdict = format!("{text} is {verdict}{rule}");
                    legible(verdict.as_bytes())
                });
            }
        }
    }

    /// Returns the policies for a site, or `None` if its robots.txt is unknown, which is reported
    /// once.
    fn policies(
        &mut self,
        authority: &Authority,
        checked: &mut CheckedSitemap,
    ) -> Option<Vec<Rc<Policy>>> {
        if !self.robots.contains_key(key(authority)) {
            let read = self.reader.robots(authority);
            let robots = read.map(|body| FilePolicies::new(RobotsTxt::parse(body, self.reading)));
            self.robots.insert(key(authority).to_owned(), robots);
        }
        match self.robots.get_mut(key(authority))? {
            Ok(file) => {
                let crawlers = checked.of.crawlers.iter();
                let made = crawlers.map(|it| Some(file.policy(it)?.policy));
                let made: Option<Vec<_>> = made.collect();
                if made.is_none() {
                    let name = key(authority);
                    let too_many = || format!("{name}: not checked, because it has too many rules");
                    checked.unread.add(too_many);
                }
                made
            }
            Err(why) => {
                checked.unread.add(|| legible(why.as_str().as_bytes()));
                None
            }
        }
    }

    fn give_local_to(&mut self, url: &Url) {
        if let Ok(authority) = Authority::from_parsed_url(url)
            && let Some(robots) = self.local.take()
        {
            let file = FilePolicies::new(robots);
            self.robots.insert(key(&authority).to_owned(), Ok(file));
        }
    }
}
