//! `AuditRows`: what was counted, in the order in which it is shown.

use std::cmp::Reverse;
use std::time::Duration;

use verger_audit::{Audit, CountedCrawler, LogTotals, RequestCheck, RulesSource};

use super::checks::RangeAges;

/// What was counted: of all lines, and of each crawler by how it was checked.
pub(super) struct AuditRows<'a> {
    pub(super) totals: &'a LogTotals,
    /// When the address ranges were read that requests were checked with.
    pub(super) ages: &'a RangeAges,
    pub(super) grace: Duration,
    /// Those with the most disallowed requests first.
    pub(super) rows: Vec<CountedCrawler<'a>>,
}

impl<'a> AuditRows<'a> {
    pub(super) fn of<S: RulesSource>(
        audit: &'a Audit<S>,
        ages: &'a RangeAges,
        grace: Duration,
    ) -> Self {
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
            ages,
            grace,
            rows,
        }
    }

    /// Whether a crawler asked for what was disallowed to it; impostors are no crawlers.
    pub(super) fn has_disallowed(&self) -> bool {
        let mut own = self
            .rows
            .iter()
            .filter(|row| row.check != RequestCheck::Impostor);
        own.any(|row| row.tally.disallowed > 0)
    }
}

/// Whether its operator says that it obeys.
pub(super) fn obeys(row: &CountedCrawler<'_>) -> &'static str {
    row.crawler.obeys().as_str()
}
