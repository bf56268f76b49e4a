//! `HeadIndex`: the rules whose heads a target can have together with another head.

use std::ops::Range;

use crate::alphabet::Symbol;

/// The heads of rules in their order, and the place of each rule.
pub(crate) struct HeadIndex<'h> {
    heads: Vec<(&'h [Symbol], usize)>,
}

impl<'h> HeadIndex<'h> {
    pub(crate) fn new(heads: impl Iterator<Item = &'h [Symbol]>) -> Self {
        let mut heads: Vec<_> = heads
            .enumerate()
            .map(|(place, head)| (head, place))
            .collect();
        heads.sort_unstable();
        Self { heads }
    }

    /// The places of the rules whose head starts with `head`, or that `head` starts with.
    pub(crate) fn compatible_with(&self, head: &[Symbol]) -> impl Iterator<Item = usize> {
        let mut ranges: Vec<_> = (0..head.len())
            .map(|len| {
                let prefix = &head[..len];
                self.range(|other| other < prefix, |other| other <= prefix)
            })
            .collect();
        ranges.push(self.range(
            |other| other < head,
            |other| other < head || other.starts_with(head),
        ));
        let heads = ranges.into_iter().flat_map(|range| &self.heads[range]);
        heads.map(|&(_, place)| place)
    }

    /// From where `before` ends to where `until` does.
    fn range(
        &self,
        before: impl Fn(&[Symbol]) -> bool,
        until: impl Fn(&[Symbol]) -> bool,
    ) -> Range<usize> {
        let start = self.heads.partition_point(|(head, _)| before(head));
        start..self.heads.partition_point(|(head, _)| until(head))
    }
}
