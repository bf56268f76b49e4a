use std::fmt;
use std::ops::AddAssign;

use verger::Effect;
use verger_answer::CountOf;

use super::filter_lines::UrlResult;

/// Number of URLs by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilterTally {
    /// URLs allowed by their body.
    pub allowed: u64,
    /// URLs disallowed by their body.
    pub disallowed: u64,
    /// URLs allowed by an option because their authority has no body.
    pub without_body_allowed: u64,
    /// URLs disallowed by an option because their authority has no body.
    pub without_body_disallowed: u64,
    /// URLs without a verdict because their authority has no body.
    pub without_body: u64,
    /// Lines that are not URLs, and URLs whose body cannot be read.
    pub unanswered: u64,
}

impl FilterTally {
    pub(super) fn count(&mut self, result: UrlResult) {
        *match result {
            UrlResult::Allowed => &mut self.allowed,
            UrlResult::Disallowed => &mut self.disallowed,
            UrlResult::WithoutBody(None) => &mut self.without_body,
            UrlResult::WithoutBody(Some(Effect::Allow)) => &mut self.without_body_allowed,
            UrlResult::WithoutBody(Some(Effect::Disallow)) => &mut self.without_body_disallowed,
            UrlResult::Unanswered => &mut self.unanswered,
        } += 1;
    }

    /// Returns the number of all URLs.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.allowed + self.disallowed + self.all_without_body() + self.unanswered
    }

    /// Returns the number of URLs whose authority has no body, with or without a verdict.
    #[must_use]
    pub fn all_without_body(&self) -> u64 {
        self.without_body + self.without_body_allowed + self.without_body_disallowed
    }

    /// Returns the percentage of URLs that are allowed, rounded down.
    #[must_use]
    pub fn allowed_percent(&self) -> u64 {
        let allowed = self.allowed + self.without_body_allowed;
        let share = u128::from(allowed) * 100 / u128::from(self.urls().max(1));
        // The share is at most 100, so it always fits.
        share.try_into().unwrap_or(100)
    }

    /// Returns whether every URL has a verdict.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.without_body == 0 && self.unanswered == 0
    }
}

impl fmt::Display for FilterTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let without_body = self.all_without_body();
        let meaning = match (self.without_body_allowed, self.without_body_disallowed) {
            (0, 0) => "",
            (_, 0) => " (allowed)",
            _ => " (disallowed)",
        };
        write!(
            f,
            "{}: {} allowed, {} disallowed, {without_body} without a robots.txt{meaning}, {} not answerable",
            CountOf(self.urls(), "URL", "URLs"),
            self.allowed,
            self.disallowed,
            self.unanswered
        )
    }
}

impl AddAssign for FilterTally {
    fn add_assign(&mut self, other: Self) {
        self.allowed += other.allowed;
        self.disallowed += other.disallowed;
        self.without_body_allowed += other.without_body_allowed;
        self.without_body_disallowed += other.without_body_disallowed;
        self.without_body += other.without_body;
        self.unanswered += other.unanswered;
    }
}
