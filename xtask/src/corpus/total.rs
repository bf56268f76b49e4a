//! Totals for one dialect.

use std::time::Duration;

use verger::{Dialect, RobotsTxt};

use crate::question::{Answer, Refusal};
use crate::table::Table;

pub(super) struct Total {
    pub(super) dialect: Dialect,
    pub(super) files: usize,
    pub(super) bytes: usize,
    parse_time: Duration,
    /// Bytes, records, groups, and rules in groups.
    read: [usize; 4],
    /// Allowed, disallowed, agents refused, URLs refused.
    answers: [usize; 4],
}

impl Total {
    pub(super) fn new(dialect: Dialect) -> Self {
        let (read, answers) = ([0; 4], [0; 4]);
        Self {
            dialect,
            files: 0,
            bytes: 0,
            parse_time: Duration::ZERO,
            read,
            answers,
        }
    }

    pub(super) fn count_body(&mut self, robots: &RobotsTxt, parse_time: Duration) {
        self.files += 1;
        self.bytes += robots.body().len();
        self.parse_time += parse_time;
        let rules = robots.groups().map(|group| group.rules().count());
        let (records, groups) = (robots.records().len(), robots.groups().len());
        let read = [robots.bytes_read(), records, groups, rules.sum()];
        for (sum, count) in self.read.iter_mut().zip(read) {
            *sum += count;
        }
    }

    pub(super) fn count_answer(&mut self, answer: &Answer) {
        self.answers[match answer {
            Answer::Decided { allowed: true, .. } => 0,
            Answer::Decided { allowed: false, .. } => 1,
            Answer::Refused(Refusal::Agent(_)) => 2,
            Answer::Refused(Refusal::Url(_)) => 3,
        }] += 1;
    }

    pub(super) fn questions(&self) -> usize {
        self.answers.iter().sum()
    }
}

/// Returns a table with a row for each dialect.
pub(super) fn table(totals: &[Total]) -> Table {
    let head = "dialect,bytes read,records,groups,rules in groups,parsing,allow,disallow,agent refused,url refused";
    let mut table = Table::new(1, head);
    for total in totals {
        let mut row = vec![total.dialect.to_string()];
        row.extend(total.read.map(|count| count.to_string()));
        row.push(format!("{:.2} s", total.parse_time.as_secs_f64()));
        row.extend(total.answers.map(|count| count.to_string()));
        table.row(row);
    }
    table
}
