//! `Policy`: the rules for one crawler, and what finds the one that decides.

use crate::compare::rule_form::RuleForm;
use crate::compare::target_path::TargetPath;
use crate::crawler::Crawler;
use crate::dialect::{Comparison, Reading, RobotsTxtItself};
use crate::group_match::GroupMatch;
use crate::index::rule_index::RuleIndex;
use crate::read::robots_txt::RobotsTxt;
use crate::span::offset;
use crate::verdict::{AppliedGroup, PolicyRule, RuleId, Verdict};

/// The rules of one robots.txt that apply to one crawler, ready for any number of questions.
///
/// It owns what it needs, is immutable, and is `Send + Sync`. Rules that are empty or can match
/// nothing are left out; the [`RobotsTxt`] still has them.
///
/// Making one costs 100 to 400 ns a rule, as much as ten questions in one pass ([`crate::effect`])
/// about a small body and thirty about a large one; it pays for a caller that asks more often than that.
///
/// The time of a decision hardly grows with the number of rules where their texts differ; it allocates
/// nothing unless rules of many lists come into question. Rules whose texts are alike are
/// compared one after the other: at most O(target octets × rule octets), 32 target octets at a time;
/// for a URL of 2 kB that is a millisecond or two for most such bodies of 500 KiB, and some tens for
/// the worst known.
#[derive(Clone, Debug)]
pub struct Policy {
    group: Option<AppliedGroup>,
    index: RuleIndex,
    comparison: Comparison,
    robots_txt_itself: RobotsTxtItself,
}

impl RobotsTxt {
    /// The rules that apply to `crawler`. R9309-2.2.1-6 to -11.
    #[must_use]
    pub fn policy(&self, crawler: &Crawler) -> Policy {
        Policy::of(self.groups_for(crawler).as_ref(), self.reading())
    }
}

impl Policy {
    /// The rules of the groups that apply to a crawler.
    pub(crate) fn of(group_match: Option<&GroupMatch<'_, '_>>, reading: &Reading) -> Self {
        Self {
            group: group_match.map(GroupMatch::applied),
            index: RuleIndex::new(group_match, reading),
            comparison: reading.comparison,
            robots_txt_itself: reading.robots_txt_itself,
        }
    }

    /// Decides whether `target` may be accessed.
    ///
    /// Prepare the target in the policy's own dialect. One that was prepared in another is compared
    /// in this policy's way all the same, at the cost of an allocation, but its path is the one that
    /// the other dialect finds in the URL (in `//host/x`, Google's library finds `/x`).
    #[must_use]
    pub fn decide(&self, target: &TargetPath<'_>) -> Verdict {
        let form = target.form(self.comparison);
        if self.robots_txt_itself.exempts(&form) {
            return Verdict::robots_txt_itself(self.group);
        }
        // "If no matching group exists [...] no rules apply."                  R9309-2.2.1-11
        let Some(group) = self.group else {
            return Verdict::no_group();
        };
        match self.index.deciding(&form) {
            Some(rank) => self.index.verdict(rank, group),
            // "If no match is found amongst the rules [...] the URI is allowed."
            //                                                                  R9309-2.2.2-7
            None => Verdict::no_rule_matched(group),
        }
    }

    /// The same policy in fewer octets, if it has few rules: without an index, which takes more than
    /// such rules do. It answers the same; a question takes up to 100 ns longer.
    ///
    /// It is for those who hold policies of very many files, most of which have few rules.
    #[must_use]
    pub fn compacted(self) -> Self {
        Self {
            index: self.index.compacted(),
            ..self
        }
    }

    /// The rule of that id alone, or no rule, of the same group: what a decision keeps that outlives
    /// the policy. About a target for which the rule decides, or none does, it decides as this policy,
    /// and the rule has the first of [`Policy::rule_ids`].
    #[must_use]
    pub fn only(&self, rule: Option<RuleId>) -> Self {
        let rule = rule.filter(|id| id.index() < self.index.len());
        Self {
            index: self.index.only(rule.map(|id| offset(id.index()))),
            ..*self
        }
    }

    /// The group that applies to the crawler, if one does.
    #[must_use]
    pub fn group(&self) -> Option<AppliedGroup> {
        self.group
    }

