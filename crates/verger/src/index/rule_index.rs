//! `RuleIndex`: finds the deciding rule without comparing every rule.
//!
//! *Idea.* All rules of a policy are sorted by precedence once. The position of a rule is its
//! *rank*, and the best rank among the matching rules decides, whatever the dialect means by
//! precedence.
//!
//! | rules | stored in | compared if |
//! |---|---|---|
//! | without `*` | `LiteralIndex`, by their text | the text is a prefix of the target |
//! | with `*` | `WildcardIndex`, by an n-gram | the n-gram occurs in the target |
//! | with `*` and a head of their own | a list attached to the head in the `LiteralIndex` | the
//! head is a prefix of the target |
//!
//! *Invariant.* Every answer equals that of `path_match.rs`, the reference. Laws and fuzz targets
//! check this.
//!
//! Both indexes refer to the policy's rows, which hold the texts. A question is one kernel, and
//! allocates only if it visits more than 16 lists.

use alloc::vec::Vec;

use verger_simd::kernel;

use super::literal_index::{Literal, LiteralIndex, LiteralMatch, TextPlace};
use super::ranking::{NO_RANK, Rank, RankedRule, RankedRules, Ranking, ranked_rules};
use super::rule_pattern::RulePattern;
use super::visits::Visits;
use super::wildcard_index::{AttachedRules, WildcardIndex, WildcardQuestion};
use crate::compare::byte_search::{Alignment, Haystack, Room};
use crate::compare::bytes::ComparedTarget;
use crate::compare::path_pattern::Shape;
use crate::dialect::{Comparison, Precedence};
use crate::rows::rule_rows::{RowNumber, RuleRows};

#[derive(Clone, Debug)]
pub(crate) struct RuleIndex {
    ranking: Ranking,
    literals: LiteralIndex,
    wildcards: WildcardIndex,
}

impl RuleIndex {
    pub(crate) fn new(rows: &RuleRows, comparison: Comparison, precedence: Precedence) -> Self {
        let by_rank = ranked_rules(rows, comparison, precedence);
        let mut ranking = Ranking::new(&by_rank);
        let (wildcards, attached) = WildcardIndex::new(&by_rank, ranking.of(rows));
        let literals = LiteralIndex::new(&literals(&by_rank, &attached), rows, &mut ranking);
        Self {
            ranking: ranking.with_compiled(by_rank),
            literals,
            wildcards,
        }
    }

    /// `rows` must be the rows that the index was built from.
    #[inline]
    pub(crate) fn deciding(
        &self,
        rows: &RuleRows,
        comparison: Comparison,
        target: &ComparedTarget<'_>,
    ) -> Option<RowNumber> {
        let best = best_rank(self, self.ranking.of(rows), comparison, target);
        (best != NO_RANK).then(|| self.ranking.row(best))
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.ranking.heap_bytes() + self.literals.heap_bytes() + self.wildcards.heap_bytes()
    }
}

kernel! {
    #[inline]
    fn best_rank<'q>(
        masks: M,
        index: &'q RuleIndex,
        rules: RankedRules<'q>,
        comparison: Comparison,
        compared: &'q ComparedTarget<'q>,
    ) -> Rank {
        let RuleIndex { literals, wildcards, .. } = index;
        let target = compared.form;
        let mut visits = Visits::default();
        let best = literals.best(target, rules, &mut visits);
        if wildcards.is_empty() {
            return best;
        }
        wildcards.visit(masks, target, &mut visits);
        if visits.is_empty() {
            return best;
        }
        visits.finish();
        let mut room = Room::new();
        let target = Haystack::new(target, &mut room);
        // Without an escape, every byte starts a unit.
        let alignment = match comparison {
            Comparison::Units if target.has_byte(masks, b'%') => Alignment::Units,
            Comparison::Units | Comparison::Bytes | Comparison::DecodedBytes => Alignment::Bytes,
        };
        let question = WildcardQuestion { target, compared, alignment, rules };
        wildcards.best(masks, &visits, question, best)
    }
}

/// Includes the heads that have lists attached.
fn literals<'p>(by_rank: &'p [RankedRule<'_>], attached: &[AttachedRules]) -> Vec<Literal<'p>> {
    let literal = |rank: Rank, matches| {
        let pattern = &by_rank[rank as usize].pattern;
        let bytes = match pattern {
            RulePattern::Compiled(_) => TextPlace::Nowhere,
            RulePattern::Prefix(_) | RulePattern::Whole(_) | RulePattern::Wildcards(_) => {
                TextPlace::InTheRule
            }
        };
        Literal {
            text: pattern.head(),
            rank,
            matches,
            bytes,
        }
    };
    let mut literals = Vec::with_capacity(by_rank.len());
    for (rank, rule) in (0..).zip(by_rank) {
        match rule.pattern.shape() {
            Shape::Prefix => literals.push(literal(rank, LiteralMatch::AsPrefix)),
            Shape::Whole => literals.push(literal(rank, LiteralMatch::AsWhole)),
            Shape::Wildcards => {}
        }
    }
    let heads = attached.iter();
    literals.extend(
        heads.map(|attached| literal(attached.rank, LiteralMatch::Attached(attached.list))),
    );
    literals
}
