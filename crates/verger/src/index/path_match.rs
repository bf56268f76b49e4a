//! Decides which of the matching rules applies, as the documents spell it out (RFC 9309 2.2.2). It
//! is the reference for [`crate::index::rule_index`] and the source of explanations.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::compare::path_pattern::PathPattern;
use crate::compare::pattern_value::google_directory_of_index_page;
use crate::compare::specificity::Specificity;
use crate::compare::target_path::TargetPath;
use crate::crawler::Crawler;
use crate::dialect::{AllowLines, IndexPage, Precedence};
use crate::read::robots_txt::{Group, RobotsTxt};
use crate::verdict::{Effect, PolicyRule};

/// A rule that matches a target, whether it decides or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchingRule<'r> {
    /// The rule.
    pub rule: PolicyRule<'r>,
    /// How specific it is.
    pub specificity: Specificity,
}

fn by_precedence(left: &MatchingRule<'_>, right: &MatchingRule<'_>) -> Ordering {
    let allow_first = |matching: &MatchingRule<'_>| match matching.rule.effect {
        Effect::Allow => 0,
        Effect::Disallow => 1,
    };
    // "The most specific match found MUST be used."                            R9309-2.2.2-4
    (right.specificity.cmp(&left.specificity))
        // "If an allow rule and a disallow rule are equivalent, then the allow rule SHOULD be
        //  used."                                                              R9309-2.2.2-6
        .then(allow_first(left).cmp(&allow_first(right)))
        // Among equals the first line is reported, as in Google's library.
        .then(left.rule.line.cmp(&right.rule.line))
}

impl RobotsTxt {
    /// Returns all rules for `crawler` that match `target`, in order of precedence. The first one
    /// decides, unless the target is exempt ([`crate::Reason::RobotsTxtItself`]). Compares every
    /// rule.
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
        let target = &target.with_form(&form);
        let mut matching = Vec::new();
        for rule in group_match.groups().iter().flat_map(Group::rules) {
            let (effect, pattern) = (rule.effect(), rule.pattern());
            // K96-4.1-1: a crawler may ignore Allow lines. It then merely avoids more.
            if reading.allow_lines == AllowLines::Ignored && effect == Effect::Allow {
                continue;
            }
            let directory = match (reading.index_page, effect) {
                (IndexPage::StandsForItsDirectory, Effect::Allow) => {
                    google_directory_of_index_page(pattern)
                }
                (IndexPage::StandsForItsDirectory | IndexPage::IsAPage, _) => None,
            };
            // Google tries the directory only if the page does not match. If both match, the page
            // is more specific, so comparing both gives the same answer.
            for value in [Some(pattern), directory.as_deref()].into_iter().flatten() {
                let compiled = PathPattern::compile(value, reading.comparison);
                if let Some(compiled) = compiled.ok().filter(|it| it.matches_form(target)) {
                    let line = rule.line();
                    matching.push(MatchingRule {
                        rule: PolicyRule {
                            effect,
                            line,
                            pattern,
                        },
                        specificity: compiled.specificity(),
                    });
                }
            }
        }
        match reading.precedence {
            // "try to match [...] in the order they occur in the record; the first match found is
            //  used"                                                             K96-3.2.2-2
            Precedence::FirstMatch => {}
            Precedence::MostSpecific => matching.sort_by(by_precedence),
        }
        matching
    }
}
