//! The rules of a policy in the order of their precedence.
//!
//! The reference is `path_match.rs`, which sorts by the documents' words. Here a rule's place is
//! one number: its specificity, its effect and its row, sorted at once.

use alloc::vec::Vec;

use verger_simd::{Kernel, Masks, dispatch};

use super::rule_pattern::RulePattern;
use crate::compare::specificity::Specificity;
use crate::dialect::{Comparison, Precedence};
use crate::rows::rule_rows::{RowNumber, RuleRows};
use crate::span::offset;
use crate::verdict::Effect;

/// Where a rule is in the order of precedence of its policy; 0 takes precedence over all.
pub(crate) type Rank = u32;

/// A rank after every rule's.
pub(crate) const NO_RANK: Rank = Rank::MAX;

/// A rule on its way into an index.
#[derive(Clone, Debug)]
pub(crate) struct RankedRule<'r> {
    pub(crate) row: RowNumber,
    pub(crate) text: &'r [u8],
    pub(crate) pattern: RulePattern<'r>,
}

/// The rules; those that take precedence first.
pub(crate) fn ranked_rules(
    rows: &RuleRows,
    comparison: Comparison,
    precedence: Precedence,
) -> Vec<RankedRule<'_>> {
    let (mut places, mut rules) = dispatch(ReadRows {
        rows,
        comparison,
        precedence,
    });
    places.sort_unstable();
    let position = |place: &u64| usize::try_from(place & (AFTER_ALLOW - 1)).unwrap_or(0);
    let ranked = places.iter().map(position);
    ranked.filter_map(|at| rules.get_mut(at)?.take()).collect()
}

/// Finds the pattern of each row, and what sorts it.
struct ReadRows<'r> {
    rows: &'r RuleRows,
    comparison: Comparison,
    precedence: Precedence,
}

impl<'r> Kernel for ReadRows<'r> {
    type Output = (Vec<u64>, Vec<Option<RankedRule<'r>>>);

    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the processor it runs on"
    )]
    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> Self::Output {
        let Self {
            rows, comparison, ..
        } = self;
        let mut places = Vec::with_capacity(rows.len());
        let mut rules = Vec::with_capacity(rows.len());
        for row in 0..offset(rows.len()) {
            let text = rows.text(row);
            let short = rows.window(row).filter(|window| text.len() <= window.len());
            let short =
                short.and_then(|window| RulePattern::of_short(masks, text, window, comparison));
            // What can match nothing has no row.
            if let Some((pattern, specificity)) =
                short.or_else(|| RulePattern::new(text, comparison).ok())
            {
                let at = offset(rules.len());
                places.push(place(self.precedence, specificity, rows.effect(row), at));
                rules.push(Some(RankedRule { row, text, pattern }));
            }
        }
        (places, rules)
    }
}

/// What sorts rules. Of equals the first is named.
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
    u64::from(u32::MAX - specificity.octets()) << 32
}

/// A bit between specificity and position: a body has fewer rules than it counts.
const AFTER_ALLOW: u64 = 1 << 31;
