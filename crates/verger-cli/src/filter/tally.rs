//! How many URLs had which result.

use std::fmt;
use std::ops::AddAssign;

use super::printed::UrlResult;

/// Counts of URLs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) allowed: u64,
    pub(super) disallowed: u64,
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
            UrlResult::WithoutBody => &mut self.without_body,
            UrlResult::Unanswered => &mut self.unanswered,
        } += 1;
    }

    pub(super) fn urls(&self) -> u64 {
        self.allowed + self.disallowed + self.without_body + self.unanswered
    }

    /// How many of a hundred are allowed.
    pub(super) fn allowed_percent(&self) -> u64 {
        let share = u128::from(self.allowed) * 100 / u128::from(self.urls().max(1));
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
        self.without_body += other.without_body;
        self.unanswered += other.unanswered;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            allowed,
            disallowed,
            without_body,
            unanswered,
        } = self;
        let urls = self.urls();
        write!(
            f,
            "{urls} URLs: {allowed} allowed, {disallowed} disallowed, "
        )?;
        write!(
            f,
            "{without_body} without a robots.txt, {unanswered} not answerable"
        )
    }
}
