//! `Extent`: how much a policy disallows.

use verger::{Effect, PathPattern};

use crate::budget::{Budget, Remaining, UsedUp};
use crate::pattern::Pattern;
use crate::policy_set::PolicySet;
use crate::refine::{Judgement, Sought};
use crate::witness::{Found, Witness};

/// How much a policy disallows, with a shortest target for each effect.
///
/// ```
/// use verger::{Crawler, Dialect, RobotsTxt};
/// use verger_compare::{Budget, Extent, ExtentClass, PolicySet};
///
/// let body = "User-agent: *\nDisallow: /\nAllow: /$\n";
/// let policy = RobotsTxt::parse(body, Dialect::Rfc9309).policy(&Crawler::unnamed());
/// let extent = Extent::new(&PolicySet::new(&policy), Budget::default());
/// assert_eq!(extent.class(), Some(ExtentClass::SomeDisallowed));
/// assert_eq!(extent.allowed().witness().unwrap().to_string(), "https://example.com/");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    allowed: Found,
    disallowed: Found,
}

/// How much of the universe is disallowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExtentClass {
    /// Nothing is disallowed. This includes questions about no target at all.
    NothingDisallowed,
    /// Some targets are disallowed, and some are allowed.
    SomeDisallowed,
    /// Everything is disallowed.
    EverythingDisallowed,
}

impl ExtentClass {
    /// Returns the word used in output: `nothing`, `some` or `everything`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NothingDisallowed => "nothing",
            Self::SomeDisallowed => "some",
            Self::EverythingDisallowed => "everything",
        }
    }
}

impl Extent {
    /// Computes how much of the universe a policy disallows. Each effect gets the whole budget.
    #[must_use]
    pub fn new(set: &PolicySet<'_>, budget: Budget) -> Self {
        Self::among(set, None, budget)
    }

    /// Returns an undecided extent, for a policy that was not examined.
    #[must_use]
    pub fn not_decided() -> Self {
        Self {
            allowed: Found::NotDecided { states: 0 },
            disallowed: Found::NotDecided { states: 0 },
        }
    }

    /// Computes the extent among the targets that `scope` matches. `scope` is a pattern like that
    /// of a rule ([`PathPattern::new`], with the policy's reading).
    #[must_use]
    pub fn within(set: &PolicySet<'_>, scope: &PathPattern, budget: Budget) -> Self {
        let scope = Pattern::of(scope, set.alphabet());
        Self::among(set, Some(&scope), budget)
    }

    fn among(set: &PolicySet<'_>, scope: Option<&Pattern>, budget: Budget) -> Self {
        let [allowed, disallowed] = [Effect::Allow, Effect::Disallow].map(|effect| {
            let found = shortest_with(set, effect, scope, &mut Remaining::of(budget));
            Found::of(found, budget)
        });
        Self {
            allowed,
            disallowed,
        }
    }

    /// Returns the shortest allowed target: the one with the fewest bytes in a URL.
    #[must_use]
    pub fn allowed(&self) -> &Found {
        &self.allowed
    }

    /// Returns the shortest disallowed target.
    #[must_use]
    pub fn disallowed(&self) -> &Found {
        &self.disallowed
    }

    /// Returns the class, or `None` if the budget ran out first.
    #[must_use]
    pub fn class(&self) -> Option<ExtentClass> {
        match (&self.allowed, &self.disallowed) {
            (_, Found::NoTarget) => Some(ExtentClass::NothingDisallowed),
            (Found::NoTarget, Found::Witness(_)) => Some(ExtentClass::EverythingDisallowed),
            (Found::Witness(_), Found::Witness(_)) => Some(ExtentClass::SomeDisallowed),
            (Found::NotDecided { .. }, _) | (_, Found::NotDecided { .. }) => None,
        }
    }
}

/// Finds the shortest target with this effect in `scope`.
///
/// A target has the effect if a rule of that effect decides about it or, for allow, if no rule
/// does. The rules of the effect are tried in turn, those with the shortest possible targets first.
fn shortest_with(
    set: &PolicySet<'_>,
    effect: Effect,
    scope: Option<&Pattern>,
    remaining: &mut Remaining,
) -> Result<Option<Witness>, UsedUp> {
    let of_effect = set.rules().iter().filter(|rule| rule.effect == effect);
    let mut deciding: Vec<(u32, Option<&Pattern>)> = of_effect
        .map(|rule| (rule.least_bytes, Some(&rule.pattern)))
        .collect();
    if effect == Effect::Allow {
        deciding.push((0, None));
    }
    deciding.sort_by_key(|(least, _)| *least);
    let mut best: Option<Witness> = None;
    for (least, pattern) in deciding {
        let below = best.as_ref().map_or(u32::MAX, Witness::bytes);
        if least >= below {
            break;
        }
        let sought = Sought {
            alphabet: set.alphabet(),
            matching: scope.into_iter().chain(pattern).collect(),
            exempt: set.robots_txt_itself(),
            below,
            decision_states: set.decision_states(),
        };
        let found = sought.find(remaining, |target| {
            let verdict = set.policy().decide(target);
            match verdict.rule().and_then(|id| set.rule(id)) {
                Some(rule) if verdict.effect() != effect => Judgement::Without(&rule.pattern),
                _ => Judgement::Sought,
            }
        })?;
        best = found.or(best);
    }
    Ok(best)
}
