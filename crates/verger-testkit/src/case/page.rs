use serde::{Deserialize, Serialize};

use super::bytes::Bytes;
use crate::page_oracle::{Convention, Fetched, PageQuestion, RobotsAnswer, seconds};

/// A page with directives, and whether it is indexable for a crawler.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageCase {
    /// File name.
    pub file: String,
    /// Unique id.
    pub id: String,
    /// Clause ids.
    pub clauses: Vec<String>,
    /// The conventions it applies to.
    pub conventions: Vec<Convention>,
    /// Product tokens, the crawler's own first.
    pub crawlers: Vec<String>,
    /// The answer of robots.txt.
    #[serde(default = "allowed")]
    pub robots: RobotsAnswer,
    /// The status of the response.
    #[serde(default = "ok")]
    pub status: u16,
    /// The cause of a missing response: `not-requested` or `failed`.
    pub no_response: Option<NoResponse>,
    /// Header fields, as in `X-Robots-Tag: noindex`.
    #[serde(default, deserialize_with = "lines")]
    pub headers: Vec<Vec<u8>>,
    /// Meta elements, as in `robots: noindex`.
    #[serde(default)]
    pub metas: Vec<String>,
    /// Meta elements outside the head.
    #[serde(default)]
    pub body_metas: Vec<String>,
    /// The time of the question.
    #[serde(default = "today")]
    pub now: String,
    /// The answer.
    expect: ExpectedPage,
    /// The answer by the draft, if it differs.
    expect_rep_ext: Option<ExpectedPage>,
}

/// The cause of a missing response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoResponse {
    /// It was not requested.
    NotRequested,
    /// The request failed.
    Failed,
}

/// The answer about a page.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedPage {
    /// The state and, after a space, the reason.
    #[serde(default = "indexable")]
    pub state: String,
    /// The directives that apply, in order: `meta noindex`, `x-robots-tag max-snippet=20`, with `for NAME` if they
    /// name a crawler. The first of several equal ones counts.
    #[serde(default)]
    pub applies: Vec<String>,
    /// The directives that do not apply.
    #[serde(default)]
    pub ignored: Vec<String>,
    /// Whether links are not to be followed.
    #[serde(default)]
    pub nofollow: bool,
    /// Maximum number of characters of a snippet.
    pub max_snippet: Option<i64>,
    /// `none`, `standard` or `large`.
    pub image_preview: Option<String>,
    /// The date after which the page is not shown.
    pub unavailable_after: Option<String>,
    /// `no`, `snippet` or `unstated`.
    #[serde(default = "unstated")]
    pub ai_input: String,
    /// `no`, `snippet` or `unstated`.
    #[serde(default = "unstated")]
    pub ai_train: String,
}

impl PageCase {
    /// Returns the answer by a convention.
    #[must_use]
    pub fn expected(&self, convention: Convention) -> &ExpectedPage {
        let of_draft = self.expect_rep_ext.as_ref();
        of_draft
            .filter(|_| convention == Convention::RepExt)
            .unwrap_or(&self.expect)
    }

    /// Returns names, values and lines of the header fields. The first line of a head is its status.
    ///
    /// # Panics
    ///
    /// Panics if a line has no colon.
    #[must_use]
    pub fn header_fields(&self) -> Vec<(String, Vec<u8>, usize)> {
        let split = |(line, nth): (&Vec<u8>, usize)| {
            let colon = line.iter().position(|it| *it == b':').expect("a colon");
            let name = String::from_utf8_lossy(&line[..colon]).into_owned();
            (name, line[colon + 1..].trim_ascii().to_vec(), nth)
        };
        self.headers.iter().zip(2..).map(split).collect()
    }

    /// Returns names, contents and lines of the meta elements, and whether each is in the head.
    ///
    /// # Panics
    ///
    /// Panics if an element has no colon.
    #[must_use]
    pub fn meta_elements(&self) -> Vec<(String, String, usize, bool)> {
        let in_head = self.metas.iter().map(|it| (it, true));
        let in_body = self.body_metas.iter().map(|it| (it, false));
        let split = |((text, is_in_head), line): ((&String, bool), usize)| {
            let (name, content) = text.split_once(": ").expect("a colon and a space");
            (name.to_owned(), content.to_owned(), line, is_in_head)
        };
        in_head.chain(in_body).zip(1..).map(split).collect()
    }

    /// Returns the question for the oracle.
    #[must_use]
    pub fn question<'a>(
        &'a self,
        convention: Convention,
        headers: &'a [(String, Vec<u8>, usize)],
        metas: &'a [(String, String, usize, bool)],
        limit: usize,
    ) -> PageQuestion<'a> {
        PageQuestion {
            convention,
            crawlers: &self.crawlers,
            robots: self.robots,
            fetched: self.fetched(),
            headers,
            metas,
            now: self.now(),
            limit,
        }
    }

    /// Returns the result of the fetch.
    #[must_use]
    pub fn fetched(&self) -> Fetched {
        match self.no_response {
            Some(NoResponse::NotRequested) => Fetched::No,
            Some(NoResponse::Failed) => Fetched::Failed,
            None => Fetched::Status(self.status),
        }
    }

    /// Returns the time of the question, in seconds since 1970.
    ///
    /// # Panics
    ///
    /// Panics if the case has no valid date.
    #[must_use]
    pub fn now(&self) -> i64 {
        seconds(&self.now, 0).expect("a date with a year of four digits")
    }
}

fn lines<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Vec<Vec<u8>>, D::Error> {
    let lines = Vec::<Lines>::deserialize(input)?.into_iter();
    Ok(lines.flat_map(|it| vec![it.line.0; it.times]).collect())
}

/// A field, or a field that occurs several times.
#[derive(Deserialize)]
#[serde(from = "Spelling")]
struct Lines {
    line: Bytes,
    times: usize,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Spelling {
    Once(Bytes),
    Often { line: Bytes, times: usize },
}

impl From<Spelling> for Lines {
    fn from(spelling: Spelling) -> Self {
        match spelling {
            Spelling::Once(line) => Self { line, times: 1 },
            Spelling::Often { line, times } => Self { line, times },
        }
    }
}

fn allowed() -> RobotsAnswer {
    RobotsAnswer::Allowed
}

fn ok() -> u16 {
    200
}

fn today() -> String {
    "2026-11-30".to_owned()
}

fn indexable() -> String {
    "indexable no-directive".to_owned()
}

fn unstated() -> String {
    "unstated".to_owned()
}
