//! `AuditRows`: what was counted, in the order in which it is shown.

use std::cmp::Reverse;
use std::time::Duration;

use clap::ValueEnum;
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

    /// Whether requests for robots.txt are known that may be those of a row's crawler: a crawler may ask for it
    /// from one address and for pages from others, so that all its rows count but those of impostors.
    pub(super) fn may_have_asked(&self, row: &CountedCrawler<'_>) -> bool {
        self.rows.iter().any(|other| {
            let is_same = other.crawler.name() == row.crawler.name();
            is_same && other.check != RequestCheck::Impostor && other.tally.robots.total() > 0
        })
    }

    /// Whether there is what makes the command end with 1. Impostors are no crawlers.
    pub(super) fn has(&self, what: FailOn) -> bool {
        self.rows.iter().any(|row| {
            let (tally, is_own) = (row.tally, row.check != RequestCheck::Impostor);
            match what {
                FailOn::Disallowed => is_own && tally.disallowed > 0,
                FailOn::Impostor => !is_own,
                FailOn::Refused => is_own && tally.robots.refused > 0,
                FailOn::Delay => is_own && tally.pace.early > 0,
            }
        })
    }
}

/// What makes the command end with 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// A request that was disallowed, not within grace, by a crawler that is verified or unverifiable
    Disallowed,
    /// A request under the name of a crawler that is not its own
    Impostor,
    /// A request of a crawler for robots.txt that the server refused
    Refused,
    /// A request of a crawler sooner than the Crawl-delay allows
    Delay,
}

/// Whether its operator says that it obeys.
pub(super) fn obeys(row: &CountedCrawler<'_>) -> &'static str {
    row.crawler.obeys().as_str()
}
