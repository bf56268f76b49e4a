use serde::Serialize;

use crate::authority_table::RequestHost;
use crate::log::LineProblem;
use crate::tally::Span;

const PROBLEMS_MAX: usize = 5;

/// The totals of all lines of all logs.
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
    /// Lines of known crawlers without a host, if each host has its own rules and no site is set.
    pub without_host: u64,
    /// Lines of known crawlers to hosts beyond the first 10,000 with rules, if each host has its
    /// own rules. They are counted as unknown.
    pub of_further_hosts: u64,
    /// Lines of known crawlers to hosts without rules. They are counted as unknown.
    pub of_unknown_hosts: u64,
    /// Lines of known crawlers without a single readable address. They cannot be verified.
    pub without_address: u64,
    /// Lines of known crawlers whose target cannot be read.
    pub without_target: u64,
    /// Lines of known crawlers that request no path, such as `OPTIONS *` and `CONNECT`. No
    /// robots.txt covers them.
    pub without_path: u64,
    /// Lines that are empty or describe the log itself.
    pub without_request: u64,
    /// Lines longer than 1 MiB.
    pub too_long: u64,
    /// Lines that do not match the format of the log or have no time.
    pub not_read: u64,
    /// The lines in `not_read` of known crawlers whose time cannot be read.
    pub without_time: u64,
    /// The lines in `too_long` and `not_read` that may be from known crawlers, because they contain
    /// the name of one or were skipped.
    pub unread_of_crawlers: u64,
    /// The first lines that could not be read.
    pub first_not_read: Vec<LinePlace>,
    /// When the first and the last request of a known crawler occurred.
    #[serde(flatten)]
    pub span: Span,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LinePlace {
    /// The name of the log.
    pub log: String,
    /// The line number, from 1.
    pub line: u64,
    /// The problem.
    pub problem: &'static str,
}

impl LogTotals {
    /// Counts a request without rules.
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
