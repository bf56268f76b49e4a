//! `RuleIndex`: the rule that decides about a target, found without comparing every rule.
//!
//! The reference is `path_match.rs`; both give the same answer to every question, which the
//! laws and the fuzz targets hold them to. What makes the rules comparable is their *rank*: all
//! rules of a policy, sorted by precedence once, so that the best rank among those that match
//! decides, whatever the dialect calls precedence.
//!
//! | rules | where they are kept | compared when |
//! |---|---|---|
//! | without `*` | `LiteralIndex`, by their text | the text is a prefix of the target |
//! | with `*` | `WildcardIndex`, by an n-gram | the n-gram occurs in the target |
//! | with `*` and a head of their own | in a list attached to the head in the `LiteralIndex` | the head is a prefix of the target |
//!
//! Both refer to the rules in `KeptRules`, which has their texts once, and all of it lies in a few
//! rows. Few rules may be compared one after the other instead (`few_rules.rs`). A question is one kernel,
//! and allocates only where more than 16 lists come into question.

use alloc::boxed::Box;
use alloc::vec::Vec;

use verger_simd::{Kernel, Masks, dispatch};

use super::few_rules::{FEW_RULES_MAX, first_match, prepared};
use super::kept_rules::{KeptRules, NO_RANK, Rank, RankedRule};
use super::literal_index::{Literal, LiteralIndex, LiteralMatch, LiteralStands};
use super::ranking::ranked_rules;
use super::rule_pattern::RulePattern;
use super::visits::Visits;
use super::wildcard_index::{AttachedRules, WildcardIndex, WildcardQuestion};
use crate::allocated_octets::allocated_octets;
use crate::compare::octet_search::Room;
use crate::compare::path_pattern::{PathPattern, Shape};
use crate::dialect::{Comparison, Reading};
use crate::group_match::GroupMatch;
use crate::verdict::{AppliedGroup, PolicyRule, RuleId, Verdict};

/// Rules, and what finds the one that decides.
#[derive(Clone, Debug)]
pub(crate) struct RuleIndex {
    rules: KeptRules,
    comparison: Comparison,
    /// None where there are few rules and each is compared.
    finder: Option<Box<Finder>>,
}

/// Finds rules of many.
#[derive(Clone, Debug)]
struct Finder {
    literals: LiteralIndex,
    wildcards: WildcardIndex,
}

impl RuleIndex {
    /// Builds the index of the rules that apply to a crawler; of none where no group applies to it.
    pub(crate) fn new(group_match: Option<&GroupMatch<'_, '_>>, reading: &Reading) -> Self {
        let by_rank = group_match.map_or_else(Vec::new, |found| ranked_rules(found, reading));
        let mut rules = KeptRules::new(&by_rank);
        let (wildcards, attached) = WildcardIndex::new(&by_rank, &rules);
        let literals = LiteralIndex::new(literals(&by_rank, &attached), &mut rules);
        let finder = Finder {
            literals,
            wildcards,
        };
        Self {
            rules: rules.with_compiled(by_rank),
            comparison: reading.comparison,
            finder: Some(Box::new(finder)),
        }
    }

    /// The same rules without what finds them, where they are few.
    pub(crate) fn compacted(self) -> Self {
        let is_few = self.len() <= FEW_RULES_MAX;
        Self {
            finder: self.finder.filter(|_| !is_few),
            ..self
        }
    }

    /// The rule of that rank alone, or none.
    pub(crate) fn only(&self, rank: Option<Rank>) -> Self {
        Self {
            rules: self.rules.only(rank),
            comparison: self.comparison,
            finder: None,
        }
    }

    /// The rank of the rule that decides about `target`; `None` where none matches.
    #[inline]
    pub(crate) fn deciding(&self, target: &[u8]) -> Option<Rank> {
        let Self {
            rules, comparison, ..
        } = self;
        let comparison = *comparison;
        let best = match &self.finder {
            Some(finder) => dispatch(AskFinder {
                rules,
                comparison,
                finder,
                target,
            }),
            None => dispatch(AskEach {
                rules,
                comparison,
                target,
            }),
        };
        (best != NO_RANK).then_some(best)
    }

    pub(crate) fn heap_octets(&self) -> usize {
        let finder = self.finder.as_ref().map_or(0, |finder| {
            let Finder {
                literals,
                wildcards,
            } = &**finder;
            allocated_octets(size_of::<Finder>()) + literals.heap_octets() + wildcards.heap_octets()
        });
        self.rules.heap_octets() + finder
    }

    /// How many rules there are.
    pub(crate) fn len(&self) -> usize {
        self.rules.len()
    }

    /// The rule of that rank.
    pub(crate) fn rule(&self, rank: Rank) -> PolicyRule<'_> {
        self.rules.rule(rank)
    }

    /// The pattern of the rule of that rank in its comparison form.
    pub(crate) fn pattern(&self, rank: Rank) -> Option<PathPattern> {
        self.rules.pattern(rank, self.comparison)
    }

    /// The verdict where the rule of that rank decides.
    #[inline]
    pub(crate) fn verdict(&self, rank: Rank, group: AppliedGroup) -> Verdict {
        let (effect, line) = self.rules.effect_and_line(rank);
        Verdict::by_rule(RuleId::of_rank(rank), effect, line, group)
    }
}

struct AskEach<'q> {
    rules: &'q KeptRules,
    comparison: Comparison,
    target: &'q [u8],
}

impl Kernel for AskEach<'_> {
    type Output = Rank;

    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the processor it runs on"
    )]
    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> Rank {
        first_match(masks, self.rules, self.comparison, self.target)
    }
}

struct AskFinder<'q> {
    rules: &'q KeptRules,
    comparison: Comparison,
    finder: &'q Finder,
    target: &'q [u8],
}

impl Kernel for AskFinder<'_> {
    type Output = Rank;

    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the processor it runs on"
    )]
    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> Rank {
        let Self { rules, target, .. } = self;
        let Finder {
            literals,
            wildcards,
        } = self.finder;
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
        let (target, alignment) = prepared(masks, self.comparison, target, &mut room);
        let question = WildcardQuestion {
            target,
            alignment,
            rules,
        };
        wildcards.best(masks, &visits, question, best)
    }
}

/// The rules without wildcards, and the heads to which others are attached.
fn literals<'p>(by_rank: &'p [RankedRule<'_>], attached: &[AttachedRules]) -> Vec<Literal<'p>> {
    let literal = |rank: Rank, matches| {
        let pattern = &by_rank[rank as usize].pattern;
        let stands = match pattern {
            RulePattern::Compiled(_) => LiteralStands::Nowhere,
            RulePattern::Prefix(_) | RulePattern::Whole(_) | RulePattern::Wildcards(_) => {
                LiteralStands::InTheRule
            }
        };
        Literal {
            text: pattern.head(),
            rank,
            matches,
            stands,
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
