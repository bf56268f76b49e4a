//! What the rules that apply to a crawler do as a whole.

use std::collections::BTreeMap;

use verger::{Crawler, Group, GroupIndex, Policy, RuleId, TargetPath};
use verger_compare::{Budget, Extent, ExtentClass, PolicySet};

use crate::agent::Agent;
use crate::subject::Subject;

/// States that may be visited to decide whether everything is disallowed.
const BUDGET: Budget = Budget::from_states(100_000);

/// The rule by which the home page is disallowed, where every URL is.
pub(crate) fn disallows_everything(policy: &Policy) -> Option<RuleId> {
    // Most policies allow the home page, and then there is nothing to prove.
    let home = TargetPath::from_form(b"/", policy.comparison())?;
    let verdict = policy.decide(&home);
    if verdict.is_allowed() {
        return None;
    }
    let extent = Extent::new(&PolicySet::new(policy), BUDGET);
    let is_everything = extent.class() == Some(ExtentClass::EverythingDisallowed);
    verdict.rule().filter(|_| is_everything)
}

/// Rules of one policy with the same pattern, as it is compared, and as specific as each other, in the order
/// of their precedence. `/*` and `/***` match the same, but each `*` counts.
#[derive(Debug)]
pub(crate) struct SamePattern {
    pub(crate) rules: Vec<RuleId>,
}

/// The rules that have the same pattern as another one, as they are compared: the first of each list
/// decides wherever the others match, so these never do.
pub(crate) fn same_patterns(policy: &Policy) -> Vec<SamePattern> {
    let mut by_form: BTreeMap<Vec<u8>, Vec<RuleId>> = BTreeMap::new();
    for id in policy.rule_ids() {
        if let Some(key) = form_key(policy, id) {
            by_form.entry(key).or_default().push(id);
        }
    }
    let several = by_form.into_values().filter(|rules| rules.len() > 1);
    several.map(|rules| SamePattern { rules }).collect()
}

/// Bytes that are equal for two rules of a policy where their patterns are.
fn form_key(policy: &Policy, id: RuleId) -> Option<Vec<u8>> {
    let form = policy.path_pattern(id)?;
    let mut key = form.head().to_vec();
    for fragment in form.fragments() {
        // No form has a line end, so that it separates.
        key.push(b'\n');
        key.extend_from_slice(fragment.in_path);
        key.push(b'\r');
        key.extend_from_slice(fragment.in_query);
    }
    if form.is_anchored() {
        key.push(b'\r');
    }
    key.push(b'\n');
    key.extend(form.specificity().bytes().to_be_bytes());
    Some(key)
}

/// The policies of a file, one for each selection of its groups, with the first line that names a crawler
/// to which it applies.
pub(crate) fn policies<'f>(file: &'f Subject<'f>) -> impl Iterator<Item = (&'f Agent<'f>, Policy)> {
    let mut policies = Policies::new(file.index);
    let selections = file.selections();
    selections.filter_map(move |(agent, crawler)| Some((agent, policies.of(&crawler)?)))
}

/// Makes policies of a file, as long as they do not have too many rules together.
///
/// Groups may overlap, so that the policies of all names of a file could have as many rules as the
/// product of names and rules.
#[derive(Debug)]
pub(crate) struct Policies<'f> {
    index: &'f GroupIndex,
    records_left: usize,
}

impl<'f> Policies<'f> {
    /// How many records the groups may have together.
    pub(crate) const RECORDS_MAX: usize = 200_000;

    pub(crate) fn new(index: &'f GroupIndex) -> Self {
        Self {
            index,
            records_left: Self::RECORDS_MAX,
        }
    }

    /// Whether policies may have been left out, or have.
    pub(crate) fn is_used_up(&self) -> bool {
        self.records_left == 0
    }

    /// The policy of a crawler; `None` where no group applies to it, and once there are too many rules.
    pub(crate) fn of(&mut self, crawler: &Crawler) -> Option<Policy> {
        if self.is_used_up() {
            return None;
        }
        let groups = self.index.groups_for(crawler)?;
        let records = groups.groups().iter().flat_map(Group::records);
        let count = records.take(self.records_left).count();
        self.records_left -= count;
        Some(self.index.policy(crawler))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger::{Dialect, RobotsTxt};

    fn policy(rules: &str) -> Policy {
        let body = format!("User-agent: *\n{rules}\n");
        RobotsTxt::parse(body, Dialect::Rfc9309).policy(&Crawler::unnamed())
    }

    #[test]
    fn everything_is_what_no_rule_allows_a_part_of() {
        for rules in [
            "Disallow: /",
            "Disallow: /*",
            "Disallow: *",
            "Disallow: /*$",
            "Disallow: **",
            "Disallow: /*\nAllow: /",
            "Disallow: /$\nDisallow: /*a\nDisallow: /",
        ] {
            assert!(disallows_everything(&policy(rules)).is_some(), "{rules}");
        }
        for rules in [
            "Disallow:",
            "Disallow: /*?",
            "Disallow: /$",
            "Disallow: /*a",
            "Disallow: /\nAllow: /a",
            "Allow: /",
            "Disallow: x",
        ] {
            assert!(disallows_everything(&policy(rules)).is_none(), "{rules}");
        }
    }

    #[test]
    fn patterns_are_the_same_as_they_are_compared() {
        let policy = policy(
            "Allow: /a\nDisallow: /%61\nDisallow: /a$\nDisallow: /a*\nAllow: /b\nAllow: /*\nDisallow: /***",
        );
        let same = same_patterns(&policy);
        let lines = same.iter().map(|same| {
            let rules = same.rules.iter().filter_map(|id| policy.rule(*id));
            rules.map(|rule| rule.line.get()).collect::<Vec<_>>()
        });
        // Each star counts: the longer rule decides.
        assert_eq!(lines.collect::<Vec<_>>(), [vec![2, 3]]);
    }
}
