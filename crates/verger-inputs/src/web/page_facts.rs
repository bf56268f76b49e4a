use verger_access::Timestamp;
use verger_answer::{PageFacts, ResponseHead};

use super::kept_pages::PageRecord;
use super::page_fetcher::FetchedPage;

/// Returns the facts of a page from its response. The metas and links of the first 1 MiB of `body` are read if the
/// response is a 2xx and its type is HTML or not stated.
#[must_use]
pub fn page_facts(head: &ResponseHead, body: &[u8]) -> PageFacts {
    PageRecord::new("", Timestamp::from_unix_seconds(0), head, body).facts()
}

impl FetchedPage {
    /// Returns what follows from the fetch for any crawler.
    #[must_use]
    pub fn facts(&self) -> PageFacts {
        let record = self.record("", Timestamp::from_unix_seconds(0));
        record.map_or_else(|facts| facts, |record| record.facts())
    }

    /// Returns the record of a response.
    ///
    /// # Errors
    ///
    /// Returns the facts if no response arrived.
    pub fn record(&self, url: &str, at: Timestamp) -> Result<PageRecord, PageFacts> {
        match self {
            Self::Response(page) => match ResponseHead::parse(&page.head) {
                Ok((head, _)) => Ok(PageRecord::new(url, at, &head, &page.body)),
                Err(error) => Err(PageFacts::failed(error.to_string())),
            },
            Self::Disallowed(denied) => {
                let decision = denied.decision();
                let why = format!("robots.txt does not let Verger fetch it ({decision})");
                Err(PageFacts::not_fetched(why))
            }
            Self::Failed(error) => Err(PageFacts::failed(error.to_string())),
        }
    }
}
