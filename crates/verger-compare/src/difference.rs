//! `Difference`: the targets that two policies decide differently.
//!
//! If they differ about a target, then some rule, or the default allow, decides in the first, and
//! another one with the opposite effect decides in the second. Each such pair is one question:
//! which targets do both match, and no rule that takes precedence in either? At least one of the
//! two is not common to both lists, so a small change leaves few pairs.

use std::fmt;

use verger::{Effect, RuleId, TargetPath};

use crate::budget::{Budget, Remaining, UsedUp};
use crate::common_rules::{ListedRule, RuleList};
use crate::head_index::HeadIndex;
use crate::pattern::{Pattern, ROBOTS_TXT};
use crate::policy_set::{ComparedRule, PolicySet};
use crate::refine::{Judgement, Sought};
use crate::witness::{Found, Witness};

/// The difference between two policies, with a witness in each direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    newly_disallowed: Found,
    newly_allowed: Found,
}

/// The policies compare rules and targets in different ways, so a target of one may not be a target
/// of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DifferentComparisons;

impl fmt::Display for DifferentComparisons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the policies were read in dialects that compare in different ways")
    }
}

impl std::error::Error for DifferentComparisons {}

impl Difference {
    /// Compares two policies. Each direction gets the whole budget.
    ///
    /// ```
    /// use verger::{Crawler, Dialect, RobotsTxt};
    /// use verger_compare::{Budget, Difference, PolicySet};
    ///
    /// let policy = |body| RobotsTxt::parse(body, Dialect::Rfc9309).policy(&Crawler::unnamed());
    /// let before = policy("User-agent: *\nDisallow: /shop\n");
    /// let after = policy("User-agent: *\nDisallow: /shop/*\nDisallow: /shop$\n");
    /// let (before, after) = (PolicySet::new(&before), PolicySet::new(&after));
    /// let difference = Difference::between(&before, &after, Budget::default())?;
    /// assert!(difference.newly_disallowed().is_proven_absent());
    /// let witness = difference.newly_allowed().witness().unwrap();
    /// assert_eq!(witness.to_string(), "https://example.com/shopa");
    /// # Ok::<(), verger_compare::DifferentComparisons>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the dialects of the policies compare in different ways.
    pub fn between(
        before: &PolicySet<'_>,
        after: &PolicySet<'_>,
        budget: Budget,
    ) -> Result<Self, DifferentComparisons> {
        if before.policy().comparison() != after.policy().comparison() {
            return Err(DifferentComparisons);
        }
        let [before_list, after_list] = RuleList::of_both(before, after);
        let before = Side::new(before, &before_list);
        let after = Side::new(after, &after_list);
        let [newly_disallowed, newly_allowed] = [Effect::Allow, Effect::Disallow].map(|effect| {
            let direction = Direction {
                before: &before,
                after: &after,
                effect,
            };
            Found::of(direction.find(&mut Remaining::of(budget)), budget)
        });
        Ok(Self {
            newly_disallowed,
            newly_allowed,
        })
    }

    /// Returns a target that the first policy allows and the second disallows.
    #[must_use]
    pub fn newly_disallowed(&self) -> &Found {
        &self.newly_disallowed
    }

    /// Returns a target that the first policy disallows and the second allows.
    #[must_use]
    pub fn newly_allowed(&self) -> &Found {
        &self.newly_allowed
    }

    /// Returns whether both policies provably agree about every target, or `None` if the budget ran
    /// out first.
    #[must_use]
    pub fn is_none(&self) -> Option<bool> {
        match (&self.newly_disallowed, &self.newly_allowed) {
            (Found::Witness(_), _) | (_, Found::Witness(_)) => Some(false),
            (Found::NoTarget, Found::NoTarget) => Some(true),
            (Found::NotDecided { .. }, _) | (_, Found::NotDecided { .. }) => None,
        }
    }
}

struct Side<'s> {
    set: &'s PolicySet<'s>,
    list: &'s RuleList<'s>,
    heads: HeadIndex<'s>,
}

impl<'s> Side<'s> {
    fn new(set: &'s PolicySet<'s>, list: &'s RuleList<'s>) -> Self {
        let heads = list.rules.iter().map(|listed| &*listed.rule.pattern.head);
        Self {
            set,
            list,
            heads: HeadIndex::new(heads),
        }
    }

