use verger::{Group, Record, RobotsTxt};

use super::values::{KINDS_OF_FILE, Value, values_for, values_of_file};
use verger_crawlers::ResolvedCrawler;

/// A file, and a crawler whose values to list.
#[derive(Debug)]
pub struct Listing<'r> {
    /// The file.
    pub robots: &'r RobotsTxt,
    /// The crawler, if any.
    pub asked: Option<&'r ResolvedCrawler>,
}

/// The part of a file that a record applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The crawlers of its group.
    Group,
    /// The whole file, no matter which group contains it.
    File,
    /// No crawler, because it is outside any group.
    NoCrawler,
}

impl<'r> Listing<'r> {
    /// Lists a file and the values for a crawler.
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

    /// Returns the records with this scope, in file order.
    pub fn records_in(&self, scope: Scope) -> impl Iterator<Item = Record<'r>> {
        let records = self.robots.records();
        records.filter(move |record| Self::scope(record) == scope)
    }

    /// Returns the values for the whole file, then those for the crawler.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        values_of_file(self.robots).chain(self.values_for_crawler())
    }

    /// Returns the values for the crawler.
    #[must_use]
    pub fn values_for_crawler(&self) -> Vec<Value> {
        let crawler = self.asked.map(ResolvedCrawler::crawler);
        crawler.map_or_else(Vec::new, |crawler| values_for(self.robots, crawler))
    }
}

/// Returns the index of the record's group, from 0.
pub(super) fn group_of(record: &Record<'_>) -> Option<usize> {
    record.group().as_ref().map(Group::index)
}
