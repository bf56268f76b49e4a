//! `CrawlerTally`: the requests of a crawler that were checked with one result.

use super::days::Days;
use super::disallowed_lines::DisallowedLines;
use super::pace::Pace;
use super::robots_requests::RobotsRequests;
use super::span::Span;

/// The requests of a crawler that were checked with one result.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CrawlerTally {
    /// How many there were, those for robots.txt among them.
    pub requests: u64,
    /// When the first and the last were.
    pub span: Span,
    /// How many there were on each day.
    pub days: Days,
    /// Requests for robots.txt.
    pub robots: RobotsRequests,
    /// Requests that the rules in force allow.
    pub allowed: u64,
    /// Requests that the rules in force disallow and the rules shortly before them allow.
    pub within_grace: u64,
    /// Disallowed requests of a crawler that got an answer for robots.txt which allows everything, the last time it asked
    /// for it and within the lifetime of that: it cannot know the rules. For verified requests the last verified one
    /// for it counts, or an unverifiable one where there is none; for unverifiable requests the last of both; for
    /// impostors their own.
    pub robots_open: u64,
    /// Disallowed requests.
    pub disallowed: u64,
    /// Requests about which nothing is known: there are no rules of that time or of that host.
    pub unknown: u64,
    /// The requests in `unknown` about which something should be known: the host has rules but none of that time, the
    /// line names no host or no path, or the host came after 10,000 others. Requests to hosts that never had rules are
    /// not counted: clients invent hosts.
    pub unjudged: u64,
    /// Requests to which a crawl delay applies and whose preceding request is unknown: the host came after 10,000
    /// others, or its pair with the crawler after a million others, or the logs have a later request before it.
    pub unpaced: u64,
    /// The requests in `unpaced` before which the logs have a later one.
    pub(crate) out_of_order: u64,
    /// Requests that are unverifiable although evidence was searched for
    /// ([`crate::RequestChecks::lacks_evidence`]).
    pub unchecked: u64,
    /// The disallowed ones by line.
    pub lines: DisallowedLines,
    /// Whether a crawl delay was kept.
    pub pace: Pace,
}
