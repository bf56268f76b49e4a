//! What every interface of the product can be asked, and what it answers: the one shape in which
//! the tree, the one-call function, the command and the oracle are compared.

use serde::{Deserialize, Serialize};

/// The four dialects, named apart from the engine so that the oracle never depends on it.
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
    /// All four, in the order in which tables print them.
    pub const ALL: [Self; 4] = [
        Self::Rfc9309,
        Self::Google,
        Self::Draft2019,
        Self::Koster1996,
    ];

    /// The name on the command line and in case files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rfc9309 => "rfc9309",
            Self::Google => "google",
            Self::Draft2019 => "draft2019",
            Self::Koster1996 => "koster1996",
        }
    }

    /// The dialect of that name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|dialect| dialect.as_str() == name)
    }
}

/// May the crawler that answers to `agents` fetch `url` under `robots`, read in `dialect`?
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// How the body is read.
    pub dialect: DialectName,
    /// The bytes of the file.
    pub robots: &'a [u8],
    /// Product tokens in order; the first one that a group names counts.
    pub agents: &'a [String],
    /// The URL as the crawler would request it, or a request target.
    pub url: &'a [u8],
}

/// Why a verdict came out as it did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReasonName {
    /// A rule matched.
    Rule,
    /// A group applies to the crawler, and none of its rules matches.
    NoRule,
    /// No group applies to the crawler.
    NoGroup,
    /// The target is `/robots.txt` itself.
    RobotsTxt,
}

/// The group that applies to the crawler (the first one where several are merged).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupName {
    /// Its first user-agent line, counted from 1.
    pub line: u32,
    /// Whether the crawler is named there; false where it fell to `*`.
    pub named: bool,
}

/// A verdict with everything that a case may state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// Why.
    pub reason: ReasonName,
    /// The deciding rule's line, counted from 1; present exactly where the reason is a rule.
    pub line: Option<u32>,
    /// The group that applies to the crawler, if one does.
    pub group: Option<GroupName>,
}

/// One interface of the product, or the oracle.
pub trait Subject {
    /// What to call it in a failure message.
    fn name(&self) -> &str;

    /// Answers one question.
    ///
    /// # Errors
    ///
    /// A sentence, where the question itself cannot be asked in this dialect: an agent that is
    /// not a product token, or a URL that is neither absolute nor a request target.
    fn answer(&self, question: &Question<'_>) -> Result<Answer, String>;
}
