use verger_access::{BodyEnd, Timestamp};
use verger_answer::{PageFacts, ResponseHead};
use verger_tower::Denied;

use super::page_record::PageRecord;
use super::web_error::WebError;

/// The result of a fetch.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum FetchedPage {
    /// A response.
    Response(PageResponse),
    /// Nothing was sent, because robots.txt disallows the page to this program.
    Disallowed(Box<Denied>),
    /// No complete response arrived, for this reason.
    Failed(WebError),
}

/// A response, as far as it was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PageResponse {
    /// The head, with status line and fields. Over HTTP/1 these are the bytes that the server sent, if they are at most
    /// 16 KiB. In other heads, fields of one name are together.
    pub head: Vec<u8>,
    /// The body of a 2xx response, decoded, up to [`verger_html::PAGE_BYTES_MAX`] bytes and one more.
    pub body: Vec<u8>,
    /// Whether the body has more bytes.
    pub body_end: BodyEnd,
}

impl FetchedPage {
    /// Returns what follows from the fetch for any crawler.
    #[must_use]
    pub fn facts(&self) -> PageFacts {
        let record = self.record("", Timestamp::from_unix_seconds(0));
        record.map_or_else(|facts| *facts, |record| record.facts())
    }

    /// Returns the record of a response to a request for `url`.
    ///
    /// # Errors
    ///
    /// Returns the facts if no response arrived.
    pub fn record(&self, url: &str, at: Timestamp) -> Result<PageRecord, Box<PageFacts>> {
        match self {
            Self::Response(page) => match ResponseHead::parse(&page.head) {
                Ok((head, _)) => Ok(PageRecord::new(url, at, &head, &page.body)),
                Err(error) => Err(PageFacts::failed(error.to_string()).into()),
            },
            Self::Disallowed(denied) => {
                let decision = denied.decision();
                let why = format!("robots.txt does not let this program fetch it ({decision})");
                Err(PageFacts::not_fetched(why).into())
            }
            Self::Failed(error) => Err(PageFacts::failed(error.to_string()).into()),
        }
    }
}
