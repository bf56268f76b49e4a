//! `Policy`: what a crawler holds, and asks for every URL.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::crawler::Crawler;
use crate::dialect::{AllowLines, Comparison, IndexPage, Precedence, Reading, RobotsTxtItself};
use crate::group_match::GroupMatch;
use crate::path_match::{self, CompiledRule};
use crate::path_pattern::{PathPattern, Specificity};
use crate::robots_txt::{RobotsTxt, Rule};
use crate::span::Span;
use crate::target_path::TargetPath;
use crate::verdict::{AppliedGroup, DecidingRule, Effect, Reason, Verdict};

/// The rules of one robots.txt that apply to one crawler, ready to be asked any number of times.
///
/// It owns what it needs, is immutable, and is `Send + Sync`. Rules that say nothing or can match
/// nothing are left out; the [`RobotsTxt`] still has them.
///
/// Deciding costs at most O(target octets × rule octets), whatever the rules are.
#[derive(Clone, Debug)]
pub struct Policy {
    group: Option<AppliedGroup>,
    rules: Box<[CompiledRule]>,
    /// The patterns as written, one after the other, and where each rule's stands.
    written: Box<[u8]>,
    written_spans: Box<[Span]>,
    comparison: Comparison,
    precedence: Precedence,
    robots_txt_itself: RobotsTxtItself,
}

/// A rule that matches a target, whether it decides or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchingRule<'p> {
    /// The rule.
    pub rule: DecidingRule<'p>,
    /// How specific it is.
    pub specificity: Specificity,
}

impl RobotsTxt {
    /// The rules that apply to `crawler`. R9309-2.2.1-6 to -11.
    #[must_use]
    pub fn policy(&self, crawler: &Crawler) -> Policy {
        let group_match = self.groups_for(crawler);
        let mut builder = PolicyBuilder::default();
        for group in group_match.iter().flat_map(GroupMatch::groups) {
            for rule in group.rules() {
                builder.rule(&rule, self.reading());
            }
        }
        builder.finish(group_match.map(|found| found.applied()), self.reading())
    }
}

impl Policy {
    /// Decides whether `target` may be accessed.
    ///
    /// A target that was prepared for another dialect is prepared anew, which costs an allocation
    /// and changes nothing else.
    #[must_use]
    pub fn decide(&self, target: &TargetPath<'_>) -> Verdict<'_> {
        let form = target.form(self.comparison);
        let exempt = self.robots_txt_itself == RobotsTxtItself::ImplicitlyAllowed;
        // "The /robots.txt URI is implicitly allowed."                         R9309-2.2.2-8
        if exempt && *form == *b"/robots.txt" {
            let group = self.group;
            return Verdict::for_reason(Reason::RobotsTxtItself { group });
        }
        // "If no matching group exists [...] no rules apply."                  R9309-2.2.1-11
        let Some(group) = self.group else {
            return Verdict::for_reason(Reason::NoGroup);
        };
        Verdict::for_reason(
            match path_match::deciding(&self.rules, &form, self.precedence) {
                Some(at) => Reason::Rule {
                    rule: self.rule(at),
                    group,
                },
                // "If no match is found amongst the rules [...] the URI is allowed."
                //                                                              R9309-2.2.2-7
                None => Reason::NoRuleMatched { group },
            },
        )
    }

    /// All rules that match `target`: the one that decides first, then by descending precedence.
    ///
    /// Where the target is exempt ([`Reason::RobotsTxtItself`]) none of them decides.
    #[must_use]
    pub fn matching_rules(&self, target: &TargetPath<'_>) -> Vec<MatchingRule<'_>> {
        let form = target.form(self.comparison);
        let mut matching: Vec<usize> = (0..self.rules.len())
            .filter(|&at| self.rules[at].pattern.matches(&form))
            .collect();
        if self.precedence == Precedence::MostSpecific {
            matching.sort_by(|&left, &right| self.precedence_of(left, right));
        }
        matching
            .into_iter()
            .map(|at| MatchingRule {
                rule: self.rule(at),
                specificity: self.rules[at].pattern.specificity(),
            })
            .collect()
    }

    /// The group that speaks to the crawler, if one does.
    #[must_use]
    pub fn group(&self) -> Option<AppliedGroup> {
        self.group
    }

    /// The rules that can match something, in file order.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = DecidingRule<'_>> {
        (0..self.rules.len()).map(|at| self.rule(at))
    }

    fn rule(&self, at: usize) -> DecidingRule<'_> {
        let rule = &self.rules[at];
        DecidingRule {
            effect: rule.effect,
            line: rule.line,
            pattern: self.written_spans[at].of(&self.written),
        }
    }

    fn precedence_of(&self, left: usize, right: usize) -> Ordering {
        let (left, right) = (&self.rules[left], &self.rules[right]);
        let allow_first = |rule: &CompiledRule| match rule.effect {
            Effect::Allow => 0,
            Effect::Disallow => 1,
        };
        let specificity = |rule: &CompiledRule| rule.pattern.specificity();
        specificity(right)
            .cmp(&specificity(left))
            .then(allow_first(left).cmp(&allow_first(right)))
            .then(left.line.cmp(&right.line))
    }
}

#[derive(Default)]
struct PolicyBuilder {
    rules: Vec<CompiledRule>,
    written: Vec<u8>,
    written_spans: Vec<Span>,
}

impl PolicyBuilder {
    fn rule(&mut self, rule: &Rule<'_>, reading: &Reading) {
        let (effect, value) = (rule.effect(), rule.pattern());
        // K96-4.1-1: a robot may ignore Allow lines; it merely avoids more.
        if reading.allow_lines == AllowLines::Ignored && effect == Effect::Allow {
            return;
        }
        let directory = match (reading.index_page, effect) {
            (IndexPage::StandsForItsDirectory, Effect::Allow) => {
                PathPattern::google_directory_of_index_page(value)
            }
            (IndexPage::StandsForItsDirectory | IndexPage::IsAPage, _) => None,
        };
        // Google tries the directory where the page does not match; where both match, the page
        // is more specific, so that asking both is the same.
        let as_written = PathPattern::new(value, reading.comparison).ok();
        for pattern in as_written.into_iter().chain(directory) {
            let start = self.written.len();
            self.written.extend_from_slice(value);
            self.written_spans
                .push(Span::within(start, self.written.len()));
            self.rules.push(CompiledRule {
                effect,
                line: rule.line(),
                pattern,
            });
        }
    }

    fn finish(self, group: Option<AppliedGroup>, reading: &Reading) -> Policy {
        Policy {
            group,
            rules: self.rules.into_boxed_slice(),
            written: self.written.into_boxed_slice(),
            written_spans: self.written_spans.into_boxed_slice(),
            comparison: reading.comparison,
            precedence: reading.precedence,
            robots_txt_itself: reading.robots_txt_itself,
        }
    }
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<(RobotsTxt, Policy, TargetPath<'_>)>();
};
