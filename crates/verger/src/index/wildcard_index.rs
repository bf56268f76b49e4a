//! `WildcardIndex`: an n-gram index of the rules with `*`.
//!
//! *Idea.* A rule can only match if all its fragments occur in the target. So each rule is listed
//! under one *n-gram*, four bytes of one of its fragments (or two bytes of a shorter one), and only
//! the lists whose n-grams occur in the target are read. The n-gram is the one that the fewest
//! rules of the policy share, because a common one (`.php`, `?sor`) rules out little. A rule
//! without any n-gram is compared every time.
//!
//! If even the rarest n-gram of a rule is common but its literal head is not
//! (`/2021/fr/search/*/more`), the rule is *attached* to the head in the literal index, which
//! returns the list if the head is a prefix of the target.
//!
//! Each list is sorted by rank, visited once a question, and left at the first rule that cannot
//! improve the answer. The rules of longer lists are first tested against the set of the target's
//! triples of bytes, which is computed on first use. Each rule stores two triples that it needs,
//! from two fragments if it has two.
//!
//! A fragment with different forms for path and query contributes only what both have in common.
//!
//! *Invariant.* The target has every n-gram and triple of a matching rule, so a rule that is not
//! compared does not match.
//!
//! A listed rule takes 16 bytes.
//!
//! *Measured* (`bench/ablation.md`), in instructions: without triples, +44 % on J3 `j3_15000_mix`.
//! Without comparing texts of up to 32 bytes as one block, +8 % there and +4 % on `j3_50_mix`.
//! Without attached rules, +2 % on `j3_15000_mix`, and twice the time on the real file of
//! `unesco.org`. With equal rules kept in a list, 73 times as many on J5-hot.

use alloc::boxed::Box;
use alloc::vec::Vec;

use verger_simd::Masks;

use super::ngram::{Ngram, NgramCounts};
use super::ngram_table::NgramTable;
use super::ranking::{Rank, RankedRule, RankedRules};
use super::rule_pattern::RulePattern;
use super::triple_set::{Triple, TripleSet};
use super::visits::{List, Visits};
use crate::compare::byte_search::{Alignment, Haystack};
use crate::compare::bytes::ComparedTarget;
use crate::compare::path_pattern::Shape;
use crate::compare::plain_pattern::matches_short;
use crate::span::offset;

/// Above this number an n-gram is too common. 1 and 8 differ by less than 3 %.
const NGRAM_SHARED_MAX: u16 = 3;

/// Maximum number of rules attached to a head, and minimum length of a head in bytes.
const ATTACHED_MAX: usize = 12;
const HEAD_BYTES_MIN: usize = 4;

/// Up to this many rules are compared without testing triples first. Always collecting the triples
/// of the target takes 20 % more instructions on J3 `j3_50_mix`.
const FEW_RULES: u32 = 4;

#[derive(Clone, Copy, Debug)]
struct ListedRule {
    rank: Rank,
    text: u32,
    /// Triples that every match has.
    needs: [Triple; 2],
    /// The length of a short text that is itself compared.
    short_text: Option<u8>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct WildcardIndex {
    rules: Box<[ListedRule]>,
    always: List,
    long: NgramTable<4>,
    short: NgramTable<2>,
}

impl WildcardIndex {
    /// Returns the rules to attach to a head.
    pub(crate) fn new(
        by_rank: &[RankedRule<'_>],
        kept: RankedRules<'_>,
    ) -> (Self, Vec<AttachedRules>) {
        let has_wildcards = |rule: &RankedRule<'_>| rule.pattern.shape() == Shape::Wildcards;
        let wildcards = by_rank.iter().filter(|rule| has_wildcards(rule));
        let wildcards = wildcards.map(|rule| &rule.pattern);
        let count = wildcards.clone().count();
        if count == 0 {
            return (Self::default(), Vec::new());
        }
        let counts = NgramCounts::of(wildcards, count);
        let mut sorted = Sorted {
            long: Vec::with_capacity(count),
            ..Sorted::default()
        };
        for (rank, rule) in (0..).zip(by_rank).filter(|(_, rule)| has_wildcards(rule)) {
            let listed = ListedRule {
                rank,
                text: kept.text_start(rank),
                needs: needs(&rule.pattern),
                short_text: kept.short_text(rank),
            };
            match counts.rarest_gram(&rule.pattern) {
                None => sorted.always.push(listed),
                Some((ngram, count)) if count > NGRAM_SHARED_MAX => {
                    sorted.shared.push((ngram, listed));
                }
                Some((ngram, _)) => sorted.push(ngram, listed),
            }
        }
        let mut rules = Vec::with_capacity(count);
        let mut list = |of_list: &mut Vec<ListedRule>, listed: &mut Vec<ListedRule>| {
            let start = offset(listed.len());
            sort_list(of_list, by_rank);
            listed.append(of_list);
            let end = offset(listed.len());
            List { start, end }
        };
        let mut attached = Vec::new();
        sorted.take_attached(by_rank, |of_head| {
            let rank = of_head[0].rank;
            let list = list(of_head, &mut rules);
            attached.push(AttachedRules { rank, list });
        });
        let index = Self {
            always: list(&mut sorted.always, &mut rules),
            long: NgramTable::new(&sorted.long, &mut rules, &mut list),
            short: NgramTable::new(&sorted.short, &mut rules, &mut list),
            rules: rules.into_boxed_slice(),
        };
        (index, attached)
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        size_of_val(&*self.rules) + self.long.heap_bytes() + self.short.heap_bytes()
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    #[inline(always)]
    pub(crate) fn visit<M: Masks>(&self, masks: M, target: &[u8], visits: &mut Visits) {
        if !self.always.is_empty() {
            visits.note(self.always);
        }
        self.long.visit(masks, target, visits);
        self.short.visit(masks, target, visits);
    }

    /// Returns the best rank among `best` and the matching rules.
    #[inline(always)]
    pub(crate) fn best<M: Masks>(
        &self,
        masks: M,
        visits: &Visits,
        question: WildcardQuestion<'_>,
        mut best: Rank,
    ) -> Rank {
        let rules = visits.lists().map(|list| list.end - list.start);
        let are_few = rules.sum::<u32>() <= FEW_RULES;
        let bytes = question.target.bytes();
        let mut triples = TripleSet::default();
        for list in visits.lists() {
            for rule in &self.rules[list.start as usize..list.end as usize] {
                if rule.rank >= best {
                    break;
                }
                let may_match = are_few || triples.of(bytes).has_both(rule.needs);
                if may_match && rule.matches(masks, question) {
                    best = rule.rank;
                    break;
                }
            }
        }
        best
    }
}

/// Rules that share a head. `rank` belongs to any of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttachedRules {
    pub(crate) rank: Rank,
    pub(crate) list: List,
}

#[derive(Default)]
struct Sorted {
    always: Vec<ListedRule>,
    long: Vec<(Ngram, ListedRule)>,
    short: Vec<(Ngram, ListedRule)>,
    /// Rules with a common n-gram, unless attached to a head.
    shared: Vec<(Ngram, ListedRule)>,
}

impl Sorted {
    fn push(&mut self, ngram: Ngram, rule: ListedRule) {
        match ngram {
            Ngram::Four(_) => self.long.push((ngram, rule)),
            Ngram::Two(_) => self.short.push((ngram, rule)),
        }
    }

