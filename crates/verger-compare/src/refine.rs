//! Finds a target that one or two policies decide as required.
//!
//! A policy of 15,000 rules is not run as 15,000 automata. Instead, a search finds the shortest
//! target that the rule in question matches, and the engine decides about it. If another rule takes
//! precedence, that rule joins the search as one that must not match, and the search is repeated.
//! Each round excludes all targets of one more rule, so the rounds end. Usually there are one or
//! two.

use verger::TargetPath;

use crate::alphabet::Alphabet;
use crate::budget::{Remaining, UsedUp};
use crate::pattern::{Pattern, ROBOTS_TXT};
use crate::search::shortest_target;
use crate::witness::Witness;

/// The engine's decision about a target.
pub(crate) enum Judgement<'p> {
    /// The target is decided as required.
    Sought,
    /// This rule takes precedence, so none of its targets is wanted.
    Without(&'p Pattern),
}

/// The targets to search for.
pub(crate) struct Sought<'p> {
    pub(crate) alphabet: &'static Alphabet,
    pub(crate) matching: Vec<&'p Pattern>,
    /// The pattern of `/robots.txt`, if no rule decides about it.
    pub(crate) exempt: Option<&'p Pattern>,
    /// Limit on the length of targets in bytes, exclusive.
    pub(crate) below: u32,
    /// Cost of a decision about a target, in states.
    pub(crate) decision_states: usize,
}

impl<'p> Sought<'p> {
    pub(crate) fn find(
        self,
        remaining: &mut Remaining,
        mut judge: impl FnMut(&TargetPath<'static>) -> Judgement<'p>,
    ) -> Result<Option<Witness>, UsedUp> {
        let mut others: Vec<&Pattern> = self.exempt.into_iter().collect();
        if let Some(witness) = self.plain_target() {
            remaining.visit(self.decision_states)?;
            match judge(witness.target()) {
                Judgement::Sought => return Ok(Some(witness)),
                Judgement::Without(pattern) => others.push(pattern),
            }
        }
        loop {
            let found = shortest_target(
                self.alphabet,
                &self.matching,
                &others,
                self.below,
                remaining,
            )?;
            let Some(symbols) = found else {
                return Ok(None);
            };
            let Some(target) = self.alphabet.target(&symbols) else {
                // Every step of a search belongs to a target.
                debug_assert!(false, "no target has {symbols:?}");
                return Err(UsedUp);
            };
            remaining.visit(self.decision_states)?;
            match judge(&target) {
                Judgement::Sought => return Ok(Some(Witness::new(target))),
                Judgement::Without(pattern) => {
                    if others.contains(&pattern) {
                        // The search excluded all targets of this rule.
                        debug_assert!(false, "{pattern:?} matches {target:?} for the engine");
                        return Err(UsedUp);
                    }
                    others.push(pattern);
                }
            }
        }
    }

    /// Returns the shortest target of a single pattern if it is known without a search: it is no
    /// longer than the lower bound.
    fn plain_target(&self) -> Option<Witness> {
        let [pattern] = self.matching[..] else {
            return None;
        };
        let least = pattern.least_bytes(self.alphabet);
        if least >= self.below {
            return None;
        }
        let target = pattern.plain_target(self.alphabet)?;
        let is_exempt = self.exempt.is_some() && target.as_bytes() == ROBOTS_TXT;
        let witness = Witness::new(target);
        (witness.bytes() == least && !is_exempt).then_some(witness)
    }
}
