//! Proofs that two files mean the same.

use std::collections::BTreeSet;

use verger::{Crawler, Dialect, GroupIndex};
use verger_compare::{Budget, Difference, PolicySet};

use crate::agent::Agent;

/// Maximum number of states to visit for one crawler.
const BUDGET: Budget = Budget::from_states(20_000);

/// Maximum number of names to compare.
const NAMES_MAX: usize = 50;

/// Returns whether two files provably give the same answers for every URL and crawler. Returns
/// `false` without a proof if they name very many crawlers.
pub(crate) fn mean_the_same(one: &GroupIndex, other: &GroupIndex) -> bool {
    let agents = [one, other].map(|index| Agent::all(index.robots()));
    let tokens = agents.iter().flatten().filter(|agent| !agent.is_star());
    let names: BTreeSet<String> = tokens.map(Agent::key).collect();
    if names.len() > NAMES_MAX {
        return false;
    }
    let crawlers = names.iter();
    let crawlers = crawlers.filter_map(|name| Crawler::named(name, Dialect::Rfc9309).ok());
    let mut seen = BTreeSet::new();
    [Crawler::unnamed()]
        .into_iter()
        .chain(crawlers)
        .filter(|crawler| seen.insert((one.selection(crawler), other.selection(crawler))))
        .all(|crawler| {
            let [before, after] = [one, other].map(|index| index.policy(&crawler));
            let [before, after] = [&before, &after].map(PolicySet::new);
            Difference::between(&before, &after, BUDGET)
                .is_ok_and(|difference| difference.is_none() == Some(true))
        })
}
