//! Sorts the rules of a policy by precedence, and compares them by that rank.
//!
//! The reference is `path_match.rs`, which sorts in the words of the documents. Here specificity,
//! effect and row form one integer, and a single sort suffices. The few rules that are not in
//! comparison form are compiled.

use alloc::boxed::Box;
use alloc::vec::Vec;

use verger_simd::{Masks, kernel};

use super::rule_pattern::RulePattern;
use crate::allocated_bytes::allocated_bytes;
use crate::compare::byte_search::{Alignment, BLOCK, Haystack};
use crate::compare::bytes::ComparedTarget;
use crate::compare::path_pattern::PathPattern;
use crate::compare::plain_pattern::PlainPattern;
use crate::compare::specificity::Specificity;
use crate::dialect::{Comparison, Precedence};
use crate::rows::rule_rows::{RowNumber, RuleRows};
use crate::span::offset;
use crate::verdict::Effect;

/// 0 takes precedence over all others.
pub(crate) type Rank = u32;

/// Comes after every rule.
pub(crate) const NO_RANK: Rank = Rank::MAX;

#[derive(Clone, Debug)]
pub(crate) struct RankedRule<'r> {
    pub(crate) row: RowNumber,
    pub(crate) text: &'r [u8],
    pub(crate) pattern: RulePattern<'r>,
}

pub(crate) fn ranked_rules(
    rows: &RuleRows,
    comparison: Comparison,
    precedence: Precedence,
) -> Vec<RankedRule<'_>> {
    let (mut places, mut rules) = patterns(rows, comparison, precedence);
    places.sort_unstable();
    let position = |place: &u64| usize::try_from(place & (AFTER_ALLOW - 1)).unwrap_or(0);
    let ranked = places.iter().map(position);
    ranked.filter_map(|at| rules.get_mut(at)?.take()).collect()
}

type Patterns<'r> = (Vec<u64>, Vec<Option<RankedRule<'r>>>);

kernel! {
    fn patterns<'r>(
        masks: M,
        rows: &'r RuleRows,
        comparison: Comparison,
        precedence: Precedence,
    ) -> Patterns<'r> {
        let mut places = Vec::with_capacity(rows.len());
        let mut rules = Vec::with_capacity(rows.len());
        for row in 0..offset(rows.len()) {
            let text = rows.text(row);
            let short = rows.window(row).filter(|window| text.len() <= window.len());
            let short =
                short.and_then(|window| RulePattern::of_short(masks, text, window, comparison));
            // Rules that cannot match anything have no row.
            if let Some((pattern, specificity)) =
                short.or_else(|| RulePattern::new(text, comparison).ok())
            {
                let at = offset(rules.len());
                places.push(place(precedence, specificity, rows.effect(row), at));
                rules.push(Some(RankedRule { row, text, pattern }));
            }
        }
        (places, rules)
    }
}

/// Sorts the first one first among equals.
fn place(precedence: Precedence, specificity: Specificity, effect: Effect, at: u32) -> u64 {
    let at = u64::from(at);
    match (precedence, effect) {
        (Precedence::FirstMatch, _) => at,
        (Precedence::MostSpecific, Effect::Allow) => less_specific(specificity) | at,
        (Precedence::MostSpecific, Effect::Disallow) => {
            less_specific(specificity) | AFTER_ALLOW | at
        }
    }
}

fn less_specific(specificity: Specificity) -> u64 {
    u64::from(u32::MAX - specificity.bytes()) << 32
}

/// Between specificity and position. A body always has fewer rules than that.
const AFTER_ALLOW: u64 = 1 << 31;

#[derive(Clone, Debug, Default)]
pub(crate) struct Ranking {
    /// The row, with [`COMPILED`] if the rule is compiled.
    rows: Box<[u32]>,
    compiled: Box<[(Rank, PathPattern)]>,
    more_texts: Vec<u8>,
}

const COMPILED: u32 = 1 << 31;

/// Marks a text that no row has.
const NO_ROW: u32 = 1 << 31;

