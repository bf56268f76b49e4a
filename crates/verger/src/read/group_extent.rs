//! Where groups stand among the records of a tree.
//!
//! A tree keeps the index of the record that opened each group. The records that joined it follow
//! right after; a record that joined none is before the first group or, in `koster1996`,
//! after the joined ones.

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
    /// The group of that number, of those that the records at `starts` opened; it must exist.
    ///
    /// Takes constant time where every record after the first group joined one, as in all
    /// dialects but `koster1996`; there O(log records).
    pub(crate) fn nth(nth: usize, starts: &[u32], records: &[KeptRecord]) -> Self {
        let start = starts[nth];
        let next = starts
            .get(nth + 1)
            .map_or(records.len(), |&next| next as usize);
        let after = &records[start as usize + 1..next];
        let has_joined = |record: &KeptRecord| record.step() == GroupStep::Joined;
        let joined = match after.last() {
            Some(last) if !has_joined(last) => after.partition_point(has_joined),
            _ => after.len(),
        };
        let end = start + 1 + offset(joined);
        Self { start, end }
    }

    /// What it has in common with `records`; `None` where that is nothing.
    pub(crate) fn part(self, records: &Range<usize>) -> Option<Self> {
        let start = self.start.max(offset(records.start));
        let end = self.end.min(offset(records.end));
        (start < end).then_some(Self { start, end })
    }

    /// Indices of its records.
    pub(crate) fn records(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

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
            for &dialect in Dialect::ALL {
                groups(&body, dialect);
            }
        }
    }
}
