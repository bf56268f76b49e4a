//! `HeadIndex`: finds the rules whose head is compatible with another head.

use std::iter::successors;

use crate::alphabet::Symbol;

/// The sorted heads of rules, with the place of each rule.
pub(crate) struct HeadIndex<'h> {
    heads: Vec<(&'h [Symbol], usize)>,
    /// For each head, the longest other head that is a prefix of it.
    prefixes: Vec<Option<usize>>,
}

impl<'h> HeadIndex<'h> {
    pub(crate) fn new(heads: impl Iterator<Item = &'h [Symbol]>) -> Self {
        let heads = heads.enumerate().map(|(place, head)| (head, place));
        let mut heads: Vec<_> = heads.collect();
        heads.sort_unstable();
        let mut open: Vec<usize> = Vec::new();
        let mut prefixes = Vec::with_capacity(heads.len());
        for (at, (head, _)) in heads.iter().enumerate() {
            while open
                .last()
                .is_some_and(|&top| !head.starts_with(heads[top].0))
            {
                open.pop();
            }
            prefixes.push(open.last().copied());
            open.push(at);
        }
        Self { heads, prefixes }
    }

    /// Returns the places of the rules whose head starts with `head`, or that `head` starts with.
    pub(crate) fn compatible_with(&self, head: &[Symbol]) -> impl Iterator<Item = usize> {
        let start = self.heads.partition_point(|(other, _)| *other < head);
        let is_before_end = |other: &[Symbol]| other < head || other.starts_with(head);
        let end = self
            .heads
            .partition_point(|(other, _)| is_before_end(other));
        // Every head between a prefix of `head` and `head` itself starts with that prefix.
        let last = start.checked_sub(1);
        let common = last.map_or(0, |at| {
            let pairs = self.heads[at].0.iter().zip(head);
            pairs.take_while(|(left, right)| left == right).count()
        });
        let beginnings = successors(last, |&at| self.prefixes[at]);
        let mut places: Vec<usize> = beginnings
            .filter(|&at| self.heads[at].0.len() <= common)
            .collect();
        places.reverse();
        places
            .into_iter()
            .chain(start..end)
            .map(|at| self.heads[at].1)
    }
}

#[cfg(test)]
mod tests {
    use verger::dialect::Comparison;

    use super::*;
    use crate::alphabet::Alphabet;

    #[test]
    fn heads_are_compatible_if_one_starts_with_the_other() {
        let alphabet = Alphabet::of(Comparison::Bytes);
        let texts = ["/a", "", "/", "/ab", "/b", "/ab", "/abc/d", "/ac", "/a/"];
        let heads = texts.map(|text| alphabet.symbols(text.as_bytes()));
        let index = HeadIndex::new(heads.iter().map(Vec::as_slice));
        for text in texts
            .into_iter()
            .chain(["/abc", "/abcd", "/0", "x", "/abc/", "/c"])
        {
            let head = alphabet.symbols(text.as_bytes());
            let mut found: Vec<usize> = index.compatible_with(&head).collect();
            found.sort_unstable();
            let expected = texts.iter().enumerate();
            let expected =
                expected.filter(|(_, other)| other.starts_with(text) || text.starts_with(**other));
            assert_eq!(
                found,
                expected.map(|(place, _)| place).collect::<Vec<_>>(),
                "{text}"
            );
        }
    }
}
