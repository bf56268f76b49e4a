//! The records of a file, group by group, and where each belongs.

use verger::{Group, Record, RobotsTxt};

use super::values::{KINDS_OF_FILE, Value, values_for, values_of_file};
use crate::crawlers::resolved::ResolvedCrawler;

/// A file, and the crawler whose values are listed.
#[derive(Debug)]
pub struct Listing<'r> {
    /// The file.
    pub robots: &'r RobotsTxt,
    /// The crawler whose values are listed too.
    pub asked: Option<&'r ResolvedCrawler>,
}

/// The part of a file that a record applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The crawlers of the group that it belongs to.
    Group,
    /// The whole file, in whatever group it is.
    File,
    /// No crawler: it is outside of any group.
    NoCrawler,
}

impl<'r> Listing<'r> {
    /// Lists a file, and the values for a crawler.
    #[must_use]
    pub fn new(robots: &'r RobotsTxt, asked: Option<&'r ResolvedCrawler>) -> Self {
        Self { robots, asked }
    }

    /// Returns the scope of a record.
    #[must_use]
    pub fn scope(record: &Record<'_>) -> Scope {
        match record.kind() {
            kind if KINDS_OF_FILE.contains(&kind) => Scope::File,
            _ if group_of(record).is_some() => Scope::Group,
            _ => Scope::NoCrawler,
        }
    }

    /// The records of that scope, in file order.
    pub fn records_in(&self, scope: Scope) -> impl Iterator<Item = Record<'r>> {
        let records = self.robots.records();
        records.filter(move |record| Self::scope(record) == scope)
    }

    /// The values about the whole file, then those for the crawler.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        values_of_file(self.robots).chain(self.values_for_crawler())
    }

    /// The values for the crawler.
    #[must_use]
    pub fn values_for_crawler(&self) -> Vec<Value> {
        let crawler = self.asked.map(ResolvedCrawler::crawler);
        crawler.map_or_else(Vec::new, |crawler| values_for(self.robots, crawler))
    }
}

/// The number of the group that a record belongs to, counted from 0.
pub(super) fn group_of(record: &Record<'_>) -> Option<usize> {
    record.group().as_ref().map(Group::index)
}
