use serde::{Deserialize, Serialize};

use super::bytes::{as_base64, bytes};
use crate::subject::DialectName;

/// A site owner's question, and the JSON with which the command, Python, C and Ruby answer it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerCase {
    /// File name.
    #[serde(skip_serializing)]
    pub file: String,
    /// Unique id.
    pub id: String,
    /// The kind of question.
    pub question: QuestionName,
    /// The bytes of the file, or of the old file for a diff.
    #[serde(rename(serialize = "robots_base64"), serialize_with = "as_base64")]
    #[serde(default, deserialize_with = "bytes")]
    pub robots: Vec<u8>,
    /// The bytes of the new file for a diff.
    #[serde(rename(serialize = "new_base64"), serialize_with = "as_base64")]
    #[serde(default, deserialize_with = "bytes")]
    pub new: Vec<u8>,
    /// The dialect to read it in. Without one, each crawler is judged as its operator reads.
    pub dialect: Option<DialectName>,
    /// Names of crawlers, or one product token for [`QuestionName::Explain`].
    #[serde(default)]
    pub agents: Vec<String>,
    /// Maximum number of states before a question is given up.
    pub max_states: Option<u64>,
    /// The site that has the file, only for [`QuestionName::Lint`].
    pub site: Option<String>,
    /// The URL, or for a history any URL of the site, or for a page its URL.
    #[serde(default)]
    pub url: String,
    /// The text of a `verger.toml`, only for [`QuestionName::Lint`].
    #[serde(default)]
    pub settings: String,
    /// The output of `verger store export`, only for [`QuestionName::History`].
    #[serde(default)]
    pub export: String,
    /// The first second of a history, since 1970.
    #[serde(default)]
    pub since: u64,
    /// The first second after the history.
    pub until: Option<u64>,
    /// Whether a history includes the changed lines.
    #[serde(default)]
    pub with_lines: bool,
    /// Whether a history includes the facts of hops.
    #[serde(default)]
    pub with_facts: bool,
    /// The head of the page's response, only for [`QuestionName::Page`]. Without one and without a page, it was not fetched.
    pub head: Option<String>,
    /// The page, only for [`QuestionName::Page`].
    pub html: Option<String>,
    /// The `meta` elements of the page, for interfaces that read no HTML: name, content, line, and whether it is in
    /// the head.
    #[serde(default)]
    pub metas: Vec<(String, String, u32, bool)>,
    /// Its `link` elements: relation, address, line, and whether it is in the head.
    #[serde(default)]
    pub links: Vec<(String, String, u32, bool)>,
    /// The answer as JSON Lines, as the command prints it.
    pub expect: String,
}

/// The kinds of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionName {
    /// `verger who`.
    Who,
    /// `verger diff`.
    Diff,
    /// `verger lint`.
    Lint,
    /// `verger parse`.
    Parse,
    /// `verger history`.
    History,
    /// `verger check --explain`.
    Explain,
    /// `verger check --page-head`.
    Page,
}

impl QuestionName {
    /// Returns the name in case files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Who => "who",
            Self::Diff => "diff",
            Self::Lint => "lint",
            Self::Parse => "parse",
            Self::History => "history",
            Self::Explain => "explain",
            Self::Page => "page",
        }
    }
}