    /// Passes rules with a rare head to `attach`.
    fn take_attached(
        &mut self,
        by_rank: &[RankedRule<'_>],
        mut attach: impl FnMut(&mut Vec<ListedRule>),
    ) {
        let shared = core::mem::take(&mut self.shared);
        let head = |(_, rule): &(Ngram, ListedRule)| by_rank[rule.rank as usize].pattern.head();
        let mut by_head: Vec<(&[u8], u32)> = shared.iter().map(head).zip(0..).collect();
        by_head.sort_unstable();
        let mut few = Vec::with_capacity(ATTACHED_MAX);
        for of_head in by_head.chunk_by(|(left, _), (right, _)| left == right) {
            let is_long = of_head[0].0.len() >= HEAD_BYTES_MIN;
            let rules = of_head.iter().map(|(_, at)| shared[*at as usize]);
            if is_long && of_head.len() <= ATTACHED_MAX {
                few.extend(rules.map(|(_, rule)| rule));
                attach(&mut few);
                few.clear();
            } else {
                rules.for_each(|(ngram, rule)| self.push(ngram, rule));
            }
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct WildcardQuestion<'q> {
    pub(crate) target: Haystack<'q>,
    pub(crate) compared: &'q ComparedTarget<'q>,
    pub(crate) alignment: Alignment,
    pub(crate) rules: RankedRules<'q>,
}

impl ListedRule {
    #[inline(always)]
    fn matches<M: Masks>(&self, masks: M, question: WildcardQuestion<'_>) -> bool {
        let WildcardQuestion {
            target,
            compared,
            alignment,
            rules,
        } = question;
        let text = rules.texts_from(self.text);
        if let (Some(length), Some(block)) = (self.short_text, text.first_chunk())
            && let Some(answer) =
                matches_short(masks, block, usize::from(length), target, alignment)
        {
            return answer;
        }
        rules.matches(masks, self.rank, target, compared, alignment)
    }
}

/// Returns the last triple of the first run and the first triple of the last run. Ignores runs
/// shorter than three bytes.
fn needs(pattern: &RulePattern<'_>) -> [Triple; 2] {
    let mut ends: Option<[&[u8]; 2]> = None;
    pattern.for_each_run(|fragment| {
        if fragment.len() >= 3 {
            let first = ends.map_or(fragment, |[first, _]| first);
            ends = Some([first, fragment]);
        }
    });
    let first_of = |text: &[u8]| text.first_chunk().map_or(Triple::ANY, |at| Triple::of(*at));
    let last_of = |text: &[u8]| text.last_chunk().map_or(Triple::ANY, |at| Triple::of(*at));
    match ends {
        None => [Triple::ANY; 2],
        Some([first, last]) => [last_of(first), first_of(last)],
    }
}

/// Keeps only the best-ranked of rules with equal texts, in longer lists.
fn sort_list(list: &mut Vec<ListedRule>, by_rank: &[RankedRule<'_>]) {
    if list.len() > FEW_RULES as usize {
        let rule = |listed: &ListedRule| &by_rank[listed.rank as usize];
        list.sort_unstable_by(|left, right| {
            let by_text = rule(left).text.cmp(rule(right).text);
            by_text.then(left.rank.cmp(&right.rank))
        });
        list.dedup_by(|next, best| rule(next).text == rule(best).text);
    }
    list.sort_unstable_by_key(|rule| rule.rank);
}
