use std::fmt;

use verger_answer::HumanCountOf;
use verger_answer::text::grouped;
use verger_crawlers::{CrawlDelay, Obeys};

use super::audit_answer::AuditAnswer;
use crate::audit::CountedCrawler;
use crate::identity::RequestCheck;
use crate::log_totals::LogTotals;
use crate::rules::Period;
use crate::tally::{DisallowedLine, RobotsRequest};

impl LogTotals {
    /// Returns the number of lines of each kind that were not judged or were left out, with a
    /// description. Numbers may be zero.
    #[must_use]
    pub fn notes(&self) -> [(u64, &'static str); 8] {
        // If no line has a path, the log probably stores it under an unknown field name.
        let without_target = if self.of_crawlers == 0 {
            "of known crawlers, not counted: they have no URL or path (in a JSON log, `--json-field target=PATH` names the field)"
        } else {
            "of known crawlers, not counted: they have no URL or path"
        };
        [
            (self.too_long, "longer than 1 MiB, skipped"),
            (self.without_header, "without a User-Agent header"),
            (
                self.without_host,
                "of known crawlers without a host: give `--site`",
            ),
            (
                self.of_further_hosts,
                "of known crawlers to hosts beyond the first 10,000 with rules: unknown",
            ),
            (
                self.of_unknown_hosts,
                "of known crawlers to hosts without rules: unknown",
            ),
            (
                self.without_address,
                "of known crawlers without a single readable address: unverifiable",
            ),
            (self.without_target, without_target),
            (
                self.without_path,
                "of known crawlers, not counted: they request no path, such as `OPTIONS *` and `CONNECT`",
            ),
        ]
    }
}

impl DisallowedLine {
    /// Describes the robots.txt that contains the line, and when it was in force. Returns `None` if
    /// both are unknown.
    #[must_use]
    pub fn robots_in_words(&self) -> Option<String> {
        let Period { from, until } = self.in_force;
        let file = self
            .robots_sha256
            .as_ref()
            .map(|hash| format!("robots.txt {}", &hash[..12]));
        let span = match (from, until) {
            (Some(from), Some(until)) => Some(format!("in force from {from} until {until}")),
            (Some(from), None) => Some(format!("in force since {from}")),
            (None, Some(until)) => Some(format!("in force until {until}")),
            (None, None) => None,
        };
        let parts: Vec<_> = file.into_iter().chain(span).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Displays the result and the time.
impl fmt::Display for RobotsRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "robots.txt {} at {}", self.answer.as_str(), self.time)
    }
}

impl AuditAnswer<'_> {
    /// Returns notes about the crawler of a row.
    #[must_use]
    pub fn notes(&self, row: &CountedCrawler<'_>) -> Vec<String> {
        let tally = row.tally;
        let mut notes = Vec::new();
        if row.check == RequestCheck::Impostor {
            notes.push("these requests came from other clients that use its name".to_owned());
            return notes;
        }
        if row.crawler.obeys() == Obeys::No {
            notes.push("its operator says that it does not obey robots.txt".to_owned());
        }
        if tally.pace.early > 0 && row.crawler.crawl_delay() == Some(CrawlDelay::Ignored) {
            notes.push("its operator says that it ignores Crawl-delay".to_owned());
        }
        if tally.robots.refused > 0 {
            let refused = HumanCountOf(tally.robots.refused, "request", "requests");
            notes.push(format!("{refused} for robots.txt refused by the server"));
        }
        if tally.robots_open > 0 {
            let requests = HumanCountOf(tally.robots_open, "request", "requests");
            notes.push(format!(
                "{requests} disallowed, although its request for robots.txt got a status that allows everything"
            ));
        }
        if tally.disallowed > 0 && !self.may_have_asked(row) {
            notes.push("it did not request robots.txt".to_owned());
        }
        if tally.pace.early > 0 {
            let (pace, gap) = (tally.pace, tally.pace.shortest_gap_seconds.unwrap_or(0));
            notes.push(format!(
                "{} of {} sooner than the Crawl-delay of {} s allows (shortest gap: {gap} s)",
                grouped(pace.early),
                HumanCountOf(pace.judged, "request", "requests"),
                pace.delay_seconds,
            ));
        }
        notes
    }

    /// Includes all rows but those of impostors, because a crawler may request robots.txt from one
    /// address and pages from another.
    fn may_have_asked(&self, row: &CountedCrawler<'_>) -> bool {
        self.rows.iter().any(|other| {
            let is_same = other.crawler.name() == row.crawler.name();
            is_same && other.check != RequestCheck::Impostor && other.tally.robots.total() > 0
        })
    }
}
