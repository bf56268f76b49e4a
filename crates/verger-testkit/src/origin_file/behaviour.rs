//! How an origin behaves, and what is to be made of it.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;

use crate::scenario::ExpectedAnswer;

/// One way of serving a robots.txt.
#[derive(Clone, Debug)]
pub struct Behaviour {
    /// Its name, unique.
    pub name: String,
    /// The scheme of its URL.
    pub scheme: UrlScheme,
    /// What it does, in one sentence without its full stop.
    pub does: String,
    /// What the expectations rest on.
    pub clauses: Vec<String>,
    /// What happens on the wire.
    pub wire: Wire,
    /// Something else that testers of a crawler should know.
    pub note: Option<String>,
    /// The lifetime that the last reply states, less its age, in seconds.
    pub lifetime_seconds: Option<i64>,
    /// The wait that the last reply states, in seconds.
    pub retry_after_seconds: Option<i64>,
    /// By how many seconds the time to ask again may differ.
    pub tolerance_seconds: i64,
    /// What is expected of each profile, by its name; all six are there.
    pub expected: BTreeMap<&'static str, Expectation>,
}

/// What is expected of a crawler under one profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// The outcomes that it may report, as the product spells them; at least one.
    pub outcomes: Vec<String>,
    /// What follows from any of them where nothing was known before; the fetch is at time zero.
    pub answer: ExpectedAnswer,
    /// The answer in short, as the file spells it.
    pub answer_in_short: String,
}

/// The scheme of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UrlScheme {
    /// HTTP in the clear.
    Http,
    /// HTTP through TLS.
    Https,
    /// FTP with passive transfers.
    Ftp,
}

impl UrlScheme {
    /// `http`, `https` or `ftp`.
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

/// What a client that requests the robots.txt once sees on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// A whole reply.
    Answers,
    /// The connection is closed without a whole reply.
    Breaks,
    /// The connection is reset.
    Resets,
    /// Some bytes or none, then silence.
    Hangs,
    /// One byte now and then, without end.
    Drips,
    /// Bytes without end, as fast as they are taken.
    Floods,
    /// No connection.
    Refuses,
    /// Few bytes that are decoded into many.
    Explodes,
    /// No TLS connection that a careful client would use.
    Mistrusted,
}
