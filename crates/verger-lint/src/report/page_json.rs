//! Answers about a page (`verger.check/1` with the key `page`) as JSON.

use std::io;

use verger_access::{RequestedUrlError, Timestamp, asked_target};
use verger_answer::{
    CheckedFile, CheckedFiles, CrawlerQuery, CrawlerQueryError, Explaining, PageFacts, ReadAs, json,
};

use crate::page_lints::with_linted_page;

/// Returns whether crawlers may fetch and index a page: a `verger.check/1` line with the key `page`
/// for each crawler. `body` is the robots.txt of the page's site, `at` the time at which dates
/// count. Without a crawler, the answer is for crawlers that no group names.
///
/// # Errors
///
/// Returns an error if a query names no crawler, or if the URL is not usable.
pub fn page_json(
    body: &[u8],
    (crawlers, read_as): (&[CrawlerQuery], ReadAs),
    url: &[u8],
    facts: &PageFacts,
    at: Timestamp,
) -> Result<String, PageJsonError> {
    let unnamed = [CrawlerQuery::Unnamed];
    let queries = if crawlers.is_empty() {
        &unnamed
    } else {
        crawlers
    };
    let crawlers = CrawlerQuery::resolve_all(queries, read_as).map_err(|(_, error)| error)?;
    let reading = read_as.reading();
    let files = CheckedFiles::new(reading, Explaining::No, &crawlers, |readings, of| {
        CheckedFile::new(body.to_vec(), readings, of)
    });
    let mut lines = Vec::new();
    for &(place, nth) in files.places() {
        let file = &files.files()[place];
        let target = asked_target(url, *file.robots().reading())?;
        let answer = with_linted_page(file.answer(nth, url, &target), facts, at);
        json::write_line(&mut lines, &answer)?;
    }
    Ok(json::text_of(lines)?)
}

/// A question about a page cannot be answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PageJsonError {
    /// A query names no crawler.
    #[error(transparent)]
    Crawler(#[from] CrawlerQueryError),
    /// The URL is not usable.
    #[error(transparent)]
    Url(#[from] RequestedUrlError),
    /// The answer cannot be serialized. No such case is known.
    #[error(transparent)]
    Write(#[from] io::Error),
}
