use std::fmt;
use std::ops::AddAssign;

use verger_answer::HumanCountOf;
use verger_answer::text::grouped;

use crate::log_totals::LogTotals;

/// Lines with requests, and unreadable ones among them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LinesRead {
    pub(super) lines: u64,
    pub(super) unread: u64,
}

impl LinesRead {
    pub(super) fn of(totals: &LogTotals) -> Self {
        Self {
            lines: totals.lines - totals.without_request,
            unread: totals.not_read + totals.too_long,
        }
    }

    pub(super) fn since(self, before: Self) -> Self {
        Self {
            lines: self.lines - before.lines,
            unread: self.unread - before.unread,
        }
    }
}

impl AddAssign for LinesRead {
    fn add_assign(&mut self, other: Self) {
        self.lines += other.lines;
        self.unread += other.unread;
    }
}

impl fmt::Display for LinesRead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { lines, unread } = self;
        write!(
            f,
            "{} of {} cannot be read and {} not counted",
            grouped(unread),
            HumanCountOf(*lines, "line", "lines"),
            if *unread == 1 { "is" } else { "are" }
        )
    }
}
