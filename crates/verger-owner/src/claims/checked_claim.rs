use verger::{Effect, Policy, RobotsTxt, Verdict};
use verger_compare::{Budget, Extent, Found, PolicySet};

use super::claim::{About, Claim};
use crate::file_policies::FilePolicies;

/// A claim and its result.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CheckedClaim<'c> {
    /// The claim.
    pub claim: &'c Claim,
    /// The result.
    pub result: ClaimResult,
}

/// Whether a claim holds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClaimResult {
    /// The claim holds. For a set of targets, this is proven.
    Holds,
    /// The claim does not hold.
    Fails {
        /// A URL that contradicts the claim.
        url: String,
        /// The verdict on that URL.
        verdict: Verdict,
        /// The deciding rule, such as `Disallow: /x`.
        rule: Option<String>,
    },
    /// The budget ran out before the result was known.
    NotDecided {
        /// Size of the budget, in states.
        states: u64,
    },
}

/// Checks claims against the file of `site`, an origin such as `https://example.com`. Each claim
/// has its own budget. The file is read in the same way as the claims.
#[must_use]
pub fn check_claims<'c>(
    claims: &'c [Claim],
    robots: RobotsTxt,
    site: &str,
    budget: Budget,
) -> Vec<CheckedClaim<'c>> {
    let mut policies = FilePolicies::new(robots);
    let checked = claims.iter().map(|claim| {
        let policy = policies.policy(&claim.crawler);
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
