//! `UrlCounts`: counts the URLs that an old and a new robots.txt disallow.

pub(crate) mod url_count_lines;
mod url_list;

use std::fmt;
use std::io::{self, Read};
use std::rc::Rc;

use verger::{Policy, RobotsTxt, Verdict};
use verger_answer::{CountOf, CrawlerReadings, ReadIndexes, ReadTargets, ResolvedCrawler};

use crate::file_policies::{FilePolicies, PolicyPair};
use crate::listed::Listed;
use crate::sitemap::sitemap_source::SitemapSource;
use crate::sitemap::sitemap_walk::SitemapReader;
use url_list::ListEntry;

/// Maximum number of example URLs for each direction of change.
const EXAMPLES_MAX: usize = 3;

/// Numbers of URLs that an old and a new robots.txt disallow for each crawler. Only the path and
/// query of a URL matter, not its site.
///
/// ```
/// use verger::{Dialect, RobotsTxt};
/// use verger_answer::ReadAs;
/// use verger_owner::{UrlCounts, crawlers_of};
///
/// let parse = |body| RobotsTxt::parse(body, Dialect::Rfc9309);
/// let old = parse("User-agent: *\nDisallow: /cart\n");
/// let new = parse("User-agent: *\nDisallow: /cart\nDisallow: /shop\n");
/// let crawlers = crawlers_of([&old, &new], ReadAs::default());
/// let mut counts = UrlCounts::new(old, new, &crawlers);
/// counts.add_lines("https://example.com/cart\n/shop/1\n/\n".as_bytes())?;
/// // Crawlers that ignore groups for `*` have a separate count.
/// let count = &counts.counts()[0];
/// assert_eq!(count.disallowed(), [1, 2]);
/// assert_eq!(count.newly_disallowed().examples()[0].url(), "/shop/1");
/// assert_eq!(counts.is_same(), Some(false));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct UrlCounts<'c> {
    files: [ReadIndexes<'static>; 2],
    /// The readings of `counts`.
    readings: CrawlerReadings,
    counts: Vec<UrlCount<'c>>,
    urls: u64,
    not_counted: Listed,
    unread: Listed,
    not_compared: usize,
}

/// Counts for crawlers whose rules are the same in both files.
#[derive(Debug)]
pub struct UrlCount<'c> {
    crawlers: Vec<&'c ResolvedCrawler>,
    policies: [Rc<Policy>; 2],
    disallowed: [u64; 2],
    newly_disallowed: ChangedUrls,
    newly_allowed: ChangedUrls,
}

/// URLs whose verdict changes in one direction.
#[derive(Debug, Default)]
pub struct ChangedUrls {
    count: u64,
    examples: Vec<ChangedUrl>,
}

/// A URL whose verdict changes.
#[derive(Debug)]
pub struct ChangedUrl {
    url: String,
    verdicts: [Verdict; 2],
}

impl<'c> UrlCounts<'c> {
    /// Creates empty counts for these crawlers.
    #[must_use]
    pub fn new(old: RobotsTxt, new: RobotsTxt, crawlers: &'c [ResolvedCrawler]) -> Self {
        let mut files = [FilePolicies::new(old), FilePolicies::new(new)];
        let (pairs, not_compared) = PolicyPair::all(&mut files, crawlers);
        let counts = pairs.into_iter().map(|pair| UrlCount {
            crawlers: pair.crawlers,
            policies: pair.policies,
            disallowed: [0, 0],
            newly_disallowed: ChangedUrls::default(),
            newly_allowed: ChangedUrls::default(),
        });
        let counts: Vec<UrlCount<'c>> = counts.collect();
        let files = files.map(FilePolicies::into_files);
        let first = counts.iter().map(|it| it.crawlers[0]);
        Self {
            readings: CrawlerReadings::new(*files[0].file().robots().reading(), first),
            counts,
            files,
            urls: 0,
            not_counted: Listed::default(),
            unread: Listed::default(),
            not_compared,
        }
    }

    /// Counts the URLs of a list of any length, one per line. Invalid lines are counted separately,
    /// and the first few are reported.
    ///
    /// # Errors
    ///
    /// Returns an error if reading fails.
    pub fn add_lines(&mut self, input: impl Read) -> io::Result<()> {
        url_list::read_lines(input, |entry| self.add(entry))
    }

    /// Counts the URLs of `input`, plain or gzip. `source` is its name. An input that starts with
    /// `<` is a sitemap, or an index of sitemaps, of which up to 1,000 are read with `reader`.
    /// Anything else is a list with one URL per line.
    ///
    /// # Errors
    ///
    /// Returns an error if `input` cannot be read. Unreadable sitemaps of an index are counted.
    pub fn add_all(
        &mut self,
        source: &SitemapSource,
        input: impl Read,
        reader: &mut impl SitemapReader,
    ) -> io::Result<()> {
        url_list::read(source, input, reader, |entry| self.add(entry))
    }

