//! Whether two files are proven to mean the same.

use std::collections::BTreeSet;

use verger::{Crawler, Dialect, GroupIndex};
use verger_compare::{Budget, Difference, PolicySet};

use crate::agent::Agent;

/// States that may be visited for one crawler.
const BUDGET: Budget = Budget::from_states(20_000);

/// How many names are compared: a file may have many groups for many crawlers.
const NAMES_MAX: usize = 50;

/// Whether it is proven that the rules of two files decide alike about every URL, for every crawler. Of files
/// that name very many crawlers it is not looked at, and the answer is no.
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
