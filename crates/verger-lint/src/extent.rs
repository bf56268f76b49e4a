//! What the rules that apply to a crawler do as a whole, as far as it can be read off them.
//!
//! This is the one place that judges sets of URLs. It is certain where it says something, and says
//! nothing where only a comparison of sets of URLs could.

use std::collections::BTreeMap;

use verger::{Crawler, Effect, Group, GroupIndex, Policy, RuleId};

/// The rule that disallows every URL, where no rule allows one.
pub(crate) fn disallows_everything(policy: &Policy) -> Option<RuleId> {
    let mut everything = None;
    for (id, rule) in policy.rule_ids().zip(policy.rules()) {
        match rule.effect {
            Effect::Allow => return None,
            Effect::Disallow if is_universal(policy, id) => everything = everything.or(Some(id)),
            Effect::Disallow => {}
        }
    }
    everything
}

/// Whether the pattern of a rule matches every target: each target begins with a slash.
fn is_universal(policy: &Policy, id: RuleId) -> bool {
    policy.rule_form(id).is_some_and(|form| {
        let mut fragments = form.fragments();
        matches!(form.head(), b"" | b"/")
            && fragments.all(|fragment| fragment.in_path.is_empty())
            && (!form.is_anchored() || form.fragments().len() > 0)
    })
}

/// Rules of one policy with the same pattern, as it is compared, in the order of their precedence.
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

/// Octets that are equal for two rules of a policy where their patterns are.
fn form_key(policy: &Policy, id: RuleId) -> Option<Vec<u8>> {
    let form = policy.rule_form(id)?;
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
    Some(key)
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

    /// The policy of a crawler; `None` where no group applies to it, and once there are too many rules.
    pub(crate) fn of(&mut self, crawler: &Crawler) -> Option<Policy> {
        if self.records_left == 0 {
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
        ] {
            assert!(disallows_everything(&policy(rules)).is_some(), "{rules}");
        }
        for rules in [
            "Disallow:",
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
        let policy = policy("Allow: /a\nDisallow: /%61\nDisallow: /a$\nDisallow: /a*\nAllow: /b");
        let same = same_patterns(&policy);
        assert_eq!(same.len(), 1);
        let lines = same[0].rules.iter().filter_map(|id| policy.rule(*id));
        assert_eq!(
            lines.map(|rule| rule.line.get()).collect::<Vec<_>>(),
            [2, 3]
        );
    }
}
