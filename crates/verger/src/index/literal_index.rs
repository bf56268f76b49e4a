//! `LiteralIndex`: of many literal texts the longest that is a prefix of a target, and the best
//! rank among all that are.
//!
//! The texts stand in ascending order. The last one that is not greater than the target shares a
//! longer prefix with it than any other text that is a prefix of the target; so a search finds that
//! one, and links from there, each to the longest text that is a proper prefix, find the rest. Each
//! text has the best rank of itself and of all it links to, so that the first one decides.
//!
//! Sought are *keys*, eight octets as a number. They are taken where texts differ: behind the slash
//! with which all of them start, and of many texts with one key behind what those have in common,
//! in a *node* of their own. So ten thousand rules `/detail/…` are found as fast as others, and
//! few texts of a node share a key. A text costs a key and twelve octets; its own octets are those
//! of the rule.

mod builder;
mod key;
mod slot;

use alloc::vec::Vec;

pub(crate) use builder::{Literal, LiteralMatch, LiteralStands};

use super::ranked_rules::{RankedRules, Ranking};
use super::ranking::{NO_RANK, Rank};
use super::visits::Visits;
use crate::rows::rule_rows::RuleRows;
use builder::Builder;
use key::{common_octets, common_octets_of_keys, key_at, keys_up_to};
use slot::{Node, PlaceKind, Rows, Slot};

/// Texts, each of which starts with a slash or is empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct LiteralIndex {
    rows: Rows,
}

/// A slot, and how many octets its text and the target have in common at least.
#[derive(Clone, Copy)]
struct Near {
    slot: Slot,
    common: usize,
}

impl LiteralIndex {
    /// Builds the index. Texts that no row has are added to the ranking.
    pub(crate) fn new(literals: Vec<Literal<'_>>, rules: &RuleRows, ranking: &mut Ranking) -> Self {
        let rows = Builder::new(rules, ranking).build(literals);
        Self { rows }
    }

    pub(crate) fn heap_octets(&self) -> usize {
        self.rows.heap_octets()
    }

    /// The best rank of the rules whose text is a prefix of `target`, which starts with a slash, or
    /// the whole of it. Notes the lists that are attached on a prefix.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn best(&self, target: &[u8], rules: RankedRules<'_>, visits: &mut Visits) -> Rank {
        let Some(slot) = self.longest_prefix(target, rules) else {
            return NO_RANK;
        };
        if self.rows.has_lists {
            self.note_attached(slot, visits);
        }
        match slot.place.kind() {
            PlaceKind::Rule(rank) => rank,
            PlaceKind::Entry(at) => {
                let entry = self.rows.entries[at];
                if slot.length as usize == target.len() {
                    entry.as_prefix.min(entry.as_whole)
                } else {
                    entry.as_prefix
                }
            }
            PlaceKind::Node(_) => NO_RANK,
        }
    }

    /// Notes what is attached to a text and on those it links to.
    #[inline]
    fn note_attached(&self, longest: Slot, visits: &mut Visits) {
        let mut next = Some(longest);
        while let Some(slot) = next {
            if let PlaceKind::Entry(at) = slot.place.kind() {
                let list = self.rows.entries[at].attached;
                if !list.is_empty() {
                    visits.note(list);
                }
            }
            next = self.rows.slot(slot.parent);
        }
    }

    /// The slot of the longest text that is a prefix of `target`.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn longest_prefix(&self, target: &[u8], rules: RankedRules<'_>) -> Option<Slot> {
        let mut node = *self.rows.nodes.first()?;
        loop {
            let Some(near) = self.last_not_greater(node, target, rules) else {
                return self.rows.slot(node.parent);
            };
            let PlaceKind::Node(inner) = near.slot.place.kind() else {
                return self.prefix_within(near, target);
            };
            let text = self.rows.text(near.slot, rules);
            if !target.starts_with(text) {
                let common = common_octets(text, target);
                let parent = self.rows.slot(near.slot.parent)?;
                return self.prefix_within(
                    Near {
                        slot: parent,
                        common,
                    },
                    target,
                );
            }
            node = self.rows.nodes[inner];
        }
    }

    /// The last slot of a node whose text or texts are not greater than `target`, which starts as
    /// all texts of the node do.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn last_not_greater(&self, node: Node, target: &[u8], rules: RankedRules<'_>) -> Option<Near> {
        let (start, end) = (node.start as usize, node.end as usize);
        let (keys, slots) = (&self.rows.keys[start..end], &self.rows.slots[start..end]);
        let depth = node.depth as usize;
        let key = key_at(target, depth);
        let mut after = keys_up_to(keys, key);
        loop {
            let at = after.checked_sub(1)?;
            let slot = slots[at];
            if keys[at] != key {
                let common = depth + common_octets_of_keys(keys[at], key);
                return Some(Near { slot, common });
            }
            if matches!(slot.place.kind(), PlaceKind::Node(_)) {
                return Some(Near {
                    slot,
                    common: depth,
                });
            }
            // Few texts share a key.
            let text = self.rows.text(slot, rules);
            let common = depth + common_octets(&text[depth..], target.get(depth..)?);
            if text.get(common) <= target.get(common) {
                return Some(Near { slot, common });
            }
            after = at;
        }
    }

    /// The longest text that is a prefix of `target`, from one that goes on otherwise.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn prefix_within(&self, near: Near, target: &[u8]) -> Option<Slot> {
        let common = near.common.min(target.len());
        let mut slot = near.slot;
        while slot.length as usize > common {
            slot = self.rows.slot(slot.parent)?;
        }
        Some(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::ranking::RankedRule;
    use crate::index::rule_pattern::RulePattern;
    use crate::rows::rule_rows::GatheredRows;
    use alloc::string::String;
    use proptest::prelude::*;

    /// Texts by rank: the first half matches as prefixes, the rest as whole targets; of each third
    /// the octets are nowhere but in the index.
    fn index<'t>(texts: &[&'t [u8]]) -> (LiteralIndex, RuleRows, Ranking) {
        let rule = |(row, text): (u32, &&'t [u8])| RankedRule {
            row,
            text,
            pattern: RulePattern::Prefix(text),
        };
        let by_rank: Vec<_> = (0..).zip(texts).map(rule).collect();
        let rules = GatheredRows::of_texts(texts).into_rows();
        let mut ranking = Ranking::new(&by_rank);
        let literals = (0..).zip(texts).map(|(rank, text)| Literal {
            text,
            rank,
            matches: matches(rank, texts.len()),
            stands: if rank % 3 == 0 {
                LiteralStands::Nowhere
            } else {
                LiteralStands::InTheRule
            },
        });
        let index = LiteralIndex::new(literals.collect(), &rules, &mut ranking);
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

    /// The same, as a walk over all texts finds it.
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
