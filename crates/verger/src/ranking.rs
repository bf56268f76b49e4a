//! The rules of a crawler's groups in the order of their precedence, for a policy.
//!
//! The plain twin is `path_match.rs`, which sorts by the documents' words. Here a rule's place is
//! one number: its specificity, its effect and its position, sorted at once.

use alloc::vec::Vec;

use crate::dialect::{AllowLines, IndexPage, Precedence, Reading};
use crate::group_match::GroupMatch;
use crate::kept_rules::RankedRule;
use crate::path_pattern::{PathPattern, Specificity};
use crate::robots_txt::{Group, Rule};
use crate::rule_pattern::RulePattern;
use crate::verdict::Effect;

/// The rules that can match something; those that take precedence first.
pub(crate) fn ranked_rules<'r>(
    group_match: &GroupMatch<'r>,
    reading: &Reading,
) -> Vec<RankedRule<'r>> {
    let groups = group_match.groups();
    let records = |group: &Group<'_>| group.records().size_hint().0;
    let mut rules = Vec::with_capacity(groups.iter().map(records).sum());
    for rule in groups.iter().flat_map(Group::rules) {
        // K96-4.1-1: a robot may ignore Allow lines; it merely avoids more.
        if reading.allow_lines == AllowLines::Ignored && rule.effect() == Effect::Allow {
            continue;
        }
        if let Ok((pattern, specificity)) = RulePattern::new(rule.pattern(), reading.comparison) {
            rules.push((specificity, ranked(rule, pattern)));
        }
        // Google tries the directory where the page does not match; where both match, the page
        // is more specific, so that asking both is the same.
        if reading.index_page == IndexPage::StandsForItsDirectory
            && rule.effect() == Effect::Allow
            && let Some(directory) = PathPattern::google_directory_of_index_page(rule.pattern())
        {
            let specificity = directory.specificity();
            rules.push((specificity, ranked(rule, RulePattern::compiled(directory))));
        }
    }
    by_precedence(rules, reading.precedence)
}

fn ranked<'r>(rule: Rule<'r>, pattern: RulePattern<'r>) -> RankedRule<'r> {
    RankedRule {
        effect: rule.effect(),
        line: rule.line(),
        written: rule.pattern(),
        pattern,
    }
}

fn by_precedence(
    rules: Vec<(Specificity, RankedRule<'_>)>,
    precedence: Precedence,
) -> Vec<RankedRule<'_>> {
    let mut rules: Vec<_> = rules.into_iter().zip(0_u32..).collect();
    let place = |((specificity, rule), position): &((Specificity, RankedRule<'_>), u32)| {
        let less_specific = u64::from(u32::MAX - specificity.octets());
        let behind_allow = match rule.effect {
            Effect::Allow => 0,
            Effect::Disallow => 1,
        };
        // Of equals the first line is told.
        (less_specific << 32) | (behind_allow << 31) | u64::from(*position)
    };
    match precedence {
        Precedence::FirstMatch => {}
        Precedence::MostSpecific => rules.sort_unstable_by_key(place),
    }
    rules.into_iter().map(|((_, rule), _)| rule).collect()
}
