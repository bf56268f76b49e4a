use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use url::Url;
use verger::RobotsTxt;
use verger_access::Authority;
use verger_answer::{ReadError, ResolvedCrawler};
use verger_crawlers::KnownCrawler;
use verger_extensions::sitemaps;
use verger_owner::{
    FileComparison, PolicyChange, SitemapReader, SitemapSource, UrlCounts, shown_names,
};

use crate::change_reasons::is_search_engine;
use crate::event_reason::{EventReason, ReasonKind};
use crate::site_fetcher::SiteFetcher;

/// Maximum number of sitemaps read for a change, those of an index included.
const SITEMAPS_MAX: usize = 10;

/// Maximum number of bytes of a sitemap that a watch reads. Sites that change together have theirs in memory at
/// the same time.
pub const WATCH_SITEMAP_BYTES_MAX: usize = 10 << 20;

/// Time after which no further sitemap is read for a change, because other sites wait meanwhile.
const TIME_MAX: Duration = Duration::from_secs(30);

/// Maximum number of changes whose losses are remembered.
const LOSSES_MAX: usize = 1024;

/// The loss of sitemap URLs by a change, once it was computed.
type Loss = Arc<OnceLock<Option<EventReason>>>;

/// The losses by changes. Sitemaps are read once for all receivers and attempts.
#[derive(Debug, Default)]
pub(crate) struct SitemapLosses(Mutex<BTreeMap<String, Loss>>);

impl SitemapLosses {
    /// Returns the loss by a change, which is computed once.
    pub(crate) fn get(
        &self,
        change: String,
        compute: impl FnOnce() -> Option<EventReason>,
    ) -> Option<EventReason> {
        let loss = {
            let mut losses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if losses.len() >= LOSSES_MAX {
                losses.clear();
            }
            Arc::clone(losses.entry(change).or_default())
        };
        loss.get_or_init(compute).clone()
    }
}

/// Reads the first sitemaps of a site.
struct FirstSitemaps<'f> {
    fetcher: &'f dyn SiteFetcher,
    left: usize,
    began: Instant,
}

impl SitemapReader for FirstSitemaps<'_> {
    fn sitemap(&mut self, source: &SitemapSource, _: bool) -> Result<Vec<u8>, ReadError> {
        let left = self.left.checked_sub(1);
        self.left = left.ok_or("only the first sitemaps are read")?;
        if self.began.elapsed() > TIME_MAX {
            return Err("the sitemaps are too slow".into());
        }
        match source {
            SitemapSource::Url(url) => self.fetcher.sitemap(url),
            SitemapSource::File(_) => Err("not on the web".into()),
        }
    }

    fn beside(&self, _: &Path, _: &Path) -> Option<PathBuf> {
        None
    }

    fn robots(&mut self, _: &Authority) -> Result<Vec<u8>, ReadError> {
        Err("not needed".into())
    }
}

/// Returns the search engines among `crawlers` that lost more than half of the URLs in the sitemaps
/// that the new file names. Sitemaps that cannot be read are left out. None are read if no search
/// engine lost anything.
pub(crate) fn sitemap_loss(
    [before, after]: [RobotsTxt; 2],
    comparison: &FileComparison<'_>,
    crawlers: &[ResolvedCrawler],
    fetcher: &dyn SiteFetcher,
) -> Option<EventReason> {
    let name = |it: &ResolvedCrawler| it.known().map(KnownCrawler::name);
    let changes = comparison.changes().iter();
    let losses = changes.filter(|it| it.difference().newly_disallowed().witness().is_some());
    let losers: Vec<_> = losses
        .flat_map(PolicyChange::crawlers)
        .map(|it| name(it))
        .collect();
    let search = crawlers.iter().filter(|it| is_search_engine(it));
    let search = search.filter(|it| losers.contains(&name(it)));
    let search: Vec<ResolvedCrawler> = search.cloned().collect();
    if search.is_empty() {
        return None;
    }
    let urls = sitemaps(&after).filter_map(|it| Url::parse(str::from_utf8(it.url()).ok()?).ok());
    let urls: Vec<Url> = urls.take(SITEMAPS_MAX).collect();
    let mut counts = UrlCounts::new(before, after, &search);
    let mut reader = FirstSitemaps {
        fetcher,
        left: SITEMAPS_MAX,
        began: Instant::now(),
    };
    for url in urls {
        let source = SitemapSource::Url(url);
        if let Ok(bytes) = reader.sitemap(&source, false) {
            // Reading from memory does not fail.
            let _ = counts.add_all(&source, &*bytes, &mut reader);
        }
    }
    let urls = counts.urls();
    let lost = counts.counts().iter();
    let lost = lost.filter(|it| 2 * it.newly_disallowed().count() > urls);
    let names = lost.flat_map(|it| shown_names(it.crawlers()));
    EventReason::of_names(ReasonKind::SitemapUrlsLost, names.collect())
}
