use std::collections::BTreeMap;

use serde::Serialize;
use verger_access::Timestamp;

use super::robots_requests::RobotsRequest;
use super::span::Span;
use crate::rules::{Period, RuleLine};

const LINES_MAX: usize = 200;

const SAMPLES_MAX: usize = 3;

/// Disallowed requests by rule.
#[derive(Clone, Debug, Default)]
pub struct DisallowedLines {
    /// By authority, start of the robots.txt in force, and rule.
    by_line: BTreeMap<(String, Option<Timestamp>, RuleLine), DisallowedLine>,
    others: u64,
}

/// A rule, and the requests that it disallows.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DisallowedLine {
    /// The authority of the robots.txt. Empty if the log does not name it.
    pub authority: String,
    /// The line number in that file, from 1. `None` if the status of robots.txt disallows the
    /// requests.
    pub line: Option<u32>,
    /// The rule in canonical form.
    pub rule: String,
    /// The SHA-256 of that robots.txt, or `None` if there is no file.
    pub robots_sha256: Option<String>,
    /// When it was in force.
    #[serde(flatten)]
    pub in_force: Period,
    /// Number of requests that it disallowed.
    pub requests: u64,
    /// When the first and the last of them occurred.
    #[serde(flatten)]
    pub span: Span,
    /// The first requests, at most three.
    pub samples: Vec<Sample>,
}

/// A request, and its position in the log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Sample {
    /// The name of the log.
    pub log: String,
    /// The line number in the log, from 1.
    pub log_line: u64,
    /// The time of the request.
    pub time: String,
    /// The client address, truncated to its network in an anonymous report.
    pub address: Option<String>,
    /// Path and query, printable, at most 200 characters.
    pub target: String,
    /// The crawler's newest request for robots.txt that precedes this request in the log.
    pub robots_request: Option<RobotsRequest>,
}

impl DisallowedLines {
    /// Counts a request. `room` is how many more rules may be counted individually over all
    /// crawlers. `sample` is called only if the sample will be shown.
    pub(crate) fn count(
        &mut self,
        (authority, in_force, line): (&str, Period, RuleLine),
        time: Timestamp,
        room: &mut usize,
        sample: impl FnOnce() -> Sample,
    ) {
        let key = (authority.to_owned(), in_force.from, line);
        if !self.by_line.contains_key(&key) {
            if self.by_line.len() >= LINES_MAX || *room == 0 {
                self.others += 1;
                return;
            }
            *room -= 1;
        }
        let made = DisallowedLine {
            authority: key.0.clone(),
            line: key.2.line,
            rule: key.2.text.clone(),
            robots_sha256: key.2.robots.map(|hash| hash.to_string()),
            in_force,
            requests: 0,
            span: Span::default(),
            samples: Vec::new(),
        };
        let counted = self.by_line.entry(key).or_insert(made);
        counted.requests += 1;
        counted.span.extend_to(time);
        if counted.samples.len() < SAMPLES_MAX {
            counted.samples.push(sample());
        }
    }

    /// Returns the rules, most requests first.
    #[must_use]
    pub fn by_requests(&self) -> Vec<&DisallowedLine> {
        let mut lines: Vec<_> = self.by_line.values().collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.requests));
        lines
    }

    /// Returns the number of requests disallowed by further rules. The first 200 rules of a crawler
    /// are counted individually, up to 5,000 for all crawlers with the same check result.
    #[must_use]
    pub fn others(&self) -> u64 {
        self.others
    }
}