    /// Excludes the targets of a rule of the policy.
    fn without(&self, rule: RuleId) -> Judgement<'s> {
        let rule = self.set.rule(rule);
        rule.map_or(Judgement::Sought, |rule| Judgement::Without(&rule.pattern))
    }

    fn effect_of(&self, target: &TargetPath<'_>) -> Effect {
        self.set.policy().decide(target).effect()
    }

    /// Returns the rules of that effect that are not common.
    fn own(&self, effect: Effect) -> impl Iterator<Item = (usize, &'s ComparedRule)> {
        let rules = self.list.rules.iter().enumerate();
        let rules = rules.filter(|(_, listed)| listed.place_in_other.is_none());
        rules
            .filter(move |(_, listed)| listed.rule.effect == effect)
            .map(|(place, listed)| (place, listed.rule))
    }
}

/// The result of a search with a rule of one side and the default of the other.
enum Alone {
    /// This target differs.
    Witness(Witness),
    /// Rules of the other side cover the targets of the rule. The last of them is at this place.
    CoveredUpTo(usize),
}

/// A search for targets that `before` gives `effect` and `after` the opposite.
struct Direction<'d> {
    before: &'d Side<'d>,
    after: &'d Side<'d>,
    effect: Effect,
}

impl<'d> Direction<'d> {
    /// Returns `/robots.txt` only if no other target is found, because no crawler asks about it.
    fn find(&self, remaining: &mut Remaining) -> Result<Option<Witness>, UsedUp> {
        let found = self.search(remaining);
        match (&found, self.robots_txt_itself()) {
            (Ok(None) | Err(_), Some(witness)) => Ok(Some(witness)),
            _ => found,
        }
    }

