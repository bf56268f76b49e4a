//! `FileQuestion`: a question about whole files, answered by the JSON that the command prints.

use thiserror::Error;
use verger::{Reading, RobotsTxt};
use verger_answer::parsed::{FileName, Listing, ParsedFile};
use verger_answer::{CrawlerQuery, CrawlerQueryError, ResolvedCrawler, json};
use verger_compare::{Budget, DifferentComparisons, EXAMPLE_SITE};

use crate::change_lines::write_change_lines;
use crate::crawler_list::crawlers_of;
use crate::file_comparison::FileComparison;
use crate::url_counts::UrlCounts;
use crate::url_counts::url_count_lines::write_url_count_lines;
use crate::who::who_line::WhoLine;
use crate::who::who_row::who;

/// A question about whole files: which crawlers, and how the files are read. Each answer is JSON Lines of
/// `docs/json.md`, for callers that take no Rust values.
///
/// ```
/// use verger_owner::FileQuestion;
///
/// let mut question = FileQuestion::default();
/// question.crawlers.push("gptbot".parse()?);
/// let lines = question.who_json("User-agent: *\nDisallow: /\n")?;
/// assert!(lines.starts_with(r#"{"schema":"verger.who/1","crawler":"gptbot""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FileQuestion {
    /// How files are read.
    pub reading: Reading,
    /// The crawlers; where there are none, all that [`crawlers_of`] lists, or in [`FileQuestion::parse_json`] none.
    pub crawlers: Vec<CrawlerQuery>,
    /// How much one question may cost.
    pub budget: Budget,
    /// The start of the URLs that show something, such as `https://example.com`.
    pub site: String,
}

/// A question about whole files has no answer.
#[derive(Debug, Error)]
pub enum FileQuestionError {
    /// It names no crawler.
    #[error(transparent)]
    Crawler(#[from] CrawlerQueryError),
    /// The files cannot be compared.
    #[error(transparent)]
    Comparison(#[from] DifferentComparisons),
    /// The answer cannot be written.
    #[error(transparent)]
    Json(#[from] std::io::Error),
}

impl Default for FileQuestion {
    /// All crawlers, RFC 9309, four million states and `https://example.com`.
    fn default() -> Self {
        Self {
            reading: Reading::default(),
            crawlers: Vec::new(),
            budget: Budget::default(),
            site: EXAMPLE_SITE.to_owned(),
        }
    }
}

impl FileQuestion {
    /// How much of the site each crawler may fetch: a line of `verger.who/1` for each.
    ///
    /// # Errors
    ///
    /// Where a query names no crawler.
    pub fn who_json(&self, body: impl Into<Vec<u8>>) -> Result<String, FileQuestionError> {
        let robots = RobotsTxt::parse(body, self.reading);
        let crawlers = self.crawlers(&[&robots])?;
        let mut lines = Vec::new();
        for row in who(robots, &crawlers, self.budget) {
            json::write_line(&mut lines, &WhoLine::new(&row, &self.site))?;
        }
        Ok(json::text_of(lines)?)
    }

    /// The meaning of a change of the file for each crawler: lines of `verger.diff/1`, the last about the whole.
    ///
    /// # Errors
    ///
    /// As [`FileQuestion::who_json`].
    pub fn diff_json(
        &self,
        old: impl Into<Vec<u8>>,
        new: impl Into<Vec<u8>>,
    ) -> Result<String, FileQuestionError> {
        let old = RobotsTxt::parse(old, self.reading);
        let new = RobotsTxt::parse(new, self.reading);
        let crawlers = self.crawlers(&[&old, &new])?;
        let comparison = FileComparison::new(old, new, &crawlers, self.budget)?;
        let comparison = comparison.of_site(self.site.as_str());
        let mut lines = Vec::new();
        write_change_lines(&mut lines, &comparison)?;
        Ok(json::text_of(lines)?)
    }

    /// How many of these URLs, a line each, each file disallows: lines of `verger.diff-urls/1`, the last about the whole.
    ///
    /// # Errors
    ///
    /// As [`FileQuestion::who_json`].
    pub fn diff_urls_json(
        &self,
        urls: &[u8],
        old: impl Into<Vec<u8>>,
        new: impl Into<Vec<u8>>,
    ) -> Result<String, FileQuestionError> {
        let old = RobotsTxt::parse(old, self.reading);
        let new = RobotsTxt::parse(new, self.reading);
        let crawlers = self.crawlers(&[&old, &new])?;
        let mut counts = UrlCounts::new(old, new, &crawlers);
        counts.add_lines(urls)?;
        let mut lines = Vec::new();
        write_url_count_lines(&mut lines, &counts)?;
        Ok(json::text_of(lines)?)
    }

    /// What the file holds, and what was ignored: a line of `verger.parse/1`, in which the file has the name
    /// `name`; with a crawler also what applies to it.
    ///
    /// # Errors
    ///
    /// Where a query names no crawler, and where there are several crawlers.
    pub fn parse_json(
        &self,
        name: &[u8],
        body: impl Into<Vec<u8>>,
    ) -> Result<String, FileQuestionError> {
        let crawler = match &self.crawlers[..] {
            [] => None,
            [query] => Some(query.resolve_one(self.reading)?),
            several => {
                let names: Vec<String> = several.iter().map(ToString::to_string).collect();
                let (query, count) = (names.join(", "), several.len());
                return Err(CrawlerQueryError::Several { query, count }.into());
            }
        };
        let robots = RobotsTxt::parse(body, self.reading);
        let listing = Listing::new(&robots, crawler.as_ref());
        Ok(json::line_of(&ParsedFile(
            &listing,
            &FileName::from_bytes(name),
        ))?)
    }

    fn crawlers(&self, files: &[&RobotsTxt]) -> Result<Vec<ResolvedCrawler>, CrawlerQueryError> {
        if self.crawlers.is_empty() {
            return Ok(crawlers_of(files.iter().copied()));
        }
        let all = CrawlerQuery::resolve_all(&self.crawlers, self.reading);
        all.map_err(|(_, error)| error)
    }
}
