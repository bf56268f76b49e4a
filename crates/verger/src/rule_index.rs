//! `RuleIndex`: the rule that decides about a target, found without asking every rule.
//!
//! The plain twin is `path_match.rs`; both give the same answer to every question, which the
//! laws and the fuzz targets hold them to. What makes the rules comparable is their *rank*: all
//! rules of a policy, sorted by precedence once, so that the best rank among those that match
//! decides, whatever the dialect calls precedence.
//!
//! | rules | where they stand | asked when |
//! |---|---|---|
//! | without `*` | `LiteralIndex`, by their text | the text is a prefix of the target |
//! | with a literal head that few share | a list hung on the head's text in the `LiteralIndex` | the head is a prefix of the target |
//! | other wildcards | `WildcardIndex`, by a gram | the gram occurs in the target |
//!
//! Building compiles every rule, sorts the texts and counts grams: about 250 ns a rule, where asking
//! one rule plainly takes 4 to 20 ns. It pays back after some tens of questions; for fewer there is
//! `scan.rs`.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::gram::PairSet;
use crate::literal_index::{LiteralIndex, NO_RANK, Prefix, Rank};
use crate::path_pattern::{PathPattern, Shape};
use crate::span::offset;
use crate::wildcard_index::{List, WildcardIndex, WildcardRule};

/// So many rules with one literal head are hung on it; more of them tell too little apart.
const HUNG_MAX: usize = 6;

/// Rules, ready to be asked for the one that decides.
#[derive(Clone, Debug, Default)]
pub(crate) struct RuleIndex {
    texts: LiteralIndex,
    /// By position among the texts: rules that match where the text is the whole target.
    exact: Box<[(u32, Rank)]>,
    /// By position among the texts: rules with wildcards behind it.
    hung: Box<[(u32, List)]>,
    wildcards: WildcardIndex,
    has_wildcards: bool,
}

/// A literal text at the start of rules, and what hangs on it.
struct Head<'p> {
    text: &'p [u8],
    as_prefix: Rank,
    as_whole: Rank,
    wildcards: Vec<WildcardRule>,
}

impl RuleIndex {
    /// Builds the index; a rule's rank is its position.
    pub(crate) fn new(by_rank: &[PathPattern]) -> Self {
        let mut heads = heads(by_rank);
        let mut free = Vec::new();
        for head in &mut heads {
            keep_best_of_equal(&mut head.wildcards);
            let tells_too_little = head.text.len() < 2 || head.wildcards.len() > HUNG_MAX;
            if tells_too_little {
                free.append(&mut head.wildcards);
            }
        }
        heads.retain(|head| {
            let has_literal = head.as_prefix != NO_RANK || head.as_whole != NO_RANK;
            has_literal || !head.wildcards.is_empty()
        });
        let has_wildcards = !free.is_empty();
        let texts = LiteralIndex::new(heads.iter().map(|head| (head.text, head.as_prefix)));
        let mut exact = Vec::new();
        let mut hung_at = Vec::new();
        for (position, head) in heads.iter().enumerate() {
            if head.as_whole != NO_RANK {
                exact.push((offset(position), head.as_whole));
            }
            if !head.wildcards.is_empty() {
                hung_at.push(offset(position));
            }
        }
        let groups = heads
            .into_iter()
            .map(|head| head.wildcards)
            .filter(|group| !group.is_empty());
        let (wildcards, lists) = WildcardIndex::new(free, groups);
        Self {
            texts,
            exact: exact.into_boxed_slice(),
            hung: hung_at.into_iter().zip(lists).collect(),
            wildcards,
            has_wildcards,
        }
    }

    /// The rank of the rule that decides about `target`; `None` where none matches.
    #[inline]
    pub(crate) fn deciding(&self, target: &[u8]) -> Option<Rank> {
        let mut pairs = PairSet::default();
        let mut best = NO_RANK;
        if let Some(longest) = self.texts.longest_prefix(target) {
            best = self.texts.rank(longest);
            if self.texts.length(longest) == target.len() {
                best = best.min(of_position(&self.exact, longest).unwrap_or(NO_RANK));
            }
            if !self.hung.is_empty() {
                best = self.best_of_hung(longest, target, &mut pairs, best);
            }
        }
        if self.has_wildcards {
            best = self.wildcards.best(target, &mut pairs, best);
        }
        (best != NO_RANK).then_some(best)
    }

    fn best_of_hung(
        &self,
        longest: Prefix,
        target: &[u8],
        pairs: &mut PairSet,
        mut best: Rank,
    ) -> Rank {
        let mut next = Some(longest);
        while let Some(prefix) = next {
            if let Some(list) = of_position(&self.hung, prefix) {
                best = self.wildcards.best_of(list, target, pairs, best);
            }
            next = self.texts.next_shorter(prefix);
        }
        best
    }
}

/// Of rules that match the same targets keeps the one with the best rank.
fn keep_best_of_equal(rules: &mut Vec<WildcardRule>) {
    rules.sort_unstable_by(|left, right| {
        let by_forms = left.pattern.by_forms(&right.pattern);
        by_forms.then(left.rank.cmp(&right.rank))
    });
    rules.dedup_by(|next, best| next.pattern.by_forms(&best.pattern).is_eq());
}

/// What stands at a text's position in a list that is sorted by position.
#[inline]
fn of_position<V: Copy>(sorted: &[(u32, V)], prefix: Prefix) -> Option<V> {
    let at = sorted
        .binary_search_by_key(&prefix.position(), |(position, _)| *position as usize)
        .ok()?;
    Some(sorted[at].1)
}

/// The literal heads of all rules in ascending order, each with what hangs on it. The empty head
/// of rules that start with `*` comes first.
fn heads(by_rank: &[PathPattern]) -> Vec<Head<'_>> {
    let mut sorted: Vec<(&[u8], Rank)> = by_rank
        .iter()
        .zip(0..)
        .map(|(pattern, rank)| (pattern.head(), rank))
        .collect();
    sorted.sort_unstable();
    let mut heads: Vec<Head<'_>> = Vec::new();
    for (text, rank) in sorted {
        if heads.last().is_none_or(|last| last.text != text) {
            heads.push(Head {
                text,
                as_prefix: NO_RANK,
                as_whole: NO_RANK,
                wildcards: Vec::new(),
            });
        }
        let Some(head) = heads.last_mut() else {
            continue;
        };
        let pattern = &by_rank[rank as usize];
        match pattern.shape() {
            Shape::Prefix => head.as_prefix = head.as_prefix.min(rank),
            Shape::Whole => head.as_whole = head.as_whole.min(rank),
            Shape::Wildcards => head.wildcards.push(WildcardRule {
                pattern: pattern.clone(),
                rank,
            }),
        }
    }
    heads
}