impl Ranking {
    pub(crate) fn new(by_rank: &[RankedRule<'_>]) -> Self {
        let row = |rule: &RankedRule<'_>| match rule.pattern {
            RulePattern::Compiled(_) => rule.row | COMPILED,
            RulePattern::Prefix(_) | RulePattern::Whole(_) | RulePattern::Wildcards(_) => rule.row,
        };
        Self {
            rows: by_rank.iter().map(row).collect(),
            ..Self::default()
        }
    }

    /// Returns its start.
    pub(crate) fn add_text(&mut self, text: &[u8]) -> u32 {
        let start = offset(self.more_texts.len());
        self.more_texts.extend_from_slice(text);
        start | NO_ROW
    }

    /// No text may be added after that.
    pub(crate) fn with_compiled(mut self, by_rank: Vec<RankedRule<'_>>) -> Self {
        let compiled = (0..)
            .zip(by_rank)
            .filter_map(|(rank, rule)| match rule.pattern {
                RulePattern::Compiled(pattern) => Some((rank, *pattern)),
                RulePattern::Prefix(_) | RulePattern::Whole(_) | RulePattern::Wildcards(_) => None,
            });
        self.compiled = compiled.collect();
        self.more_texts.shrink_to_fit();
        self
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        let compiled = self.compiled.iter();
        let patterns: usize = compiled.map(|(_, pattern)| pattern.heap_bytes()).sum();
        allocated_bytes(size_of_val(&*self.rows))
            + allocated_bytes(self.more_texts.capacity())
            + allocated_bytes(size_of_val(&*self.compiled))
            + patterns
    }

    #[inline]
    pub(crate) fn row(&self, rank: Rank) -> RowNumber {
        self.rows[rank as usize] & !COMPILED
    }

    #[inline]
    pub(crate) fn of<'r>(&'r self, rows: &'r RuleRows) -> RankedRules<'r> {
        RankedRules {
            rows,
            ranking: self,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct RankedRules<'r> {
    rows: &'r RuleRows,
    ranking: &'r Ranking,
}

impl<'r> RankedRules<'r> {
    /// If a row has the text, there is at least one block.
    #[inline]
    pub(crate) fn texts_from(self, start: u32) -> &'r [u8] {
        if start & NO_ROW == 0 {
            &self.rows.bytes()[start as usize..]
        } else {
            &self.ranking.more_texts[(start & !NO_ROW) as usize..]
        }
    }

    #[inline]
    pub(crate) fn text_start(self, rank: Rank) -> u32 {
        self.rows.text_start(self.ranking.row(rank))
    }

    /// Returns the length if the text itself is compared and fits in a block.
    pub(crate) fn short_text(self, rank: Rank) -> Option<u8> {
        let bytes = self.text(rank).len();
        let is_short = bytes <= BLOCK && !self.is_compiled(rank);
        u8::try_from(bytes).ok().filter(|_| is_short)
    }

    #[inline]
    fn text(self, rank: Rank) -> &'r [u8] {
        self.rows.text(self.ranking.row(rank))
    }

    #[inline]
    fn is_compiled(self, rank: Rank) -> bool {
        self.ranking.rows[rank as usize] & COMPILED != 0
    }

    #[inline]
    pub(crate) fn matches<M: Masks>(
        self,
        masks: M,
        rank: Rank,
        target: Haystack<'_>,
        compared: &ComparedTarget<'_>,
        alignment: Alignment,
    ) -> bool {
        if self.is_compiled(rank) {
            return self.compiled_matches(rank, compared);
        }
        PlainPattern::of(self.text(rank)).matches(masks, target, alignment)
    }

    fn compiled_matches(self, rank: Rank, target: &ComparedTarget<'_>) -> bool {
        let compiled = &self.ranking.compiled;
        let at = compiled.binary_search_by_key(&rank, |(rank, _)| *rank);
        at.is_ok_and(|at| compiled[at].1.matches_form(target))
    }
}
