//! `CheckedClaim`: whether a claim holds, and a target that shows that it does not.

use verger::{Effect, Policy, RobotsTxt, Verdict};
use verger_compare::{Budget, Extent, Found, PolicySet};

use super::claim::{About, Claim};
use crate::file_policies::FilePolicies;

/// A claim, held against a robots.txt.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckedClaim<'c> {
    /// The claim.
    pub claim: &'c Claim,
    /// The result.
    pub result: ClaimResult,
}

/// The result of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClaimResult {
    /// It holds; of a set of targets this is proven.
    Holds,
    /// It does not hold.
    Fails {
        /// A URL for which it does not: the one that is claimed about, or one of all those that are.
        url: String,
        /// The verdict about it.
        verdict: Verdict,
        /// The rule that decided, as `Disallow: /x`.
        rule: Option<String>,
    },
    /// The budget of so many states was used up before it was known.
    NotDecided {
        /// The states of the budget.
        states: u64,
    },
}

/// Holds claims against the file of `site`, which is given as its URLs begin, each within the budget; it
/// is read as the claims are.
#[must_use]
pub fn check_claims<'c>(
    claims: &'c [Claim],
    robots: RobotsTxt,
    site: &str,
    budget: Budget,
) -> Vec<CheckedClaim<'c>> {
    let mut policies = FilePolicies::new(robots);
    let checked = claims.iter().map(|claim| {
        let policy = policies.policy(claim.crawler.crawler());
        let result = match policy {
            Some(policy) => check(claim, &policy.policy, site, budget),
            None => ClaimResult::NotDecided { states: 0 },
        };
        CheckedClaim { claim, result }
    });
    checked.collect()
}

fn check(claim: &Claim, policy: &Policy, site: &str, budget: Budget) -> ClaimResult {
    let against = match &claim.about {
        About::Target(target) => {
            let verdict = policy.decide(target);
            if verdict.effect() == claim.effect {
                return ClaimResult::Holds;
            }
            (claim.text.clone(), verdict)
        }
        About::Under(scope) => {
            let extent = Extent::within(&PolicySet::new(policy), scope, budget);
            let contrary = match claim.effect {
                Effect::Allow => extent.disallowed(),
                Effect::Disallow => extent.allowed(),
            };
            match contrary {
                Found::NoTarget => return ClaimResult::Holds,
                Found::NotDecided { states } => return ClaimResult::NotDecided { states: *states },
                Found::Witness(witness) => (witness.url(site), policy.decide(witness.target())),
            }
        }
    };
    let (url, verdict) = against;
    let rule = verdict.rule().and_then(|id| policy.rule(id));
    ClaimResult::Fails {
        url,
        verdict,
        rule: rule.map(|rule| rule.to_string()),
    }
}
