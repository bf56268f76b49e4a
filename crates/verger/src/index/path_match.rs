//! Which of the matching rules decides (RFC 9309 2.2.2), spelled out as the documents spell it:
//! every rule is compared. The reference of [`crate::index::rule_index`], and what explanations show.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::compare::path_pattern::{PathPattern, google_directory_of_index_page};
use crate::compare::specificity::Specificity;
use crate::compare::target_path::TargetPath;
use crate::crawler::Crawler;
use crate::dialect::{AllowLines, IndexPage, Precedence, Reading};
use crate::group_match::GroupMatch;
use crate::read::robots_txt::{Group, RobotsTxt, Rule};
use crate::verdict::{Effect, PolicyRule};

/// A rule of the groups that apply to a crawler, ready to be compared.
#[derive(Clone, Debug)]
struct CompiledRule<'r> {
    rule: Rule<'r>,
    pattern: PathPattern,
}

/// A rule that matches a target, whether it decides or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchingRule<'r> {
    /// The rule.
    pub rule: PolicyRule<'r>,
    /// How specific it is.
    pub specificity: Specificity,
}

impl CompiledRule<'_> {
    fn effect(&self) -> Effect {
        self.rule.effect()
    }
}

/// The rules of a crawler's groups that can match something, in file order.
fn compiled_rules<'r>(
    group_match: &GroupMatch<'r, '_>,
    reading: &Reading,
) -> Vec<CompiledRule<'r>> {
    let mut rules = Vec::new();
    for rule in group_match.groups().iter().flat_map(Group::rules) {
        // K96-4.1-1: a robot may ignore Allow lines; it merely avoids more.
        if reading.allow_lines == AllowLines::Ignored && rule.effect() == Effect::Allow {
            continue;
        }
        let value = rule.pattern();
        let directory = match (reading.index_page, rule.effect()) {
            (IndexPage::StandsForItsDirectory, Effect::Allow) => {
                google_directory_of_index_page(value)
                    .and_then(|directory| PathPattern::compile(&directory, reading.comparison).ok())
            }
            (IndexPage::StandsForItsDirectory | IndexPage::IsAPage, _) => None,
        };
        // Google tries the directory where the page does not match; where both match, the page
        // is more specific, so that asking both is the same.
        let as_written = PathPattern::compile(value, reading.comparison).ok();
        for pattern in as_written.into_iter().chain(directory) {
            rules.push(CompiledRule { rule, pattern });
        }
    }
    rules
}

/// Sorts rules so that the first of those that match decides.
fn sort_by_precedence(rules: &mut [CompiledRule<'_>], precedence: Precedence) {
    match precedence {
        // "try to match [...] in the order they occur in the record; the first match found is
        //  used"                                                                 K96-3.2.2-2
        Precedence::FirstMatch => {}
        Precedence::MostSpecific => rules.sort_by(by_precedence),
    }
}

fn by_precedence(left: &CompiledRule<'_>, right: &CompiledRule<'_>) -> Ordering {
    let specificity = |rule: &CompiledRule<'_>| rule.pattern.specificity();
    let allow_first = |rule: &CompiledRule<'_>| match rule.effect() {
        Effect::Allow => 0,
        Effect::Disallow => 1,
    };
    // "The most specific match found MUST be used."                            R9309-2.2.2-4
    specificity(right)
        .cmp(&specificity(left))
        // "If an allow rule and a disallow rule are equivalent, then the allow rule SHOULD be
        //  used."                                                              R9309-2.2.2-6
        .then(allow_first(left).cmp(&allow_first(right)))
        // Of equals the first line is named, as Google's library does.
        .then(left.rule.line().cmp(&right.rule.line()))
}

impl RobotsTxt {
    /// All rules for `crawler` that match `target`: the one that decides first, then by
    /// descending precedence. Every rule is compared, one after the other.
    ///
    /// Where the target is exempt ([`crate::Reason::RobotsTxtItself`]) none of them decides.
    #[must_use]
    pub fn matching_rules(
        &self,
        crawler: &Crawler,
        target: &TargetPath<'_>,
    ) -> Vec<MatchingRule<'_>> {
        let Some(group_match) = self.groups_for(crawler) else {
            return Vec::new();
        };
        let reading = self.reading();
        let form = target.form(reading.comparison);
        let mut rules = compiled_rules(&group_match, reading);
        rules.retain(|rule| rule.pattern.matches_form(&form));
        sort_by_precedence(&mut rules, reading.precedence);
        rules
            .iter()
            .map(|CompiledRule { rule, pattern }| MatchingRule {
                rule: PolicyRule {
                    effect: rule.effect(),
                    line: rule.line(),
                    pattern: rule.pattern(),
                },
                specificity: pattern.specificity(),
            })
            .collect()
    }
}
