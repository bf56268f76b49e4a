//! The records of a file, group by group, and where each belongs.

use std::collections::BTreeMap;

use verger::{Group, LineNumber, Record, RecordKind, RobotsTxt};
use verger_answer::ResolvedCrawler;

use super::values::{Value, values_for, values_of_file};

/// A file, and which record belongs to which group.
pub(super) struct Listing<'r> {
    pub(super) robots: &'r RobotsTxt,
    /// The crawler whose values are listed too.
    pub(super) asked: Option<&'r ResolvedCrawler>,
    group_of: BTreeMap<LineNumber, usize>,
}

/// What a record is said about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The crawlers of the group in which it stands.
    Group,
    /// The whole file, in whatever group it is.
    File,
    /// No crawler: it is outside of any group.
    NoCrawler,
}

impl<'r> Listing<'r> {
    pub(super) fn of(robots: &'r RobotsTxt, asked: Option<&'r ResolvedCrawler>) -> Self {
        let lines = |(index, group): (usize, Group<'r>)| {
            group.records().map(move |record| (record.line(), index))
        };
        Self {
            robots,
            asked,
            group_of: robots.groups().enumerate().flat_map(lines).collect(),
        }
    }

    /// The number of the group in which a record stands, counted from 0.
    pub(super) fn group_of(&self, record: &Record<'_>) -> Option<usize> {
        self.group_of.get(&record.line()).copied()
    }

    pub(super) fn scope(&self, record: &Record<'_>) -> Scope {
        match record.kind() {
            RecordKind::Sitemap
            | RecordKind::Host
            | RecordKind::CleanParam
            | RecordKind::License => Scope::File,
            _ if self.group_of(record).is_some() => Scope::Group,
            _ => Scope::NoCrawler,
        }
    }

    /// The records of that scope, in file order.
    pub(super) fn records_in(&self, scope: Scope) -> impl Iterator<Item = Record<'r>> {
        let records = self.robots.records();
        records.filter(move |record| self.scope(record) == scope)
    }

    /// The values about the whole file, then those for the crawler.
    pub(super) fn values(&self) -> Vec<Value> {
        let mut values = values_of_file(self.robots);
        values.extend(self.values_for_crawler());
        values
    }

    /// The values for the crawler.
    pub(super) fn values_for_crawler(&self) -> Vec<Value> {
        let crawler = self.asked.map(ResolvedCrawler::crawler);
        crawler.map_or_else(Vec::new, |crawler| values_for(self.robots, crawler))
    }
}
