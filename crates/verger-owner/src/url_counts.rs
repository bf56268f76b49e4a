//! `UrlCounts`: of many URLs, how many an old and a new robots.txt disallow, and which of them change.
//!
//! | module | one line |
//! |---|---|
//! | `url_list` | a list, line by line, or a sitemap |
//! | `url_count_lines` | the counts as JSON Lines |

pub(crate) mod url_count_lines;
mod url_list;

use std::fmt;
use std::io::{self, Read};
use std::rc::Rc;

use verger::{Policy, RobotsTxt, Verdict};
use verger_access::requested_target;
use verger_answer::{CountOf, ResolvedCrawler};

use crate::file_policies::{FilePolicies, PolicyPair};
use crate::listed::Listed;
use crate::sitemap::sitemap_source::SitemapSource;
use crate::sitemap::sitemap_walk::SitemapReader;
use url_list::ListEntry;

/// So many URLs are kept of those that change in one way for the same crawlers.
const EXAMPLES_MAX: usize = 3;

/// How many of some URLs an old and a new robots.txt disallow to each crawler. Path and query of a URL count, whatever
/// its site is.
///
/// ```
/// use verger::{Dialect, RobotsTxt};
/// use verger_owner::{UrlCounts, crawlers_of};
///
/// let parse = |body| RobotsTxt::parse(body, Dialect::Rfc9309);
/// let old = parse("User-agent: *\nDisallow: /cart\n");
/// let new = parse("User-agent: *\nDisallow: /cart\nDisallow: /shop\n");
/// let crawlers = crawlers_of([&old, &new]);
/// let mut counts = UrlCounts::new(old, new, &crawlers);
/// counts.add_lines("https://example.com/cart\n/shop/1\n/\n".as_bytes())?;
/// // Crawlers that ignore groups for `*` are counted apart.
/// let count = &counts.counts()[0];
/// assert_eq!(count.disallowed(), [1, 2]);
/// assert_eq!(count.newly_disallowed().examples()[0].url(), "/shop/1");
/// assert_eq!(counts.is_same(), Some(false));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct UrlCounts<'c> {
    files: [RobotsTxt; 2],
    counts: Vec<UrlCount<'c>>,
    urls: u64,
    not_counted: Listed,
    unread: Listed,
    not_compared: usize,
}

/// The counts of crawlers whose rules are the same, in both files.
#[derive(Debug)]
pub struct UrlCount<'c> {
    crawlers: Vec<&'c ResolvedCrawler>,
    policies: [Rc<Policy>; 2],
    disallowed: [u64; 2],
    newly_disallowed: ChangedUrls,
    newly_allowed: ChangedUrls,
}

/// URLs about which the verdict changes in one way.
#[derive(Debug, Default)]
pub struct ChangedUrls {
    count: u64,
    examples: Vec<ChangedUrl>,
}

/// A URL about which the verdict changes.
#[derive(Debug)]
pub struct ChangedUrl {
    url: String,
    verdicts: [Verdict; 2],
}

impl<'c> UrlCounts<'c> {
    /// Counts for these crawlers; no URL so far.
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
        Self {
            counts: counts.collect(),
            files: files.map(FilePolicies::into_robots),
            urls: 0,
            not_counted: Listed::default(),
            unread: Listed::default(),
            not_compared,
        }
    }

    /// Counts the URLs of a list, a line each, whatever its length. Lines that are no URL are counted apart, and the
    /// first of them named.
    ///
    /// # Errors
    ///
    /// Where it cannot be read.
    pub fn add_lines(&mut self, input: impl Read) -> io::Result<()> {
        url_list::read_lines(input, |entry| self.add(entry))
    }

    /// Counts the URLs of `input`, which `source` names, plain or gzip: a sitemap where it begins with `<`, and those
    /// that it lists where it is an index, of which `reader` reads 1,000 at most; else the lines of a list.
    ///
    /// # Errors
    ///
    /// Where it cannot be read. What an index lists and cannot be read is counted apart.
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
        let target = match requested_target(url, *self.files[0].reading()) {
            Ok(target) => target,
            Err(error) => return self.not_counted.add(|| format!("{place}: {error}")),
        };
        self.urls += 1;
        for count in &mut self.counts {
            let verdicts = [0, 1].map(|side: usize| count.policies[side].decide(&target));
            count.add(url, verdicts);
        }
    }

    /// The counts, in the order of the first crawler of each.
    #[must_use]
    pub fn counts(&self) -> &[UrlCount<'c>] {
        &self.counts
    }

    /// How many URLs were counted.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.urls
    }

    /// How many lines and entries are no URLs, and the first of them, each a sentence.
    #[must_use]
    pub fn not_counted(&self) -> (u64, &[String]) {
        (self.not_counted.count, &self.not_counted.first)
    }

    /// The first sentences about what was not read, though it is listed.
    #[must_use]
    pub fn unread(&self) -> &[String] {
        &self.unread.first
    }

    /// For how many crawlers nothing was counted, since the groups of others have a million rules together.
    #[must_use]
    pub fn not_compared(&self) -> usize {
        self.not_compared
    }

    /// Whether no verdict changes; `None` where none that was counted does, and not all were.
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

    /// The crawlers.
    #[must_use]
    pub fn crawlers(&self) -> &[&'c ResolvedCrawler] {
        &self.crawlers
    }

    /// Their rules, before and after; those of other crawlers than the first are perhaps on other lines.
    #[must_use]
    pub fn policies(&self) -> [&Policy; 2] {
        [&self.policies[0], &self.policies[1]]
    }

    /// How many URLs the old and the new file disallow.
    #[must_use]
    pub fn disallowed(&self) -> [u64; 2] {
        self.disallowed
    }

    /// Those that the new file alone disallows.
    #[must_use]
    pub fn newly_disallowed(&self) -> &ChangedUrls {
        &self.newly_disallowed
    }

    /// Those that the old file alone disallows.
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
    /// How many.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The first three.
    #[must_use]
    pub fn examples(&self) -> &[ChangedUrl] {
        &self.examples
    }
}

impl ChangedUrl {
    /// As it is written; U+FFFD stands for bytes that are not UTF-8.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The verdicts of the old and the new file.
    #[must_use]
    pub fn verdicts(&self) -> [Verdict; 2] {
        self.verdicts
    }
}
