//! How many URLs had which result.

use std::fmt;
use std::ops::AddAssign;

use verger::Effect;

use super::printed::UrlResult;
use crate::count_of::CountOf;

/// Counts of URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Allowed by their body.
    pub(super) allowed: u64,
    /// Disallowed by their body.
    pub(super) disallowed: u64,
    /// Their authority has no body: allowed, since an option says so.
    pub(super) without_body_allowed: u64,
    /// The same, disallowed.
    pub(super) without_body_disallowed: u64,
    /// Their authority has no body, and no option says what that means.
    pub(super) without_body: u64,
    /// They are no URLs, or their body cannot be read.
    pub(super) unanswered: u64,
}

impl Tally {
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

    pub(super) fn urls(&self) -> u64 {
        self.allowed + self.disallowed + self.all_without_body() + self.unanswered
    }

    fn all_without_body(&self) -> u64 {
        self.without_body + self.without_body_allowed + self.without_body_disallowed
    }

    /// How many of a hundred are allowed.
    pub(super) fn allowed_percent(&self) -> u64 {
        let allowed = self.allowed + self.without_body_allowed;
        let share = u128::from(allowed) * 100 / u128::from(self.urls().max(1));
        // A share of a hundred has room anywhere.
        share.try_into().unwrap_or(100)
    }

    pub(super) fn is_complete(&self) -> bool {
        self.without_body == 0 && self.unanswered == 0
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.allowed += other.allowed;
        self.disallowed += other.disallowed;
        self.without_body_allowed += other.without_body_allowed;
        self.without_body_disallowed += other.without_body_disallowed;
        self.without_body += other.without_body;
        self.unanswered += other.unanswered;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            allowed,
            disallowed,
            unanswered,
            ..
        } = self;
        let (urls, without_body) = (self.urls(), self.all_without_body());
        let meaning = match (self.without_body_allowed, self.without_body_disallowed) {
            (0, 0) => "",
            (_, 0) => " (allowed)",
            _ => " (disallowed)",
        };
        write!(
            f,
            "{}: {allowed} allowed, {disallowed} disallowed, \
             {without_body} without a robots.txt{meaning}, {unanswered} not answerable",
            CountOf(urls, "URL", "URLs")
        )
    }
}
