//! `AuditAnswer`: the counts, in the order in which they are shown.

use std::cmp::Reverse;
use std::fmt;
use std::time::Duration;

use crate::audit::{Audit, CountedCrawler};
use crate::checks::RangeAges;
use crate::identity::RequestCheck;
use crate::log_totals::LogTotals;
use crate::rules::RulesSource;

/// The counts of all lines, and of each crawler by how it was checked.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AuditAnswer<'a> {
    /// The totals of all lines.
    pub totals: &'a LogTotals,
    /// When the address ranges were read that requests were checked with.
    pub ages: RangeAges,
    /// How long after a change a crawler may still go by the rules before.
    pub grace: Duration,
    /// Whether there were address ranges or names of addresses to check requests with.
    pub has_evidence: bool,
    /// The crawlers, those with the most disallowed requests first, impostors last.
    pub rows: Vec<CountedCrawler<'a>>,
}

impl<'a> AuditAnswer<'a> {
    /// The counts so far.
    #[must_use]
    pub fn of<S: RulesSource>(audit: &'a Audit<S>) -> Self {
        let (totals, mut rows) = audit.counted();
        rows.sort_by_key(|row| {
            let tally = row.tally;
            let is_impostor = row.check == RequestCheck::Impostor;
            (
                is_impostor,
                Reverse(tally.disallowed),
                Reverse(tally.requests),
            )
        });
        Self {
            totals,
            ages: RangeAges::of(audit.checks()),
            grace: audit.grace(),
            has_evidence: audit.checks().has_evidence(),
            rows,
        }
    }

    /// Where ranges are too old to show impostors, says so.
    #[must_use]
    pub fn old_ranges(&self) -> Option<impl fmt::Display + use<>> {
        self.ages.too_old_at(self.totals.span.last?)
    }
}
