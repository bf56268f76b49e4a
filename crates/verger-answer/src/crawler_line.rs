use serde::Serialize;
use verger_crawlers::KnownCrawler;

/// A known crawler as JSON (`verger.crawler/1`).
#[derive(Debug, Serialize)]
pub struct CrawlerLine<'c> {
    schema: &'static str,
    #[serde(flatten)]
    crawler: &'c KnownCrawler,
}

impl<'c> CrawlerLine<'c> {
    /// Creates the line.
    #[must_use]
    pub fn new(crawler: &'c KnownCrawler) -> Self {
        Self {
            schema: "verger.crawler/1",
            crawler,
        }
    }
}
