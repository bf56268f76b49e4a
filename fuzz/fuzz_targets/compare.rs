//! The engine confirms the witnesses of `verger-compare`, and no question contradicts its proofs of absence.
#![no_main]

use libfuzzer_sys::fuzz_target;
use verger::dialect::Comparison;
use verger::{Crawler, Effect, Policy, Reason, RobotsTxt, TargetPath};
use verger_compare::{Budget, Difference, Extent, Found, PolicySet, RuleUse};
use verger_fuzz::{question, readings};

const BUDGET: Budget = Budget::from_states(20_000);

fn check(found: &Found, asked: &TargetPath<'_>, is_so: impl Fn(&TargetPath<'_>) -> bool) {
    match found {
        Found::Witness(witness) => assert!(is_so(witness.target()), "{witness}"),
        Found::NoTarget => assert!(!is_so(asked), "{asked:?}"),
        Found::NotDecided { .. } => {}
    }
}

fn decides(policy: &Policy, target: &TargetPath<'_>, effect: Effect) -> bool {
    policy.decide(target).effect() == effect
}

fuzz_target!(|input: &[u8]| {
    let (body, name, url) = question(input);
    for reading in readings() {
        // Sets contain targets as clients send them.
        let Ok(asked) = TargetPath::as_sent(url, reading) else {
            continue;
        };
        let half = &body[..body.len() / 2];
        let crawler = Crawler::named(&name, reading).unwrap();
        let policies = [body, half].map(|body| RobotsTxt::parse(body, reading).policy(&crawler));
        let [set, other] = [PolicySet::new(&policies[0]), PolicySet::new(&policies[1])];
        let exempt = policies[0].decide(&asked).reason() == Reason::RobotsTxtItself;

        let extent = Extent::new(&set, BUDGET);
        if !exempt {
            check(extent.allowed(), &asked, |target| {
                decides(&policies[0], target, Effect::Allow)
            });
        }
        check(extent.disallowed(), &asked, |target| {
            decides(&policies[0], target, Effect::Disallow)
        });

        let difference = Difference::between(&set, &other, BUDGET).unwrap();
        let [allow, disallow] = [Effect::Allow, Effect::Disallow];
        for (found, [before, after]) in [
            (difference.newly_disallowed(), [allow, disallow]),
            (difference.newly_allowed(), [disallow, allow]),
        ] {
            check(found, &asked, |target| {
                decides(&policies[0], target, before) && decides(&policies[1], target, after)
            });
        }

        for id in policies[0].rule_ids().take(20) {
            match RuleUse::new(&set, id, BUDGET).unwrap() {
                RuleUse::Decides(witness) => {
                    assert_eq!(policies[0].decide(witness.target()).rule(), Some(id));
                }
                RuleUse::NeverDecides { shadowed_by } => {
                    // In `google`, a rule with a raw space matches nothing that clients send.
                    assert!(!shadowed_by.is_empty() || reading.comparison() == Comparison::Bytes);
                    assert_ne!(policies[0].decide(&asked).rule(), Some(id));
                }
                RuleUse::NotDecided { .. } => {}
            }
        }
    }
});
