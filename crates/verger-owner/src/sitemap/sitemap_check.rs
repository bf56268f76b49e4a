use std::collections::BTreeMap;
use std::rc::Rc;

use url::Url;
use verger::{Policy, Reading, RobotsTxt, legible};
use verger_access::{Authority, Timestamp, requested_target, web_url};
use verger_answer::{
    CheckAnswer, CrawlerQuery, CrawlerQueryError, CrawlerReadings, ReadAs, ReadError, ReadTargets,
    ResolvedCrawler,
};

use crate::file_policies::FilePolicies;
use crate::listed::Listed;
use crate::sitemap::page_check::{CheckedPages, ClaimedPages, PagesToCheck};
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
    /// Whether every URL must also be indexable.
    pub indexable: bool,
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
    /// Claims about pages, and the time at which they must hold.
    pages: Vec<CheckedPages>,
    at: Timestamp,
}

/// Policies by the URL of the robots.txt, one per crawler.
type Policies = BTreeMap<String, Option<Vec<Rc<Policy>>>>;

fn key(authority: &Authority) -> &str {
    authority.robots_url().as_str()
}

impl<R: SitemapReader> SitemapChecker<R> {
    /// Creates a checker that gets files from `reader` and parses each robots.txt as `reading`
    /// says. `at` is the time at which claims about pages must hold.
    pub fn new(reader: R, reading: Reading, at: Timestamp) -> Self {
        Self {
            reader,
            reading,
            local: None,
            robots: BTreeMap::new(),
            pages: Vec::new(),
            at,
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

    /// Checks claims about pages: those about path-patterns with every URL of the sitemaps that are checked later.
    pub fn claim_pages(&mut self, claims: impl IntoIterator<Item = PagesToCheck>) {
        self.pages.extend(claims.into_iter().map(CheckedPages::new));
    }

    /// Checks the claims about single pages, and returns the results of all claims about pages. Paths are on `site`,
    /// such as `https://example.com`.
    pub fn into_pages(mut self, site: Option<&str>) -> Vec<CheckedPages> {
        for nth in 0..self.pages.len() {
            let ClaimedPages::One(text) = &self.pages[nth].of.pages else {
                continue;
            };
            let url = match (text.starts_with('/'), site) {
                (true, Some(site)) => format!("{site}{text}"),
                (true, None) => {
                    let why = format!(
                        "the site of {} is unknown: write the whole URL, or name the site with `--site` or `--live`",
                        legible(text.as_bytes())
                    );
                    self.pages[nth].add_unknown(&why);
                    continue;
                }
                (false, _) => text.clone(),
            };
            self.check_page(&url, [nth], None);
        }
        self.pages
    }

    /// Checks every URL of a sitemap and of the sitemaps it lists.
    pub fn check(&mut self, of: SitemapToCheck) -> CheckedSitemap {
        let of_sitemap = self.pages.len();
        if of.indexable {
            self.claim_pages([PagesToCheck {
                crawlers: of.crawlers.clone(),
                pages: ClaimedPages::Sitemap(of.sitemap.to_string()),
                indexable: true,
                why: of.why.clone(),
                line: of.line,
            }]);
        }
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
            let name = sitemap.to_string();
            let problems = read_sitemap(&bytes, |entry| match entry {
                SitemapEntry::Url(text) => {
                    self.check_url(text, &mut checked, &mut policies);
                    self.check_listed_page(text, of_sitemap, &name);
                }
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
        for (nth, claim) in self.pages.iter_mut().enumerate() {
            claim.end_sitemap(nth == of_sitemap, &checked.unread);
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

    /// Checks the page at a URL of a sitemap, for its own claim and for those about path-patterns.
    fn check_listed_page(&mut self, text: &str, of_sitemap: usize, sitemap: &str) {
        if self.pages.is_empty() {
            return;
        }
        let target = requested_target(text.as_bytes(), self.reading).ok();
        let requested = Url::parse(text).ok().and_then(web_url);
        // Any other URL was reported with its sitemap.
        let (Some(target), Some(requested)) = (target, requested) else {
            return;
        };
        let claims = self.pages.iter_mut().enumerate();
        let claims = claims.filter_map(|(nth, claim)| {
            let is_own = nth == of_sitemap;
            claim
                .accepts(is_own, &target, requested.as_str())
                .then_some(nth)
        });
        let claims: Vec<usize> = claims.collect();
        self.check_page(text, claims, Some(sitemap));
    }

    /// Fetches a page once and judges it for each of the claims. `sitemap` lists it.
    fn check_page(
        &mut self,
        url: &str,
        claims: impl IntoIterator<Item = usize>,
        sitemap: Option<&str>,
    ) {
        let mut claims = claims.into_iter().peekable();
        if claims.peek().is_none() {
            return;
        }
        let page = self
            .robots_of(url)
            .and_then(|robots| Ok((robots, self.reader.page(url)?)));
        for nth in claims {
            match &page {
                Ok((robots, facts)) => {
                    let file = self.robots.get_mut(robots);
                    let body = || {
                        file.and_then(|it| it.as_mut().ok())
                            .map_or(Vec::new(), FilePolicies::body)
                    };
                    let (reader, page) = (&self.reader, (&**facts, self.at));
                    let findings =
                        |answer: &CheckAnswer<'_>| reader.page_findings(answer, page, sitemap);
                    let page = (url, page.0, page.1);
                    self.pages[nth].add(page, (robots, self.reading), body, findings);
                }
                Err(why) => {
                    let why = format!("{url}: {}", why.as_str());
                    self.pages[nth].add_unknown(&legible(why.as_bytes()));
                }
            }
        }
    }

    /// Reads the robots.txt of a URL's site, and returns its URL.
    fn robots_of(&mut self, url: &str) -> Result<String, ReadError> {
        let authority = Authority::from_url(url).map_err(|error| error.to_string())?;
        let key = key(&authority).to_owned();
        if !self.robots.contains_key(&key) && self.robots.len() >= SITES_MAX {
            return Err(format!(
                "not checked, because there are URLs of more than {SITES_MAX} sites"
            )
            .into());
        }
        match self.file(&authority) {
            Ok(_) => Ok(key),
            Err(why) => Err(why.clone()),
        }
    }

    /// Returns the robots.txt of a site, which is read once.
    fn file(&mut self, authority: &Authority) -> &mut Result<FilePolicies, ReadError> {
        let Self {
            reader, reading, ..
        } = self;
        self.robots
            .entry(key(authority).to_owned())
            .or_insert_with(|| {
                let read = reader.robots(authority);
                read.map(|body| FilePolicies::new(RobotsTxt::parse(body, *reading)))
            })
    }

    /// Returns the policies for a site, or `None` if its robots.txt is unknown, which is reported
    /// once.
    fn policies(
        &mut self,
        authority: &Authority,
        checked: &mut CheckedSitemap,
    ) -> Option<Vec<Rc<Policy>>> {
        match self.file(authority) {
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
