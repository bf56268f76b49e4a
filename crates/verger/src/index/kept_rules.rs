//! `KeptRules`: the rules of a policy by rank, in a few rows: effect, line and text of each, and
//! what is needed to match one.
//!
//! A rule costs eight octets and its text. Texts stand one after the other in one row; a rule is
//! compared by its text where that is its own comparison form, which it mostly is. The other rules
//! are compiled, in a row of their own.

use alloc::boxed::Box;
use alloc::vec::Vec;

use verger_simd::Masks;

use super::rule_pattern::RulePattern;
use crate::allocated_octets::allocated_octets;
use crate::compare::octet_search::{Alignment, BLOCK, Haystack};
use crate::compare::path_pattern::PathPattern;
use crate::compare::plain_pattern::{PlainPattern, matches_short};
use crate::dialect::Comparison;
use crate::span::{LineNumber, offset};
use crate::verdict::{Effect, PolicyRule};

/// Where a rule stands in the order of precedence of its policy; 0 takes precedence over all.
pub(crate) type Rank = u32;

/// A rank behind every rule's.
pub(crate) const NO_RANK: Rank = Rank::MAX;

/// A rule on its way into a policy.
#[derive(Clone, Debug)]
pub(crate) struct RankedRule<'r> {
    pub(crate) effect: Effect,
    pub(crate) line: LineNumber,
    pub(crate) written: &'r [u8],
    pub(crate) pattern: RulePattern<'r>,
}

#[derive(Clone, Copy, Debug)]
struct Kept {
    /// Where its text starts; it ends where the next one starts.
    text: u32,
    facts: Facts,
}

/// Effect, form and line of a rule. Lines take 30 bits: a body has fewer octets.
#[derive(Clone, Copy, Debug)]
struct Facts(u32);

/// What of a rule is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    Text,
    Compiled,
}

impl Facts {
    const ALLOWS: u32 = 1 << 31;
    const COMPILED: u32 = 1 << 30;

    fn new(effect: Effect, compared: Compared, line: LineNumber) -> Self {
        let allows = match effect {
            Effect::Allow => Self::ALLOWS,
            Effect::Disallow => 0,
        };
        let compiled = match compared {
            Compared::Compiled => Self::COMPILED,
            Compared::Text => 0,
        };
        Self(allows | compiled | (line.get() - 1))
    }

    fn effect(self) -> Effect {
        if self.0 & Self::ALLOWS == 0 {
            Effect::Disallow
        } else {
            Effect::Allow
        }
    }

    fn compared(self) -> Compared {
        if self.0 & Self::COMPILED == 0 {
            Compared::Text
        } else {
            Compared::Compiled
        }
    }

    fn line(self) -> LineNumber {
        LineNumber::behind(self.0 & !(Self::ALLOWS | Self::COMPILED))
    }
}

/// What a comparison of a rule with the start of a target shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StartMatch {
    /// The rule does not match.
    RulesOut,
    /// The rule matches.
    Matches,
    /// The rule matches as far as its first `*`.
    Wildcard,
    /// Nothing.
    Unclear,
}

/// Rules by rank.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptRules {
    /// By rank, and one more that ends the last.
    kept: Box<[Kept]>,
    /// The texts of the rules, and behind them those that only an index needs.
    texts: Vec<u8>,
    /// By rank.
    compiled: Box<[(Rank, PathPattern)]>,
}

