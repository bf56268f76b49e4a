//! A target that a policy, or two, decide about as is wanted.
//!
//! A policy of 15,000 rules is not run as 15,000 automata. The shortest target that the rule in
//! question matches is sought, and the engine decides about it. Where another rule takes precedence,
//! that rule joins the search as one that must not match, and the search is made again. Each round
//! excludes all targets of one rule more, so the rounds end; mostly there are one or two.

use verger::TargetPath;

use crate::alphabet::Alphabet;
use crate::budget::{Remaining, UsedUp};
use crate::pattern::{Pattern, ROBOTS_TXT};
use crate::search::shortest_target;
use crate::witness::Witness;

/// What the engine says of a target.
pub(crate) enum Judgement<'p> {
    /// It is decided as is wanted.
    Sought,
    /// This rule takes precedence, of which no target is wanted.
    Without(&'p Pattern),
}

/// Which targets are sought.
pub(crate) struct Sought<'p> {
    pub(crate) alphabet: &'static Alphabet,
    /// All of these match.
    pub(crate) matching: Vec<&'p Pattern>,
    /// `/robots.txt`, where no rule decides about it.
    pub(crate) exempt: Option<&'p Pattern>,
    /// Targets of so many bytes or more are not wanted.
    pub(crate) below: u32,
    /// A decision about a target costs as much as visiting so many states.
    pub(crate) decision_states: usize,
}

impl<'p> Sought<'p> {
    /// The shortest one of which `judge` says that it is decided as is wanted.
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
                // The steps of a search are those of targets.
                debug_assert!(false, "no target has {symbols:?}");
                return Err(UsedUp);
            };
            remaining.visit(self.decision_states)?;
            match judge(&target) {
                Judgement::Sought => return Ok(Some(Witness::new(target))),
                Judgement::Without(pattern) => {
                    if others.contains(&pattern) {
                        // It matches nothing that is searched any more.
                        debug_assert!(false, "{pattern:?} matches {target:?} for the engine");
                        return Err(UsedUp);
                    }
                    others.push(pattern);
                }
            }
        }
    }

    /// The shortest target of the only pattern that is to match, where it is known without a search:
    /// it has no byte more than every target of it has.
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
