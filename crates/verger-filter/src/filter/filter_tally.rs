//! `FilterTally`: how many URLs had which result.

use std::fmt;
use std::ops::AddAssign;

use verger::Effect;
use verger_answer::CountOf;

use super::filter_lines::UrlResult;

/// Counts of URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FilterTally {
    /// Allowed by their body.
    pub allowed: u64,
    /// Disallowed by their body.
    pub disallowed: u64,
    /// Their authority has no body: allowed, since an option says so.
    pub without_body_allowed: u64,
    /// The same, disallowed.
    pub without_body_disallowed: u64,
    /// Their authority has no body, and no option says what that means.
    pub without_body: u64,
    /// They are no URLs, or their body cannot be read.
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

    /// All URLs.
    #[must_use]
    pub fn urls(&self) -> u64 {
        self.allowed + self.disallowed + self.all_without_body() + self.unanswered
    }

    /// URLs whose authority has no body, whatever that means.
    #[must_use]
    pub fn all_without_body(&self) -> u64 {
        self.without_body + self.without_body_allowed + self.without_body_disallowed
    }

    /// How many of a hundred are allowed.
    #[must_use]
    pub fn allowed_percent(&self) -> u64 {
        let allowed = self.allowed + self.without_body_allowed;
        let share = u128::from(allowed) * 100 / u128::from(self.urls().max(1));
        // A share of a hundred has room anywhere.
        share.try_into().unwrap_or(100)
    }

    /// Whether every URL has a verdict.
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