impl KeptRules {
    /// Keeps effects, lines and texts of the rules.
    pub(crate) fn new(by_rank: &[RankedRule<'_>]) -> Self {
        let octets: usize = by_rank.iter().map(|rule| rule.written.len()).sum();
        let mut texts = Vec::with_capacity(octets + BLOCK);
        let mut kept = Vec::with_capacity(by_rank.len() + 1);
        for rule in by_rank {
            let compared = match rule.pattern {
                RulePattern::Compiled(_) => Compared::Compiled,
                RulePattern::Prefix(_) | RulePattern::Whole(_) | RulePattern::Wildcards(_) => {
                    Compared::Text
                }
            };
            kept.push(Kept {
                text: offset(texts.len()),
                facts: Facts::new(rule.effect, compared, rule.line),
            });
            texts.extend_from_slice(rule.written);
        }
        kept.push(Kept {
            text: offset(texts.len()),
            facts: Facts(0),
        });
        Self {
            kept: kept.into_boxed_slice(),
            texts,
            compiled: Box::default(),
        }
    }

    /// Appends a text that no rule has, and returns where it starts.
    pub(crate) fn add_text(&mut self, text: &[u8]) -> u32 {
        let start = offset(self.texts.len());
        self.texts.extend_from_slice(text);
        start
    }

    /// The same rules, with the patterns of those that were compiled; no text is added any more.
    pub(crate) fn with_compiled(mut self, by_rank: Vec<RankedRule<'_>>) -> Self {
        let compiled = (0..)
            .zip(by_rank)
            .filter_map(|(rank, rule)| match rule.pattern {
                RulePattern::Compiled(pattern) => Some((rank, *pattern)),
                RulePattern::Prefix(_) | RulePattern::Whole(_) | RulePattern::Wildcards(_) => None,
            });
        self.compiled = compiled.collect();
        // A block can be read wherever a text starts.
        self.texts.extend_from_slice(&[0; BLOCK]);
        self.texts.shrink_to_fit();
        self
    }

    /// The rule of that rank alone, or none.
    pub(crate) fn only(&self, rank: Option<Rank>) -> Self {
        let rule = rank.map(|rank| (self.kept[rank as usize].facts, self.written(rank)));
        let mut texts = rule.map_or_else(Vec::new, |(_, written)| written.to_vec());
        let end = Kept {
            text: offset(texts.len()),
            facts: Facts(0),
        };
        let rule = rule.map(|(facts, _)| Kept { text: 0, facts });
        let compiled = self.compiled.iter();
        let compiled = compiled.filter(|(other, _)| Some(*other) == rank);
        texts.extend_from_slice(&[0; BLOCK]);
        Self {
            kept: rule.into_iter().chain([end]).collect(),
            texts,
            compiled: compiled.map(|(_, pattern)| (0, pattern.clone())).collect(),
        }
    }

    pub(crate) fn heap_octets(&self) -> usize {
        let compiled = self.compiled.iter();
        let patterns: usize = compiled.map(|(_, pattern)| pattern.heap_octets()).sum();
        allocated_octets(size_of_val(&*self.kept))
            + allocated_octets(self.texts.capacity())
            + allocated_octets(size_of_val(&*self.compiled))
            + patterns
    }

    /// How many rules there are.
    pub(crate) fn len(&self) -> usize {
        self.kept.len().saturating_sub(1)
    }

    /// All texts, one after the other.
    #[inline]
    pub(crate) fn texts(&self) -> &[u8] {
        &self.texts
    }

    /// Where the text of a rule starts.
    #[inline]
    pub(crate) fn text_start(&self, rank: Rank) -> u32 {
        self.kept[rank as usize].text
    }

    #[inline]
    fn written(&self, rank: Rank) -> &[u8] {
        let end = self.kept[rank as usize + 1].text;
        &self.texts[self.text_start(rank) as usize..end as usize]
    }

    /// The rule of that rank.
    pub(crate) fn rule(&self, rank: Rank) -> PolicyRule<'_> {
        let (effect, line) = self.effect_and_line(rank);
        PolicyRule {
            effect,
            line,
            pattern: self.written(rank),
        }
    }

    #[inline]
    pub(crate) fn effect_and_line(&self, rank: Rank) -> (Effect, LineNumber) {
        let facts = self.kept[rank as usize].facts;
        (facts.effect(), facts.line())
    }

