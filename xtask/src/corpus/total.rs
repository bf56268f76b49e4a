//! What one dialect made of the corpus.

use std::time::Duration;

use verger::{Dialect, RobotsTxt};

use crate::question::{Answer, Refusal};
use crate::table::Table;

/// Counts for one dialect.
pub(super) struct Total {
    dialect: Dialect,
    files: usize,
    octets: usize,
    octets_read: usize,
    records: usize,
    groups: usize,
    rules: usize,
    parse_time: Duration,
    allowed: usize,
    disallowed: usize,
    refused_agents: usize,
    refused_urls: usize,
}

impl Total {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            files: 0,
            octets: 0,
            octets_read: 0,
            records: 0,
            groups: 0,
            rules: 0,
            parse_time: Duration::ZERO,
            allowed: 0,
            disallowed: 0,
            refused_agents: 0,
            refused_urls: 0,
        }
    }

    pub(super) fn count_body(&mut self, robots: &RobotsTxt, parse_time: Duration) {
        self.files += 1;
        self.octets += robots.body().len();
        self.octets_read += robots.octets_read();
        self.records += robots.records().len();
        self.groups += robots.groups().len();
        self.rules += robots
            .groups()
            .map(|group| group.rules().count())
            .sum::<usize>();
        self.parse_time += parse_time;
    }

    pub(super) fn count_answer(&mut self, answer: &Answer) {
        let count = match answer {
            Answer::Decided { allowed: true, .. } => &mut self.allowed,
            Answer::Decided { allowed: false, .. } => &mut self.disallowed,
            Answer::Refused(Refusal::Agent(_)) => &mut self.refused_agents,
            Answer::Refused(Refusal::Url(_)) => &mut self.refused_urls,
        };
        *count += 1;
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(super) fn files(&self) -> usize {
        self.files
    }

    pub(super) fn octets(&self) -> usize {
        self.octets
    }

    pub(super) fn questions(&self) -> usize {
        self.allowed + self.disallowed + self.refused_agents + self.refused_urls
    }
}

/// A row for each dialect.
pub(super) fn table(totals: &[Total]) -> Table {
    let mut table = Table::new(
        1,
        &[
            "dialect",
            "octets read",
            "records",
            "groups",
            "rules in groups",
            "parsing",
            "allow",
            "disallow",
            "agent refused",
            "url refused",
        ],
    );
    for total in totals {
        table.row(vec![
            total.dialect.to_string(),
            total.octets_read.to_string(),
            total.records.to_string(),
            total.groups.to_string(),
            total.rules.to_string(),
            format!("{:.2} s", total.parse_time.as_secs_f64()),
            total.allowed.to_string(),
            total.disallowed.to_string(),
            total.refused_agents.to_string(),
            total.refused_urls.to_string(),
        ]);
    }
    table
}
