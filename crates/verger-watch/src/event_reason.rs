use std::fmt;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};
use verger_answer::text::{legible, start_of};

use crate::event_severity::EventSeverity;

/// Maximum number of names in a reason.
const NAMES_MAX: usize = 20;

/// The kind of an [`EventReason`], which decides its severity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ReasonKind {
    /// Search engines that matter may no longer fetch the home page or most other pages.
    SearchLost,
    /// Search engines that matter may no longer fetch more than half of the URLs in the sitemaps.
    SitemapUrlsLost,
    /// The robots.txt has been unreachable for longer than the first phase of an outage
    /// ([`verger_access::OutagePolicy::early_until`]).
    Unreachable,
    /// The robots.txt is reachable again after such a time.
    UnreachableEnded,
    /// Claims fail.
    ClaimFails,
    /// Other crawlers that matter may no longer fetch the home page or most other pages.
    CrawlerLost,
    /// Crawlers that matter may again fetch the home page or most other pages.
    CrawlerGained,
    /// The robots.txt became unreachable, and no stored copy can be used instead.
    Outage,
    /// The robots.txt is reachable again, or a stored copy can be used.
    OutageEnded,
    /// The meaning of the served file differs from that of the expected file.
    DiffersFromFile,
    /// A Sitemap line was removed.
    SitemapGone,
    /// Lint finds errors that the previous file did not have.
    LintError,
}

impl ReasonKind {
    /// Returns the code, such as `search_lost`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SearchLost => "search_lost",
            Self::SitemapUrlsLost => "sitemap_urls_lost",
            Self::Unreachable => "unreachable",
            Self::UnreachableEnded => "unreachable_ended",
            Self::ClaimFails => "claim_fails",
            Self::CrawlerLost => "crawler_lost",
            Self::CrawlerGained => "crawler_gained",
            Self::Outage => "outage",
            Self::OutageEnded => "outage_ended",
            Self::DiffersFromFile => "differs_from_file",
            Self::SitemapGone => "sitemap_gone",
            Self::LintError => "lint_error",
        }
    }

    /// Returns the severity.
    #[must_use]
    pub const fn severity(self) -> EventSeverity {
        match self {
            Self::SearchLost
            | Self::SitemapUrlsLost
            | Self::Unreachable
            | Self::UnreachableEnded
            | Self::ClaimFails => EventSeverity::Critical,
            Self::CrawlerLost
            | Self::CrawlerGained
            | Self::Outage
            | Self::OutageEnded
            | Self::DiffersFromFile
            | Self::SitemapGone
            | Self::LintError => EventSeverity::Warning,
        }
    }
}

/// A reason why an event is more than a notice. `Display` prints it as a sentence without control
/// characters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EventReason {
    /// The kind.
    pub kind: ReasonKind,
    /// The first 20 crawlers, claims, sitemaps or lints, each cut after 200 bytes.
    pub names: Vec<String>,
    /// Number of further names.
    pub more: usize,
}

impl EventReason {
    /// Returns `None` without names.
    pub(crate) fn of_names(kind: ReasonKind, mut names: Vec<String>) -> Option<Self> {
        let more = names.len().saturating_sub(NAMES_MAX);
        names.truncate(NAMES_MAX);
        for name in &mut names {
            *name = start_of(name).into_owned();
        }
        (!names.is_empty()).then_some(Self { kind, names, more })
    }

    pub(crate) fn of_kind(kind: ReasonKind) -> Self {
        Self {
            kind,
            names: Vec::new(),
            more: 0,
        }
    }
}

impl fmt::Display for EventReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names.iter();
        let names: Vec<String> = names.map(|it| legible(it.as_bytes())).collect();
        let mut names = names.join(", ");
        if self.names.is_empty() {
            names = format!("{} names", self.more);
        } else if self.more > 0 {
            names = format!("{names} and {} more", self.more);
        }
        match self.kind {
            ReasonKind::SearchLost => write!(f, "search engines lost the site: {names}"),
            ReasonKind::SitemapUrlsLost => {
                write!(f, "search engines lost most URLs of the sitemap: {names}")
            }
            ReasonKind::Unreachable => f.write_str("robots.txt has been unreachable for too long"),
            ReasonKind::ClaimFails => write!(f, "claims fail: {names}"),
            ReasonKind::CrawlerLost => write!(f, "crawlers lost the site: {names}"),
            ReasonKind::CrawlerGained => write!(f, "crawlers gained the site: {names}"),
            ReasonKind::Outage => f.write_str("robots.txt is unreachable"),
            ReasonKind::UnreachableEnded | ReasonKind::OutageEnded => {
                f.write_str("the outage is over")
            }
            ReasonKind::DiffersFromFile => f.write_str("the served file differs from yours"),
            ReasonKind::SitemapGone => write!(f, "sitemap lines are gone: {names}"),
            ReasonKind::LintError => write!(f, "new mistakes: {names}"),
        }
    }
}

impl Serialize for EventReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut keys = serializer.serialize_struct("EventReason", 4)?;
        keys.serialize_field("reason", self.kind.as_str())?;
        keys.serialize_field("severity", &self.kind.severity())?;
        keys.serialize_field("names", &self.names)?;
        keys.serialize_field("more", &self.more)?;
        keys.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_bounded_and_legible() {
        let names: Vec<String> = (0..25).map(|nth| format!("{nth}\u{1b}")).collect();
        let reason = EventReason::of_names(ReasonKind::SitemapGone, names).unwrap();
        let text = reason.to_string();
        assert!(
            text.ends_with(" and 5 more") && !text.contains('\u{1b}'),
            "{text}"
        );
        assert_eq!(reason.names.len(), 20);
        assert_eq!(
            EventReason::of_names(ReasonKind::LintError, Vec::new()),
            None
        );
    }
}