    /// The pattern of a rule in its comparison form.
    pub(crate) fn pattern(&self, rank: Rank, comparison: Comparison) -> Option<PathPattern> {
        match self.compared(rank) {
            Compared::Text => PathPattern::new(self.written(rank), comparison).ok(),
            Compared::Compiled => self.compiled(rank).cloned(),
        }
    }

    /// Octets of a rule's text where its text is compared and has no more than a block.
    pub(crate) fn short_text(&self, rank: Rank) -> Option<u8> {
        let octets = self.written(rank).len();
        let is_short = octets <= BLOCK && self.compared(rank) == Compared::Text;
        u8::try_from(octets).ok().filter(|_| is_short)
    }

    #[inline]
    fn compared(&self, rank: Rank) -> Compared {
        self.kept[rank as usize].facts.compared()
    }

    /// How many ranks there are.
    #[inline]
    pub(crate) fn count(&self) -> Rank {
        offset(self.len())
    }

    /// Compares a rule with the start of the target, which is filled up with zeros and has zeros in
    /// place of `*` and `$`, so that what is special in a rule differs from it.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn compare_start<M: Masks>(
        &self,
        masks: M,
        rank: Rank,
        target: &[u8; 16],
    ) -> StartMatch {
        let written = self.written(rank);
        let start = self.text_start(rank) as usize;
        let block = self.texts.get(start..).and_then(<[u8]>::first_chunk);
        let Some(block) = block.filter(|_| self.compared(rank) == Compared::Text) else {
            return StartMatch::Unclear;
        };
        let mismatch = (masks.differs(block, target) | 1 << 16).trailing_zeros() as usize;
        match written.get(mismatch..).unwrap_or_default() {
            [] => StartMatch::Matches,
            _ if mismatch >= target.len() => StartMatch::Unclear,
            // A `*` at the very end matches whatever follows.
            [b'*'] => StartMatch::Matches,
            [b'*', b'*', ..] | [b'$', ..] => StartMatch::Unclear,
            [b'*', ..] => StartMatch::Wildcard,
            _ => StartMatch::RulesOut,
        }
    }

    /// Whether a rule matches whose head does, and which has a star behind it.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn matches_behind_head<M: Masks>(
        &self,
        masks: M,
        rank: Rank,
        target: Haystack<'_>,
        alignment: Alignment,
    ) -> bool {
        let text = self.texts.get(self.text_start(rank) as usize..);
        let length = self.written(rank).len();
        let block = text
            .and_then(<[u8]>::first_chunk)
            .filter(|_| length <= BLOCK);
        let short = block.and_then(|block| matches_short(masks, block, length, target, alignment));
        short.unwrap_or_else(|| self.matches(masks, rank, target, alignment))
    }

    /// Whether a rule of which nothing is special matches.
    pub(crate) fn is_prefix(&self, rank: Rank, target: &[u8]) -> bool {
        match self.compared(rank) {
            Compared::Text => target.starts_with(self.written(rank)),
            Compared::Compiled => self.compiled_matches(rank, target),
        }
    }

    /// Whether a rule matches.
    #[inline]
    pub(crate) fn matches<M: Masks>(
        &self,
        masks: M,
        rank: Rank,
        target: Haystack<'_>,
        alignment: Alignment,
    ) -> bool {
        match self.compared(rank) {
            Compared::Text => {
                PlainPattern::of(self.written(rank)).matches(masks, target, alignment)
            }
            Compared::Compiled => self.compiled_matches(rank, target.octets()),
        }
    }

    fn compiled_matches(&self, rank: Rank, target: &[u8]) -> bool {
        self.compiled(rank)
            .is_some_and(|pattern| pattern.matches(target))
    }

    fn compiled(&self, rank: Rank) -> Option<&PathPattern> {
        let at = self.compiled.binary_search_by_key(&rank, |(rank, _)| *rank);
        Some(&self.compiled[at.ok()?].1)
    }
}
