//! The combined effect of a crawler's rules.

use std::collections::BTreeMap;

use verger::{Crawler, Group, GroupIndex, Policy, RuleId, TargetPath};
use verger_compare::{Budget, Extent, ExtentClass, PolicySet};

use crate::agent::Agent;
use crate::subject::Subject;

/// Maximum number of states to visit for the proof that everything is disallowed.
const BUDGET: Budget = Budget::from_states(100_000);

/// Returns the rule that disallows the home page, if every URL is disallowed.
pub(crate) fn disallows_everything(policy: &Policy) -> Option<RuleId> {
    // Most policies allow the home page, and then no proof is needed.
    let home = TargetPath::from_form(b"/", policy.comparison())?;
    let verdict = policy.decide(&home);
    if verdict.is_allowed() {
        return None;
    }
    let extent = Extent::new(&PolicySet::new(policy), BUDGET);
    let is_everything = extent.class() == Some(ExtentClass::EverythingDisallowed);
    verdict.rule().filter(|_| is_everything)
}

/// Rules of a policy with the same compared pattern and the same specificity, by precedence. `/*`
/// and `/***` match the same URLs, but each `*` counts.
#[derive(Debug)]
pub(crate) struct SamePattern {
    pub(crate) rules: Vec<RuleId>,
}

/// Returns the rules with the same compared pattern as another. The first of each list decides
/// wherever the others match, so the others never do.
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

/// Returns bytes that are equal for two rules if their patterns are equal.
fn form_key(policy: &Policy, id: RuleId) -> Option<Vec<u8>> {
    let form = policy.path_pattern(id)?;
    let mut key = form.head().to_vec();
    for fragment in form.fragments() {
        // A pattern never contains a line end, so it separates.
        key.push(b'\n');
        key.extend_from_slice(fragment.in_path);
        key.push(b'\r');
        key.extend_from_slice(fragment.in_query);
        if let Some(escape) = fragment.escape {
            key.push(b'%');
            key.extend(escape.digit());
            key.push(b'\r');
        }
    }
    if form.is_anchored() {
        key.push(b'\r');
    }
    key.push(b'\n');
    key.extend(form.specificity().bytes().to_be_bytes());
    Some(key)
}

/// Returns the policies of a file, one per selection of its groups, each with the first line that
/// names such a crawler.
pub(crate) fn policies<'f>(file: &'f Subject<'f>) -> impl Iterator<Item = (&'f Agent<'f>, Policy)> {
    let mut policies = Policies::new(file.index);
    let selections = file.selections();
    selections.filter_map(move |(agent, crawler)| Some((agent, policies.of(&crawler)?)))
}

/// Builds policies of a file up to a total number of rules.
///
/// Groups may overlap, so the policies of all names could have as many rules as the product of
/// names and rules.
#[derive(Debug)]
pub(crate) struct Policies<'f> {
    index: &'f GroupIndex,
    records_left: usize,
}

impl<'f> Policies<'f> {
    /// Number of records that the groups may still have in total.
    pub(crate) const RECORDS_MAX: usize = 200_000;

    pub(crate) fn new(index: &'f GroupIndex) -> Self {
        Self {
            index,
            records_left: Self::RECORDS_MAX,
        }
    }

    /// Returns whether policies were or may have been left out.
    pub(crate) fn is_used_up(&self) -> bool {
        self.records_left == 0
    }

    /// Returns a crawler's policy. `None` if no group applies, or after too many rules.
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
        // Each star counts, so the longer rule decides.
        assert_eq!(lines.collect::<Vec<_>>(), [vec![2, 3]]);
    }
}
