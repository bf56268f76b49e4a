use thiserror::Error;
use verger::RobotsTxt;
use verger_answer::parsed::{FileName, Listing, ParsedFile};
use verger_answer::{CrawlerQuery, CrawlerQueryError, ReadAs, ResolvedCrawler, json};
use verger_compare::{Budget, DifferentComparisons, EXAMPLE_SITE};

use crate::change_lines::write_change_lines;
use crate::crawler_list::crawlers_of;
use crate::file_comparison::FileComparison;
use crate::url_counts::UrlCounts;
use crate::url_counts::url_count_lines::write_url_count_lines;
use crate::who::who_line::WhoLine;
use crate::who::who_row::who;

/// A question about whole files, answered with the JSON Lines of `docs/json.md`.
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
    /// Which dialect each crawler is judged in.
    pub read_as: ReadAs,
    /// The crawlers. If empty, all that [`crawlers_of`] returns, or none in
    /// [`FileQuestion::parse_json`].
    pub crawlers: Vec<CrawlerQuery>,
    /// Maximum cost of one answer.
    pub budget: Budget,
    /// Origin of example URLs, such as `https://example.com`.
    pub site: String,
}

/// The error of a [`FileQuestion`].
#[derive(Debug, Error)]
pub enum FileQuestionError {
    /// A query names no crawler.
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
    /// All crawlers, each as its operator reads, four million states and `https://example.com`.
    fn default() -> Self {
        Self {
            read_as: ReadAs::default(),
            crawlers: Vec::new(),
            budget: Budget::default(),
            site: EXAMPLE_SITE.to_owned(),
        }
    }
}

impl FileQuestion {
    /// Returns a `verger.who/1` line for each crawler: how much of the site it may fetch.
    ///
    /// # Errors
    ///
    /// Returns an error if a query names no crawler.
    pub fn who_json(&self, body: impl Into<Vec<u8>>) -> Result<String, FileQuestionError> {
        let robots = RobotsTxt::parse(body, self.read_as.reading());
        let crawlers = self.crawlers(&[&robots])?;
        let mut lines = Vec::new();
        for row in who(robots, &crawlers, self.budget) {
            json::write_line(&mut lines, &WhoLine::new(&row, &self.site))?;
        }
        Ok(json::text_of(lines)?)
    }

    /// Returns `verger.diff/1` lines: the effect of a change on each crawler. The last line is a
    /// summary.
    ///
    /// # Errors
    ///
    /// Returns an error if a query names no crawler or the files cannot be compared.
    pub fn diff_json(
        &self,
        old: impl Into<Vec<u8>>,
        new: impl Into<Vec<u8>>,
    ) -> Result<String, FileQuestionError> {
        let ([old, new], crawlers) = self.read_both(old, new)?;
        let comparison = FileComparison::new(old, new, &crawlers, self.budget)?;
        let comparison = comparison.of_site(self.site.as_str());
        let mut lines = Vec::new();
        write_change_lines(&mut lines, &comparison)?;
        Ok(json::text_of(lines)?)
    }

    /// Returns `verger.diff-urls/1` lines: how many of `urls`, one per line, each file disallows.
    /// The last line is a summary.
    ///
    /// # Errors
    ///
    /// Returns an error if a query names no crawler.
    pub fn diff_urls_json(
        &self,
        urls: &[u8],
        old: impl Into<Vec<u8>>,
        new: impl Into<Vec<u8>>,
    ) -> Result<String, FileQuestionError> {
        let ([old, new], crawlers) = self.read_both(old, new)?;
        let mut counts = UrlCounts::new(old, new, &crawlers);
        counts.add_lines(urls)?;
        let mut lines = Vec::new();
        write_url_count_lines(&mut lines, &counts)?;
        Ok(json::text_of(lines)?)
    }

    /// Returns a `verger.parse/1` line: the contents of the file and the ignored lines. With a
    /// crawler, it includes the groups that apply. `name` is the name of the file.
    ///
    /// # Errors
    ///
    /// Returns an error if a query names no crawler or there are several crawlers.
    pub fn parse_json(
        &self,
        name: &[u8],
        body: impl Into<Vec<u8>>,
    ) -> Result<String, FileQuestionError> {
        let crawler = match &self.crawlers[..] {
            [] => None,
            [query] => Some(query.resolve_one(self.read_as)?),
            several => {
                let names: Vec<String> = several.iter().map(ToString::to_string).collect();
                let (query, count) = (names.join(", "), several.len());
                return Err(CrawlerQueryError::Several { query, count }.into());
            }
        };
        let reading = self.read_as.reading();
        let reading = crawler.as_ref().map_or(reading, |it| it.reading(reading));
        let robots = RobotsTxt::parse(body, reading);
        let listing = Listing::new(&robots, crawler.as_ref());
        Ok(json::line_of(&ParsedFile(
            &listing,
            &FileName::from_bytes(name),
        ))?)
    }

    fn read_both(
        &self,
        old: impl Into<Vec<u8>>,
        new: impl Into<Vec<u8>>,
    ) -> Result<([RobotsTxt; 2], Vec<ResolvedCrawler>), CrawlerQueryError> {
        let both = [old.into(), new.into()];
        let both = both.map(|body| RobotsTxt::parse(body, self.read_as.reading()));
        let crawlers = self.crawlers(&both.each_ref())?;
        Ok((both, crawlers))
    }

    fn crawlers(&self, files: &[&RobotsTxt]) -> Result<Vec<ResolvedCrawler>, CrawlerQueryError> {
        if self.crawlers.is_empty() {
            return Ok(crawlers_of(files.iter().copied(), self.read_as));
        }
        let all = CrawlerQuery::resolve_all(&self.crawlers, self.read_as);
        all.map_err(|(_, error)| error)
    }
}