    /// How many octets of the heap it takes, beside its own size, with what the allocator adds
    /// ([`crate::allocated_octets`]): what a cache counts.
    #[must_use]
    pub fn heap_octets(&self) -> usize {
        self.index.heap_octets()
    }

    /// The rules that can match something, those that take precedence first.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = PolicyRule<'_>> + DoubleEndedIterator {
        (0..self.index.len()).map(|rank| self.index.rule(offset(rank)))
    }

    /// The ids of the rules, in the order of [`Policy::rules`].
    pub fn rule_ids(&self) -> impl ExactSizeIterator<Item = RuleId> + DoubleEndedIterator {
        (0..self.index.len()).map(|rank| RuleId::of_rank(offset(rank)))
    }

    /// The pattern of the rule of that id as it is compared; `None` where there is no such rule.
    ///
    /// It costs an allocation. In `google` two rules may come of one line: an Allow of an index
    /// page also allows its directory.
    #[must_use]
    pub fn rule_form(&self, id: RuleId) -> Option<RuleForm> {
        self.rule(id)?;
        self.index.pattern(offset(id.index())).map(RuleForm::of)
    }

    /// How its rules are compared with targets.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        self.comparison
    }

    /// The rule of that id, which a verdict of this policy gave; `None` where there is none.
    #[must_use]
    pub fn rule(&self, id: RuleId) -> Option<PolicyRule<'_>> {
        (id.index() < self.index.len()).then(|| self.index.rule(offset(id.index())))
    }
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<(RobotsTxt, Policy, TargetPath<'_>)>();
};

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;
    use alloc::format;
    use alloc::vec::Vec;

    use super::*;
    use crate::dialect::Dialect;

    fn policy(rules: usize) -> Policy {
        let lines = (0..rules).map(|number| format!("Disallow: /{number:08}/*x\n"));
        let body = ["User-agent: *\n".to_owned()].into_iter().chain(lines);
        let body = body.collect::<Vec<_>>().concat();
        RobotsTxt::parse(&*body, Dialect::Rfc9309).policy(&Crawler::unnamed())
    }

    #[test]
    fn the_heap_grows_with_the_rules_and_an_index_is_part_of_it() {
        let each = policy(10_000).heap_octets() / 10_000;
        assert!((30..=90).contains(&each), "{each}");
        for rules in [1, 8, 16] {
            let (with, without) = (policy(rules), policy(rules).compacted());
            assert!(without.heap_octets() * 2 < with.heap_octets(), "{rules}");
            assert!(
                without.heap_octets() > rules * "/00000000/*x".len(),
                "{rules}"
            );
        }
    }

    #[test]
    fn the_rule_that_decides_decides_alone_as_well() {
        let body =
            "User-agent: *\nDisallow: /a\nAllow: /a/b*c$\nDisallow: /%e4\nAllow: /d/index.html\n";
        for &dialect in Dialect::ALL {
            let policy = RobotsTxt::parse(body, dialect).policy(&Crawler::unnamed());
            for path in [
                "/a",
                "/a/bc",
                "/%E4x",
                "/d/",
                "/d/index.html",
                "/x",
                "/robots.txt",
            ] {
                let Ok(target) = TargetPath::new(path, dialect) else {
                    continue;
                };
                let verdict = policy.decide(&target);
                let alone = policy.only(verdict.rule());
                let again = alone.decide(&target);
                let rule = |policy: &Policy, verdict: Verdict| {
                    let rule = policy.rule(verdict.rule()?)?;
                    Some((rule.effect, rule.line, rule.pattern.to_vec()))
                };
                assert_eq!(
                    rule(&policy, verdict),
                    rule(&alone, again),
                    "{dialect} {path}"
                );
                assert_eq!(verdict.effect(), again.effect(), "{dialect} {path}");
                assert_eq!(alone.group(), policy.group());
                assert!(alone.heap_octets() <= policy.heap_octets());
            }
        }
    }

    #[test]
    fn one_rule_more_than_few_keeps_its_index() {
        let compacted = policy(17).compacted();
        assert_eq!(compacted.heap_octets(), policy(17).heap_octets());
    }
}
