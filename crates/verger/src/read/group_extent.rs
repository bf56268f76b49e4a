//! Where groups stand among the records of a tree.
//!
//! Each record knows what it did to the groups ([`GroupStep`]), so that no list of groups is kept:
//! a group is a record that opened one and those that joined it right behind. A walk over all
//! groups looks at each record once.

use core::iter::FusedIterator;
use core::ops::Range;

use crate::read::group::GroupStep;
use crate::read::kept_record::KeptRecord;
use crate::span::offset;

/// A group, as the range of the records that belong to it; the first one is a user-agent line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupExtent {
    start: u32,
    end: u32,
}

impl GroupExtent {
    /// The group that the record at `start` opened.
    pub(crate) fn opened_at(start: usize, records: &[KeptRecord]) -> Self {
        let behind = &records[start + 1..];
        let joined = behind
            .iter()
            .position(|record| record.step() != GroupStep::Joined);
        let end = start + 1 + joined.unwrap_or(behind.len());
        Self {
            start: offset(start),
            end: offset(end),
        }
    }

    /// Indices of its records.
    pub(crate) fn records(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Walks the groups of a tree from both ends.
#[derive(Clone, Debug)]
pub(crate) struct GroupExtents<'r> {
    records: &'r [KeptRecord],
    /// The records between both ends.
    between: Range<usize>,
    /// How many groups stand there.
    left: usize,
}

impl<'r> GroupExtents<'r> {
    /// All groups, of which there are `count`.
    pub(crate) fn of(records: &'r [KeptRecord], count: usize) -> Self {
        Self {
            records,
            between: 0..records.len(),
            left: count,
        }
    }
}

fn opens(record: &KeptRecord) -> bool {
    record.step() == GroupStep::Opened
}

impl Iterator for GroupExtents<'_> {
    type Item = GroupExtent;

    fn next(&mut self) -> Option<GroupExtent> {
        self.left = self.left.checked_sub(1)?;
        let between = &self.records[self.between.clone()];
        let start = self.between.start + between.iter().position(opens)?;
        let extent = GroupExtent::opened_at(start, self.records);
        self.between.start = extent.records().end;
        Some(extent)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl DoubleEndedIterator for GroupExtents<'_> {
    fn next_back(&mut self) -> Option<GroupExtent> {
        self.left = self.left.checked_sub(1)?;
        let between = &self.records[self.between.clone()];
        let start = self.between.start + between.iter().rposition(opens)?;
        self.between.end = start;
        Some(GroupExtent::opened_at(start, self.records))
    }
}

impl ExactSizeIterator for GroupExtents<'_> {}

impl FusedIterator for GroupExtents<'_> {}

#[cfg(test)]
mod tests {
    use crate::dialect::Dialect;
    use crate::read::robots_txt::RobotsTxt;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    /// The first lines of the groups, and how many records they have.
    fn groups(body: &str, dialect: Dialect) -> Vec<(u32, usize)> {
        let robots = RobotsTxt::parse(body, dialect);
        let forwards: Vec<_> = robots.groups().collect();
        let shape = |group: &crate::read::robots_txt::Group<'_>| {
            (group.line().get(), group.records().count())
        };
        let expected: Vec<_> = forwards.iter().map(shape).collect();
        assert_eq!(robots.groups().len(), expected.len());
        let mut backwards: Vec<_> = robots.groups().rev().map(|group| shape(&group)).collect();
        backwards.reverse();
        assert_eq!(backwards, expected);
        let mut walk = robots.groups();
        let mut from_both_ends = Vec::new();
        let mut of_the_end = Vec::new();
        while let Some(group) = walk.next() {
            from_both_ends.push(shape(&group));
            of_the_end.extend(walk.next_back().map(|group| shape(&group)));
        }
        assert!(walk.next_back().is_none());
        from_both_ends.extend(of_the_end.into_iter().rev());
        assert_eq!(from_both_ends, expected);
        expected
    }

    #[test]
    fn what_joined_no_group_belongs_to_none() {
        let body = "Allow: /\nUser-agent: a\nx: y\nUser-agent: b\nAllow: /\n\nAllow: /b\n\
                    User-agent: c\nDisallow: /\nUser-agent: d";
        assert_eq!(groups(body, Dialect::Rfc9309), [(2, 5), (8, 2), (10, 1)]);
        assert_eq!(groups(body, Dialect::Koster1996), [(2, 4), (8, 2), (10, 1)]);
        assert_eq!(groups("Allow: /", Dialect::Rfc9309), []);
    }

    proptest! {
        #[test]
        fn walks_from_either_end_meet_the_same_groups(body in "(u:a\n|user-agent:a\n|allow:/\n|\n){0,30}") {
            for dialect in Dialect::ALL {
                groups(&body, dialect);
            }
        }
    }
}
