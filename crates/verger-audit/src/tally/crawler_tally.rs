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
    /// Those for robots.txt.
    pub robots: RobotsRequests,
    /// Those that the rules in force allow.
    pub allowed: u64,
    /// Those that the rules in force disallow and rules shortly before them allow.
    pub within_grace: u64,
    /// Those that are disallowed, where the crawler was refused robots.txt the last time it asked for
    /// it: it cannot know the rules. For verified requests the last verified one for it counts, or an unverifiable
    /// one where there is none; for unverifiable requests the last of both; for impostors their own.
    pub robots_refused: u64,
    /// Those that are disallowed.
    pub disallowed: u64,
    /// Those of which nothing is known: no rules of that time or of that host.
    pub unknown: u64,
    /// Of `unknown`, those about which something should be known: there are rules of the host and none of that time,
    /// the line names no host, the path is none, or the host came after 10,000 others. Not those to hosts of which there never were
    /// rules: clients invent hosts.
    pub unjudged: u64,
    /// Those to which a crawl delay applies, and of which it is not known what came before: to hosts after 10,000 others,
    /// or of further pairs of host and crawler than a million.
    pub unpaced: u64,
    /// Of all, those that are unverifiable although evidence was sought
    /// ([`crate::RequestChecks::lacks_evidence`]).
    pub unchecked: u64,
    /// The disallowed ones by line.
    pub lines: DisallowedLines,
    /// Whether a crawl delay was kept.
    pub pace: Pace,
}
