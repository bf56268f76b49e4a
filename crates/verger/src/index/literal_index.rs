//! `LiteralIndex`: finds the longest of many literal texts that is a prefix of a target, and the
//! best rank among all texts that are.
//!
//! *Idea.* The texts are sorted. The last text that is not greater than the target shares at least
//! as long a prefix with it as any text that is a prefix of the target. So one binary search finds
//! that text, and links from each text to its longest proper prefix lead to the rest. Each text
//! stores the best rank of itself and of all texts that it links to, so the first prefix found
//! decides.
//!
//! The search compares *keys*: the sixteen bytes after the initial slash, as one integer. Texts
//! with equal keys are compared byte by byte. A text costs a key and twelve bytes. Its bytes are
//! shared with the rule.
//!
//! *Invariant.* A walk over all texts finds the same rank.

use alloc::vec::Vec;

use super::ranking::{NO_RANK, Rank, RankedRules, Ranking};
use super::visits::{List, Visits};
use crate::compare::byte_search::first_bytes;
use crate::rows::rule_rows::RuleRows;
use crate::span::offset;

/// A text, and how its rule matches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Literal<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) rank: Rank,
    pub(crate) matches: LiteralMatch,
    pub(crate) bytes: TextPlace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LiteralMatch {
    AsPrefix,
    AsWhole,
    /// If the target starts with the text, the listed rules are compared.
    Attached(List),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextPlace {
    InTheRule,
    /// The index stores a copy.
    Nowhere,
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Slot {
    place: Place,
    length: u32,
    /// The longest text that is a proper prefix of this one.
    parent: u32,
}

#[derive(Clone, Copy, Debug)]
struct Place(u32);

enum PlaceKind {
    /// The best rank if the text is a prefix.
    Rule(Rank),
    Entry(usize),
}

impl Place {
    const ENTRY: u32 = 1 << 31;

    #[inline]
    fn kind(self) -> PlaceKind {
        match self.0 & Self::ENTRY {
            0 => PlaceKind::Rule(self.0),
            _ => PlaceKind::Entry((self.0 & !Self::ENTRY) as usize),
        }
    }
}

/// A text that no rule has, or for which the rank of its rule alone does not decide.
#[derive(Clone, Copy, Debug)]
struct Entry {
    text_start: u32,
    /// The best rank of the rules that match if this text, or one it links to, is a prefix of the
    /// target.
    as_prefix: Rank,
    as_whole: Rank,
    /// Rules with wildcards whose head is this text.
    attached: List,
}

/// Each text is empty or starts with a slash.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiteralIndex {
    /// In ascending order.
    keys: Vec<u128>,
    slots: Vec<Slot>,
    entries: Vec<Entry>,
    has_lists: bool,
}

impl LiteralIndex {
    /// Adds texts that no row has to the ranking.
    pub(crate) fn new(literals: &[Literal<'_>], rules: &RuleRows, ranking: &mut Ranking) -> Self {
        let mut index = Self::default();
        index.keys.reserve_exact(literals.len());
        index.slots.reserve_exact(literals.len());
        let keys = literals.iter().map(|literal| key_of(literal.text));
        let mut keyed: Vec<(u128, u32)> = keys.zip(0..).collect();
        keyed.sort_unstable();
        let mut prefixes: Vec<(u32, &[u8])> = Vec::new();
        let mut run = Vec::new();
        for of_key in keyed.chunk_by(|(left, _), (right, _)| left == right) {
            run.clear();
            run.extend(of_key.iter().map(|&(_, at)| literals[at as usize]));
            run.sort_unstable_by(|left, right| left.text.cmp(right.text));
            for same in run.chunk_by(|left, right| left.text == right.text) {
                let text = same[0].text;
                while prefixes
                    .pop_if(|(_, last)| !text.starts_with(last))
                    .is_some()
                {}
                let parent = prefixes.last().map_or(NONE, |(slot, _)| *slot);
                let place = index.place_of(same, parent, rules, ranking);
                prefixes.push((offset(index.slots.len()), text));
                index.keys.push(of_key[0].0);
                index.slots.push(Slot {
                    place,
                    length: offset(text.len()),
                    parent,
                });
            }
        }
        index.keys.shrink_to_fit();
        index.slots.shrink_to_fit();
        index.entries.shrink_to_fit();
        index
    }

    fn place_of(
        &mut self,
        same: &[Literal<'_>],
        parent: u32,
        rules: &RuleRows,
        ranking: &mut Ranking,
    ) -> Place {
        let best = |matches| {
            let of_kind = same.iter().filter(|literal| literal.matches == matches);
            of_kind.min_by_key(|literal| literal.rank)
        };
        let of_parent = self
            .slot(parent)
            .map_or(NO_RANK, |slot| self.as_prefix(slot));
        let prefix = best(LiteralMatch::AsPrefix).filter(|literal| literal.rank < of_parent);
        let whole = best(LiteralMatch::AsWhole);
        let attached = same.iter().find_map(|literal| match literal.matches {
            LiteralMatch::Attached(list) => Some(list),
            LiteralMatch::AsPrefix | LiteralMatch::AsWhole => None,
        });
        let in_a_rule = |literal: &&Literal<'_>| literal.bytes == TextPlace::InTheRule;
        if let (Some(literal), None, None) = (prefix.filter(in_a_rule), whole, attached) {
            return Place(literal.rank);
        }
        self.has_lists |= attached.is_some();
        self.entries.push(Entry {
            attached: attached.unwrap_or_default(),
            text_start: match same.iter().find(in_a_rule) {
                Some(literal) => rules.text_start(ranking.row(literal.rank)),
                None => ranking.add_text(same[0].text),
            },
            as_prefix: prefix.map_or(of_parent, |literal| literal.rank),
            as_whole: whole.map_or(NO_RANK, |literal| literal.rank),
        });
        Place(offset(self.entries.len() - 1) | Place::ENTRY)
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let slots = self.slots.capacity() * size_of::<Slot>();
        let keys = self.keys.capacity() * size_of::<u128>();
        slots + keys + self.entries.capacity() * size_of::<Entry>()
    }

    /// Notes the lists attached to prefixes. `target` must start with a slash.
    #[inline(always)]
    pub(crate) fn best(&self, target: &[u8], rules: RankedRules<'_>, visits: &mut Visits) -> Rank {
        let Some(slot) = self.longest_prefix(target, rules) else {
            return NO_RANK;
        };
        if self.has_lists {
            self.note_attached(slot, visits);
        }
        match slot.place.kind() {
            PlaceKind::Entry(at) if slot.length as usize == target.len() => {
                let entry = self.entries[at];
                entry.as_prefix.min(entry.as_whole)
            }
            _ => self.as_prefix(slot),
        }
    }

    #[inline]
    fn as_prefix(&self, slot: Slot) -> Rank {
        match slot.place.kind() {
            PlaceKind::Rule(rank) => rank,
            PlaceKind::Entry(at) => self.entries[at].as_prefix,
        }
    }

    #[inline]
    fn note_attached(&self, longest: Slot, visits: &mut Visits) {
        let mut next = Some(longest);
        while let Some(slot) = next {
            if let PlaceKind::Entry(at) = slot.place.kind() {
                let list = self.entries[at].attached;
                if !list.is_empty() {
                    visits.note(list);
                }
            }
            next = self.slot(slot.parent);
        }
    }

    #[inline(always)]
    fn longest_prefix(&self, target: &[u8], rules: RankedRules<'_>) -> Option<Slot> {
        let key = key_of(target);
        let mut after = self.keys.partition_point(|other| *other <= key);
        if self.keys[..after].last() == Some(&key) {
            let first = self.keys[..after].partition_point(|other| *other < key);
            let not_greater = |slot: &Slot| self.text(*slot, rules) <= target;
            after = first + self.slots[first..after].partition_point(not_greater);
        }
        let last = after.checked_sub(1)?;
        let mut slot = self.slots[last];
        let common = if self.keys[last] == key {
            common_bytes(self.text(slot, rules), target)
        } else {
            1 + (self.keys[last] ^ key).leading_zeros() as usize / 8
        };
        while slot.length as usize > common.min(target.len()) {
            slot = self.slot(slot.parent)?;
        }
        Some(slot)
    }

    #[inline]
    fn text<'r>(&self, slot: Slot, rules: RankedRules<'r>) -> &'r [u8] {
        let start = match slot.place.kind() {
            PlaceKind::Rule(rank) => rules.text_start(rank),
            PlaceKind::Entry(at) => self.entries[at].text_start,
        };
        &rules.texts_from(start)[..slot.length as usize]
    }

    #[inline]
    fn slot(&self, number: u32) -> Option<Slot> {
        self.slots.get(number as usize).copied()
    }
}

/// Returns the bytes after the first one, padded with zeros, as an integer that sorts alike.
#[inline(always)]
fn key_of(text: &[u8]) -> u128 {
    u128::from_be_bytes(first_bytes(text.get(1..).unwrap_or_default()))
}

#[inline]
fn common_bytes(left: &[u8], right: &[u8]) -> usize {
    let pairs = left.iter().zip(right);
    pairs.take_while(|(left, right)| left == right).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::ranking::RankedRule;
    use crate::index::rule_pattern::RulePattern;
    use crate::rows::rule_rows::GatheredRows;
    use alloc::string::String;
    use proptest::prelude::*;

    /// The first half matches as prefixes, the rest as whole targets. The bytes of every third text
    /// are stored in the index only.
    fn index<'t>(texts: &[&'t [u8]]) -> (LiteralIndex, RuleRows, Ranking) {
        let rule = |(row, text): (u32, &&'t [u8])| RankedRule {
            row,
            text,
            pattern: RulePattern::Prefix(text),
        };
        let by_rank: Vec<_> = (0..).zip(texts).map(rule).collect();
        let rules = GatheredRows::rows_of_texts(texts);
        let mut ranking = Ranking::new(&by_rank);
        let literals = (0..).zip(texts).map(|(rank, text)| Literal {
            text,
            rank,
            matches: matches(rank, texts.len()),
            bytes: if rank % 3 == 0 {
                TextPlace::Nowhere
            } else {
                TextPlace::InTheRule
            },
        });
        let index = LiteralIndex::new(&literals.collect::<Vec<_>>(), &rules, &mut ranking);
        (index, rules, ranking)
    }

    fn matches(rank: Rank, count: usize) -> LiteralMatch {
        if (rank as usize) < count / 2 {
            LiteralMatch::AsPrefix
        } else {
            LiteralMatch::AsWhole
        }
    }

    fn asked(index: &LiteralIndex, target: &[u8], rules: RankedRules<'_>) -> Rank {
        index.best(target, rules, &mut Visits::default())
    }

    fn best(texts: &[&[u8]], target: &[u8]) -> Rank {
        let applies = |rank: Rank, text: &[u8]| match matches(rank, texts.len()) {
            LiteralMatch::AsPrefix => target.starts_with(text),
            LiteralMatch::AsWhole => target == text,
            LiteralMatch::Attached(_) => false,
        };
        let mut ranks = (0..).zip(texts);
        ranks
            .find(|(rank, text)| applies(*rank, text))
            .map_or(NO_RANK, |(rank, _)| rank)
    }

    proptest! {
        #[test]
        fn the_best_rank_is_found_as_by_a_walk(
            texts in prop::collection::vec("(/(abababab|a\u{0}){0,3}[ab\u{0}]{0,12})?", 0..60),
            target in "/(abababab|a\u{0}){0,3}[ab\u{0}]{0,14}",
        ) {
            let texts: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
            let (index, rules, ranking) = index(&texts);
            let rules = ranking.of(&rules);
            let target = target.as_bytes();
            prop_assert_eq!(asked(&index, target, rules), best(&texts, target));
        }

        #[test]
        fn every_text_is_found_among_those_that_share_keys(
            texts in prop::collection::vec("/detail/(1234567890?)?[0-3]{0,5}", 1..200),
        ) {
            let texts: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
            let (index, rules, ranking) = index(&texts);
            let rules = ranking.of(&rules);
            for text in &texts {
                prop_assert_eq!(asked(&index, text, rules), best(&texts, text));
                let longer = [text, &b"7"[..]].concat();
                prop_assert_eq!(asked(&index, &longer, rules), best(&texts, &longer));
            }
        }
    }
}
