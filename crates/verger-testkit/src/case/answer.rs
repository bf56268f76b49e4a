//! `AnswerCase`: a question of a site's owner, and the JSON that answers it.

use serde::{Deserialize, Serialize};

use super::octets::{as_base64, read_body};
use crate::subject::DialectName;

/// A question of a site's owner, and the JSON that the command, Python, C and Ruby answer it with.
#[derive(Clone, Debug, Serialize)]
pub struct AnswerCase {
    /// The file it is in, without its directory.
    #[serde(skip)]
    pub file: String,
    /// Its name, unique over all files.
    pub id: String,
    /// Which question.
    pub question: QuestionName,
    /// The octets of the file asked about; of a change the old ones.
    #[serde(rename = "robots_base64", serialize_with = "as_base64")]
    pub robots: Vec<u8>,
    /// The octets after a change.
    #[serde(rename = "new_base64", serialize_with = "as_base64")]
    pub new: Vec<u8>,
    /// How it is read.
    pub dialect: DialectName,
    /// Names of crawlers; of [`QuestionName::Explain`] one product token.
    pub agents: Vec<String>,
    /// After how many states a question is given up.
    pub max_states: Option<u64>,
    /// The site that has the file; of [`QuestionName::Lint`] alone.
    pub site: Option<String>,
    /// The URL asked about; of a history, one of its site.
    pub url: String,
    /// The text of a `verger.toml`; of [`QuestionName::Lint`] alone.
    pub settings: String,
    /// What `verger store export` wrote; of [`QuestionName::History`] alone.
    pub export: String,
    /// The first second of a history, since 1970.
    pub since: u64,
    /// The first second after it.
    pub until: Option<u64>,
    /// Whether a history has the lines that changed.
    pub with_lines: bool,
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

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswerShape {
    id: String,
    question: QuestionName,
    robots: Option<String>,
    robots_hex: Option<String>,
    #[serde(default)]
    new: String,
    dialect: Option<String>,
    #[serde(default)]
    agents: Vec<String>,
    max_states: Option<u64>,
    site: Option<String>,
    #[serde(default)]
    url: String,
    #[serde(default)]
    settings: String,
    #[serde(default)]
    export: String,
    #[serde(default)]
    since: u64,
    until: Option<u64>,
    #[serde(default)]
    with_lines: bool,
    expect: String,
}

pub(super) fn read_answer(file: &str, shape: AnswerShape) -> Result<AnswerCase, String> {
    let robots = match (shape.robots, shape.robots_hex, shape.question) {
        (None, None, QuestionName::History) => Vec::new(),
        (text, hex, _) => read_body(text, hex, None)?,
    };
    let dialect = match shape.dialect {
        None => DialectName::Rfc9309,
        Some(name) => {
            DialectName::by_name(&name).ok_or_else(|| format!("`{name}` is no dialect"))?
        }
    };
    Ok(AnswerCase {
        file: file.to_owned(),
        id: shape.id,
        question: shape.question,
        robots,
        new: shape.new.into_bytes(),
        dialect,
        agents: shape.agents,
        max_states: shape.max_states,
        site: shape.site,
        url: shape.url,
        settings: shape.settings,
        export: shape.export,
        since: shape.since,
        until: shape.until,
        with_lines: shape.with_lines,
        expect: shape.expect,
    })
}
