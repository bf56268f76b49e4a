//! The common form of questions and answers, in which the tree, the one-call function, the command
//! and the oracle are compared.

use serde::{Deserialize, Serialize};

/// The four dialects, defined apart from the engine so the oracle does not depend on it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, Serialize,
)]
#[serde(rename_all = "lowercase")]
pub enum DialectName {
    /// RFC 9309.
    #[default]
    Rfc9309,
    /// Google's library, bit for bit.
    Google,
    /// draft-koster-rep-00.
    Draft2019,
    /// Koster's draft of 1996.
    Koster1996,
}

impl DialectName {
    /// All four, in the order of tables.
    pub const ALL: [Self; 4] = [
        Self::Rfc9309,
        Self::Google,
        Self::Draft2019,
        Self::Koster1996,
    ];

    /// Returns the name on the command line and in case files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rfc9309 => "rfc9309",
            Self::Google => "google",
            Self::Draft2019 => "draft2019",
            Self::Koster1996 => "koster1996",
        }
    }

    /// Returns the dialect with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.as_str() == name)
    }
}

/// May the crawler with the product tokens `agents` fetch `url` under `robots`, read in `dialect`?
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The dialect to read the body in.
    pub dialect: DialectName,
    /// The bytes of the file.
    pub robots: &'a [u8],
    /// Product tokens in order. The first token that a group names is used.
    pub agents: &'a [String],
    /// The URL as the crawler would request it, or a request target.
    pub url: &'a [u8],
}

/// The reason of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasonName {
    /// A rule matched.
    Rule,
    /// A group applies to the crawler, but none of its rules matches.
    NoRule,
    /// No group applies to the crawler.
    NoGroup,
    /// The target is `/robots.txt` itself.
    RobotsTxt,
}

/// The group that applies to the crawler, or the first if several are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupName {
    /// The first user-agent line, counted from 1.
    pub line: u32,
    /// Whether the group names the crawler. `false` if it applies through `*`.
    pub named: bool,
}

/// A verdict with every fact that a case may state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// The reason.
    pub reason: ReasonName,
    /// The deciding rule's line, counted from 1. Present exactly if a rule decides.
    pub line: Option<u32>,
    /// The group that applies to the crawler, if one does.
    pub group: Option<GroupName>,
}

/// An interface of the product, or the oracle.
pub trait Subject {
    /// Returns the name for failure messages.
    fn name(&self) -> &str;

    /// Answers a question.
    ///
    /// # Errors
    ///
    /// Returns a message if the question is invalid in this dialect: an agent is not a product
    /// token, or the URL is neither absolute nor a request target.
    fn answer(&self, question: &Question<'_>) -> Result<Answer, String>;
}