    fn add(&mut self, entry: ListEntry<'_>) {
        let (url, place) = match entry {
            ListEntry::Url(url, place) => (url, place),
            ListEntry::NoUrl(sentence) => return self.not_counted.add(|| sentence),
            ListEntry::Unread(sentence) => return self.unread.add(|| sentence),
        };
        let targets = match ReadTargets::new(url, self.readings.readings()) {
            Ok(targets) => targets,
            Err(error) => return self.not_counted.add(|| format!("{place}: {error}")),
        };
        self.urls += 1;
        for (count, &reading) in self.counts.iter_mut().zip(self.readings.places()) {
            let target = targets.get(reading);
            let verdicts = [0, 1].map(|side: usize| count.policies[side].decide(target));
            count.add(url, verdicts);
        }
    }

    /// Returns the counts, ordered by the first crawler of each.
    #[must_use]
    pub fn counts(&self) -> &[UrlCount<'c>] {
        &self.counts
    }

    /// Returns the number of URLs counted.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.urls
    }

    /// Returns the number of invalid lines and entries, with a description of the first few.
    #[must_use]
    pub fn not_counted(&self) -> (u64, &[String]) {
        (self.not_counted.count, &self.not_counted.first)
    }

    /// Describes the first few sitemaps that could not be read.
    #[must_use]
    pub fn unread(&self) -> &[String] {
        &self.unread.first
    }

    /// Returns the number of crawlers without counts because the groups of the others have a
    /// million rules together.
    #[must_use]
    pub fn not_compared(&self) -> usize {
        self.not_compared
    }

    /// Returns whether no verdict changes, or `None` if no counted one does but some were not
    /// counted.
    #[must_use]
    pub fn is_same(&self) -> Option<bool> {
        let changes =
            |count: &UrlCount<'_>| count.newly_disallowed.count + count.newly_allowed.count > 0;
        if self.counts.iter().any(changes) {
            return Some(false);
        }
        let is_whole = self.not_counted.count + self.unread.count == 0 && self.not_compared == 0;
        is_whole.then_some(true)
    }
}

impl<'c> UrlCount<'c> {
    fn add(&mut self, url: &[u8], verdicts: [Verdict; 2]) {
        let is_disallowed = verdicts.map(|verdict| !verdict.is_allowed());
        for (count, is_disallowed) in self.disallowed.iter_mut().zip(is_disallowed) {
            *count += u64::from(is_disallowed);
        }
        let changed = match is_disallowed {
            [false, true] => &mut self.newly_disallowed,
            [true, false] => &mut self.newly_allowed,
            _ => return,
        };
        changed.count += 1;
        if changed.examples.len() < EXAMPLES_MAX {
            let url = String::from_utf8_lossy(url).into_owned();
            changed.examples.push(ChangedUrl { url, verdicts });
        }
    }

    /// Returns the crawlers.
    #[must_use]
    pub fn crawlers(&self) -> &[&'c ResolvedCrawler] {
        &self.crawlers
    }

    /// Returns the old and new policies of the first crawler. The rules of others may be on other
    /// lines.
    #[must_use]
    pub fn policies(&self) -> [&Policy; 2] {
        [&self.policies[0], &self.policies[1]]
    }

    /// Returns how many URLs the old and the new file disallow.
    #[must_use]
    pub fn disallowed(&self) -> [u64; 2] {
        self.disallowed
    }

    /// Returns the URLs that only the new file disallows.
    #[must_use]
    pub fn newly_disallowed(&self) -> &ChangedUrls {
        &self.newly_disallowed
    }

    /// Returns the URLs that only the old file disallows.
    #[must_use]
    pub fn newly_allowed(&self) -> &ChangedUrls {
        &self.newly_allowed
    }
}

impl fmt::Display for UrlCount<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [before, after] = self.disallowed;
        write!(
            f,
            "{} disallowed before, {after} after",
            CountOf(before, "URL", "URLs")
        )
    }
}

impl ChangedUrls {
    /// Returns the number of URLs.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the first three.
    #[must_use]
    pub fn examples(&self) -> &[ChangedUrl] {
        &self.examples
    }
}

impl ChangedUrl {
    /// Returns the URL as written, with U+FFFD in place of bytes that are not UTF-8.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the verdicts of the old and the new file.
    #[must_use]
    pub fn verdicts(&self) -> [Verdict; 2] {
        self.verdicts
    }
}
