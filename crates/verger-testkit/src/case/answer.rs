//! `AnswerCase`: a question of a site's owner, and the JSON that answers it.

use serde::{Deserialize, Serialize};

use super::bytes::{as_base64, bytes};
use crate::subject::DialectName;

/// A question of a site's owner, and the JSON that the command, Python, C and Ruby answer it with.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerCase {
    /// The file it is in, without its directory.
    #[serde(skip_serializing)]
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// Which question.
    pub question: QuestionName,
    /// The bytes of the file asked about; of a change the old ones.
    #[serde(rename(serialize = "robots_base64"), serialize_with = "as_base64")]
    #[serde(default, deserialize_with = "bytes")]
    pub robots: Vec<u8>,
    /// The bytes after a change.
    #[serde(rename(serialize = "new_base64"), serialize_with = "as_base64")]
    #[serde(default, deserialize_with = "bytes")]
    pub new: Vec<u8>,
    /// How it is read.
    #[serde(default)]
    pub dialect: DialectName,
    /// Names of crawlers; of [`QuestionName::Explain`] one product token.
    #[serde(default)]
    pub agents: Vec<String>,
    /// After how many states a question is given up.
    pub max_states: Option<u64>,
    /// The site that has the file; of [`QuestionName::Lint`] alone.
    pub site: Option<String>,
    /// The URL asked about; of a history, one of its site.
    #[serde(default)]
    pub url: String,
    /// The text of a `verger.toml`; of [`QuestionName::Lint`] alone.
    #[serde(default)]
    pub settings: String,
    /// What `verger store export` wrote; of [`QuestionName::History`] alone.
    #[serde(default)]
    pub export: String,
    /// The first second of a history, since 1970.
    #[serde(default)]
    pub since: u64,
    /// The first second after it.
    pub until: Option<u64>,
    /// Whether a history has the lines that changed.
    #[serde(default)]
    pub with_lines: bool,
    /// Whether a history has the facts of hops.
    #[serde(default)]
    pub with_facts: bool,
    /// The answer: JSON Lines, each as the command prints it.
    pub expect: String,
}

/// The questions.
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
}

impl QuestionName {
    /// The name in case files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Who => "who",
            Self::Diff => "diff",
            Self::Lint => "lint",
            Self::Parse => "parse",
            Self::History => "history",
            Self::Explain => "explain",
        }
    }
}
