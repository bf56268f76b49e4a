//! `DisallowedLines`: disallowed requests by the line that disallows them.

use std::collections::BTreeMap;

use serde::Serialize;
use verger_access::Timestamp;

use super::robots_requests::RobotsRequest;
use super::span::Span;
use crate::rules::{InForce, RuleLine};

/// How many lines are counted one by one for a crawler.
const LINES_MAX: usize = 200;

/// How many requests are shown for a line.
const SAMPLES_MAX: usize = 3;

/// Disallowed requests by the line that disallows them.
#[derive(Clone, Debug, Default)]
pub struct DisallowedLines {
    /// By authority, when the robots.txt came into force, and line.
    by_line: BTreeMap<(String, Option<Timestamp>, RuleLine), DisallowedLine>,
    others: u64,
}

/// A line, and the requests that it disallows.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DisallowedLine {
    /// The authority whose robots.txt has it; empty where the log does not say it.
    pub authority: String,
    /// Its number in that file at the time of the requests, counted from 1; `None` where no line
    /// disallows them but the status of robots.txt.
    pub line: Option<u32>,
    /// The rule as it would be written.
    pub rule: String,
    /// The SHA-256 of that robots.txt; `None` where there is no file.
    pub robots_sha256: Option<String>,
    /// Since when and until when it was in force.
    #[serde(flatten)]
    pub in_force: InForce,
    /// How many requests it disallowed.
    pub requests: u64,
    /// When the first and the last were.
    #[serde(flatten)]
    pub span: Span,
    /// The first of them, at most three.
    pub samples: Vec<Sample>,
}

/// A request, and where the log has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Sample {
    /// The name of the log.
    pub log: String,
    /// The line of the log, counted from 1.
    pub log_line: u64,
    /// When it was.
    pub time: String,
    /// The address that it came from; shortened to its network where a report is to be anonymous.
    pub address: Option<String>,
    /// Path and query, legible, at most 200 characters.
    pub target: String,
    /// The newest request of the crawler for robots.txt that the log had before this one.
    pub robots_request: Option<RobotsRequest>,
}

impl DisallowedLines {
    /// Counts a request that the line of a robots.txt disallows, which was in force then. `room` is how many more
    /// lines there may be, those of other crawlers included; `sample` is made where it will be shown.
    pub(crate) fn count(
        &mut self,
        (authority, in_force, line): (&str, InForce, RuleLine),
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

    /// The lines, those with the most requests first.
    #[must_use]
    pub fn by_requests(&self) -> Vec<&DisallowedLine> {
        let mut lines: Vec<_> = self.by_line.values().collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.requests));
        lines
    }

    /// The requests that further lines disallowed: the first 200 are counted one by one, and 5,000 of all
    /// crawlers whose requests are checked with one result.
    #[must_use]
    pub fn others(&self) -> u64 {
        self.others
    }
}
