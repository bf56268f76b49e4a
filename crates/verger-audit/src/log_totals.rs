//! `LogTotals`: the counts of all lines.

use serde::Serialize;

use crate::authority_table::RequestHost;
use crate::log::LineProblem;
use crate::tally::Span;

/// How many lines that cannot be read are named.
const PROBLEMS_MAX: usize = 5;

/// The counts of all lines of all logs.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct LogTotals {
    /// All lines.
    pub lines: u64,
    /// Lines of known crawlers.
    pub of_crawlers: u64,
    /// Lines of browsers and other clients.
    pub other_clients: u64,
    /// Lines without a `User-Agent` header.
    pub without_header: u64,
    /// Lines of known crawlers that name no host, where rules differ from host to host and no site is
    /// given for them.
    pub without_host: u64,
    /// Lines of known crawlers to hosts that came after 10,000 others with rules, where rules differ
    /// from host to host: they are counted as unknown.
    pub of_further_hosts: u64,
    /// Lines of known crawlers to hosts without rules: they are counted as unknown.
    pub of_unknown_hosts: u64,
    /// Lines of known crawlers without a single readable address, so that they cannot be verified.
    pub without_address: u64,
    /// Lines of known crawlers whose target cannot be read.
    pub without_target: u64,
    /// Lines of known crawlers that ask for no path, as `OPTIONS *` and `CONNECT`: no robots.txt speaks of them.
    pub without_path: u64,
    /// Lines that are empty or describe the log itself.
    pub without_request: u64,
    /// Lines longer than 1 MiB.
    pub too_long: u64,
    /// Lines that do not match the format of the log, or have no time.
    pub not_read: u64,
    /// The lines in `not_read` that are of known crawlers and whose time cannot be read.
    pub without_time: u64,
    /// The lines in `too_long` and `not_read` that may be of known crawlers: their bytes have the name of one, or are
    /// not there.
    pub unread_of_crawlers: u64,
    /// The first of those that do not match.
    pub first_not_read: Vec<LinePlace>,
    /// When the first and the last request of a known crawler were.
    #[serde(flatten)]
    pub span: Span,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LinePlace {
    /// The name of the log.
    pub log: String,
    /// The line, counted from 1.
    pub line: u64,
    /// The problem of the line.
    pub problem: &'static str,
}

impl LogTotals {
    /// Counts a request for which there are no rules.
    pub(crate) fn count_without_rules(&mut self, host: RequestHost) {
        *match host {
            RequestHost::Numbered(_) => &mut self.without_host,
            RequestHost::Further => &mut self.of_further_hosts,
            RequestHost::Unknown => &mut self.of_unknown_hosts,
        } += 1;
    }

    pub(crate) fn count_problem(&mut self, problem: LineProblem, log: &str, line: u64) {
        self.not_read += 1;
        self.without_time += u64::from(problem == LineProblem::Time);
        if self.first_not_read.len() < PROBLEMS_MAX {
            self.first_not_read.push(LinePlace {
                log: log.to_owned(),
                line,
                problem: match problem {
                    LineProblem::Shape => "it does not match the log format",
                    LineProblem::Time => "its time cannot be read",
                    LineProblem::NoTarget | LineProblem::NoPath => "it has no request for a path",
                },
            });
        }
    }
}
