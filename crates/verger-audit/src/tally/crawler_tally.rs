use super::days::Days;
use super::disallowed_lines::DisallowedLines;
use super::pace::Pace;
use super::robots_requests::RobotsRequests;
use super::span::Span;

/// The requests of a crawler with the same check result.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CrawlerTally {
    /// Number of requests, including those for robots.txt.
    pub requests: u64,
    /// When the first and the last request occurred.
    pub span: Span,
    /// Requests by day.
    pub days: Days,
    /// Requests for robots.txt.
    pub robots: RobotsRequests,
    /// Requests that the rules in force allow.
    pub allowed: u64,
    /// Requests that the rules in force disallow but the rules shortly before allow.
    pub within_grace: u64,
    /// Disallowed requests of a crawler that may not know the rules, because the last response to
    /// its request for robots.txt allows everything and has not expired. Verified requests use the
    /// last verified request for robots.txt, or an unverifiable one if there is none. Unverifiable
    /// requests use the last of both. Impostors use their own.
    pub robots_open: u64,
    /// Disallowed requests.
    pub disallowed: u64,
    /// Requests without known rules for their time or host.
    pub unknown: u64,
    /// The requests in `unknown` that should be known: the host has rules but not for this time,
    /// the line names no host or path, or the host came after 10,000 others. Requests to hosts that
    /// never had rules are excluded, because clients invent hosts.
    pub unjudged: u64,
    /// Requests under a crawl delay whose preceding request is unknown: the host came after 10,000
    /// others, the pair of host and crawler after a million others, or the logs are out of order.
    pub unpaced: u64,
    /// The requests in `unpaced` that come after a later request in the logs.
    pub(crate) out_of_order: u64,
    /// Unverifiable requests although evidence was looked for
    /// ([`crate::RequestChecks::lacks_evidence`]).
    pub unchecked: u64,
    /// Disallowed requests by rule.
    pub lines: DisallowedLines,
    /// Whether the crawl delay was respected.
    pub pace: Pace,
}
