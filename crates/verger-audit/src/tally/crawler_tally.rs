//! `CrawlerTally`: the requests of a crawler that were checked with one result; `Span`: first and last.

use serde::{Serialize, Serializer};
use verger_access::Timestamp;
use verger_store::time_text;

use super::disallowed_lines::DisallowedLines;
use super::pace::Pace;
use super::robots_requests::RobotsRequests;

/// When the first and the last request were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Span {
    /// When the first was.
    #[serde(serialize_with = "time")]
    pub first: Option<Timestamp>,
    /// When the last was.
    #[serde(serialize_with = "time")]
    pub last: Option<Timestamp>,
}

#[expect(clippy::ref_option, reason = "the signature is serde's")]
fn time<S: Serializer>(time: &Option<Timestamp>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(time_text).serialize(serializer)
}

impl Span {
    pub(crate) fn extend_to(&mut self, time: Timestamp) {
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.last = Some(self.last.map_or(time, |last| last.max(time)));
    }
}

/// The requests of a crawler that were checked with one result.
#[derive(Clone, Debug, Default)]
pub struct CrawlerTally {
    /// How many there were, those for robots.txt among them.
    pub requests: u64,
    /// When the first and the last were.
    pub span: Span,
    /// Those for robots.txt.
    pub robots: RobotsRequests,
    /// Those that the rules in force allow.
    pub allowed: u64,
    /// Those that the rules in force disallow and rules shortly before them allow.
    pub within_grace: u64,
    /// Those that are disallowed, where the crawler was refused robots.txt the last time it asked for
    /// it: it cannot know the rules.
    pub robots_refused: u64,
    /// Those that are disallowed.
    pub disallowed: u64,
    /// Those of which nothing is known: no rules of that time or of that host, or no request for a path.
    pub unknown: u64,
    /// The disallowed ones by line.
    pub lines: DisallowedLines,
    /// Whether a crawl delay was kept.
    pub pace: Pace,
}