    fn search(&self, remaining: &mut Remaining) -> Result<Option<Witness>, UsedUp> {
        let (effect, other) = (self.effect, opposite(self.effect));
        let of_before = self
            .before
            .own(effect)
            .map(|(place, rule)| (true, place, rule));
        let of_after = self
            .after
            .own(other)
            .map(|(place, rule)| (false, place, rule));
        let mut own: Vec<_> = of_before.chain(of_after).collect();
        own.sort_by_key(|(_, _, rule)| rule.least_bytes);
        // Most differences show at the shortest target of a changed rule.
        for &(_, _, rule) in &own {
            if let Some(witness) = self.first_of(&rule.pattern, remaining)? {
                return Ok(Some(witness));
            }
        }
        for &(in_before, place, rule) in &own {
            let found = if in_before {
                self.deciding_in_before(place, &rule.pattern, remaining)?
            } else {
                self.deciding_in_after(place, &rule.pattern, remaining)?
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Checks `/robots.txt`, which one policy may exempt and the other not.
    fn robots_txt_itself(&self) -> Option<Witness> {
        let comparison = self.before.set.policy().comparison();
        let target = TargetPath::from_form(ROBOTS_TXT, comparison)?;
        self.is_sought(&target).then(|| Witness::new(target))
    }

    fn is_sought(&self, target: &TargetPath<'_>) -> bool {
        self.before.effect_of(target) == self.effect && self.after.effect_of(target) != self.effect
    }

    /// Returns the shortest target of a pattern if the policies differ about it as required.
    fn first_of(
        &self,
        pattern: &'d Pattern,
        remaining: &mut Remaining,
    ) -> Result<Option<Witness>, UsedUp> {
        let mut first = None;
        self.sought(vec![pattern])
            .find(remaining, |target| {
                first = Some(self.is_sought(target));
                Judgement::Sought
            })
            .map(|witness| witness.filter(|_| first == Some(true)))
    }

    /// Finds a target about which the rule at `place` decides in `before`, and the default or
    /// another rule in `after`.
    fn deciding_in_before(
        &self,
        place: usize,
        pattern: &'d Pattern,
        remaining: &mut Remaining,
    ) -> Result<Option<Witness>, UsedUp> {
        let mut last = usize::MAX;
        if self.effect == Effect::Disallow {
            match self.alone(pattern, self.after, remaining)? {
                Alone::Witness(witness) => return Ok(Some(witness)),
                Alone::CoveredUpTo(place) => last = place,
            }
        }
        self.with_each(self.after, pattern, remaining, |other, rule| {
            other < last
                && rule.rule.effect != self.effect
                && rule.place_in_other.is_none_or(|at| place < at)
        })
    }

    /// Finds a target about which the rule at `place` decides in `after`, and the default or a
    /// common rule in `before`. The other rules were searched before.
    fn deciding_in_after(
        &self,
        place: usize,
        pattern: &'d Pattern,
        remaining: &mut Remaining,
    ) -> Result<Option<Witness>, UsedUp> {
        let mut last = usize::MAX;
        if self.effect == Effect::Allow {
            match self.alone(pattern, self.before, remaining)? {
                Alone::Witness(witness) => return Ok(Some(witness)),
                Alone::CoveredUpTo(place) => last = place,
            }
        }
        self.with_each(self.before, pattern, remaining, |other, rule| {
            other < last
                && rule.rule.effect == self.effect
                && rule.place_in_other.is_some_and(|at| place < at)
        })
    }

    /// Finds a target about which the rule decides, and the default on the `other` side. If there
    /// is none, rules of the other side cover all relevant targets of the rule. Then only rules
    /// that take precedence over the last of these can decide differently.
    fn alone(
        &self,
        pattern: &'d Pattern,
        other: &Side<'d>,
        remaining: &mut Remaining,
    ) -> Result<Alone, UsedUp> {
        let mut last = 0;
        let found = self.sought(vec![pattern]).find(remaining, |target| {
            let Some((side, id)) = self.in_the_way(target) else {
                return Judgement::Sought;
            };
            if std::ptr::eq(side, other) {
                last = last.max(side.list.place_of(id).unwrap_or(usize::MAX));
            }
            side.without(id)
        })?;
        Ok(found.map_or(Alone::CoveredUpTo(last), Alone::Witness))
    }

    /// Finds a target that the rule and one of the `wanted` rules of `side` match.
    fn with_each(
        &self,
        side: &Side<'d>,
        pattern: &'d Pattern,
        remaining: &mut Remaining,
        wanted: impl Fn(usize, &ListedRule<'_>) -> bool,
    ) -> Result<Option<Witness>, UsedUp> {
        for place in side.heads.compatible_with(&pattern.head) {
            remaining.visit(1)?;
            let other = &side.list.rules[place];
            if wanted(place, other)
                && let found @ Some(_) = self.pair(pattern, &other.rule.pattern, remaining)?
            {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// Finds a target that both match and about which no rule with precedence over them decides.
    fn pair(
        &self,
        pattern: &'d Pattern,
        other: &'d Pattern,
        remaining: &mut Remaining,
    ) -> Result<Option<Witness>, UsedUp> {
        self.sought(vec![pattern, other]).find(remaining, |target| {
            self.in_the_way(target)
                .map_or(Judgement::Sought, |(side, id)| side.without(id))
        })
    }

    /// Returns the rule that excludes a target, and its side.
    fn in_the_way(&self, target: &TargetPath<'_>) -> Option<(&'d Side<'d>, RuleId)> {
        let decides = |side: &'d Side<'d>| {
            let verdict = side.set.policy().decide(target);
            (verdict.effect(), verdict.rule().map(|id| (side, id)))
        };
        match decides(self.before) {
            (effect, rule) if effect != self.effect => rule,
            _ => match decides(self.after) {
                (effect, rule) if effect == self.effect => rule,
                _ => None,
            },
        }
    }

    fn sought(&self, matching: Vec<&'d Pattern>) -> Sought<'d> {
        let [before, after] = [self.before.set, self.after.set];
        Sought {
            alphabet: before.alphabet(),
            matching,
            exempt: before.robots_txt_itself().or(after.robots_txt_itself()),
            below: u32::MAX,
            decision_states: before.decision_states() + after.decision_states(),
        }
    }
}

fn opposite(effect: Effect) -> Effect {
    match effect {
        Effect::Allow => Effect::Disallow,
        Effect::Disallow => Effect::Allow,
    }
}
