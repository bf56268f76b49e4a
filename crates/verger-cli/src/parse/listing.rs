//! The records of a file, group by group, and where each belongs.

use std::collections::BTreeMap;

use verger::{Group, LineNumber, Record, RecordKind, RobotsTxt};

/// A file, and which record belongs to which group.
pub(super) struct Listing<'r> {
    pub(super) robots: &'r RobotsTxt,
    group_of: BTreeMap<LineNumber, usize>,
}

/// What a record is said about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The crawlers of the group in which it stands.
    Group,
    /// The whole file, whatever group it stands in.
    File,
    /// Nobody: it stands outside of any group.
    Nobody,
}

impl<'r> Listing<'r> {
    pub(super) fn of(robots: &'r RobotsTxt) -> Self {
        let lines = |(index, group): (usize, Group<'r>)| {
            group.records().map(move |record| (record.line(), index))
        };
        Self {
            robots,
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
            _ => Scope::Nobody,
        }
    }

    /// The records of that scope, in file order.
    pub(super) fn records_in(&self, scope: Scope) -> impl Iterator<Item = Record<'r>> {
        let records = self.robots.records();
        records.filter(move |record| self.scope(record) == scope)
    }
}
