use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::scenario::ExpectedAnswer;

/// One way of serving a robots.txt.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// The unique name.
    pub name: String,
    /// The scheme of the URL.
    pub scheme: UrlScheme,
    /// A description in one sentence without its full stop.
    pub does: String,
    /// Clause ids.
    pub clauses: Vec<String>,
    /// What happens on the wire.
    pub wire: Wire,
    /// Other facts for testers of a crawler.
    pub note: Option<String>,
    /// The lifetime that the last reply states, minus its age, in seconds.
    pub lifetime_seconds: Option<i64>,
    /// The wait that the last reply states, in seconds.
    pub retry_after_seconds: Option<i64>,
    /// By how many seconds the time of the next fetch may differ.
    pub tolerance_seconds: i64,
    /// The expectation of each of the six profiles, by name.
    pub expected: BTreeMap<&'static str, Expectation>,
}

/// The expectation of a crawler under one profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The outcomes that it may report, in the product's spelling. Never empty.
    pub outcomes: Vec<String>,
    /// The answer if nothing was known before. The fetch is at time zero.
    pub answer: ExpectedAnswer,
    /// The answer as the file spells it.
    pub answer_in_short: String,
}

/// The scheme of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UrlScheme {
    /// Plain HTTP.
    Http,
    /// HTTP over TLS.
    Https,
    /// FTP with passive transfers.
    Ftp,
}

impl UrlScheme {
    /// Returns `http`, `https` or `ftp`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Ftp => "ftp",
        }
    }
}

impl fmt::Display for UrlScheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The behaviour on the wire, as a client sees it that requests the robots.txt once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// A complete reply.
    Answers,
    /// The connection is closed without a complete reply.
    Breaks,
    /// The connection is reset.
    Resets,
    /// Some bytes or none, then silence.
    Hangs,
    /// One byte now and then, without end.
    Drips,
    /// Bytes without end, as fast as they are read.
    Floods,
    /// No connection.
    Refuses,
    /// A few bytes that decode to many.
    Explodes,
    /// A TLS connection that a careful client would reject.
    Mistrusted,
}
