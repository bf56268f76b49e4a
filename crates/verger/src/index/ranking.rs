//! The rules of a crawler's groups in the order of their precedence, for a policy.
//!
//! The reference is `path_match.rs`, which sorts by the documents' words. Here a rule's place is
//! one number: its specificity, its effect and its position, sorted at once.

use alloc::vec::Vec;

use super::kept_rules::RankedRule;
use super::rule_pattern::RulePattern;
use crate::compare::path_pattern::{PathPattern, Specificity};
use crate::dialect::{AllowLines, IndexPage, Precedence, Reading};
use crate::group_match::GroupMatch;
use crate::read::robots_txt::{Group, Rule};
use crate::span::offset;
use crate::verdict::Effect;

/// The rules that can match something; those that take precedence first.
pub(crate) fn ranked_rules<'r>(
    group_match: &GroupMatch<'r, '_>,
    reading: &Reading,
) -> Vec<RankedRule<'r>> {
    let groups = group_match.groups();
    let records = |group: &Group<'_>| group.records().size_hint().0;
    let records = groups.iter().map(records).sum();
    let mut sorted = Sorter {
        precedence: reading.precedence,
        places: Vec::with_capacity(records),
        rules: Vec::with_capacity(records),
    };
    for rule in groups.iter().flat_map(Group::rules) {
        // K96-4.1-1: a robot may ignore Allow lines; it merely avoids more.
        if reading.allow_lines == AllowLines::Ignored && rule.effect() == Effect::Allow {
            continue;
        }
        if let Ok((pattern, specificity)) = RulePattern::new(rule.pattern(), reading.comparison) {
            sorted.push(rule, pattern, specificity);
        }
        // Google tries the directory where the page does not match; where both match, the page
        // is more specific, so that asking both is the same.
        if reading.index_page == IndexPage::StandsForItsDirectory
            && rule.effect() == Effect::Allow
            && let Some(directory) = PathPattern::google_directory_of_index_page(rule.pattern())
        {
            let specificity = directory.specificity();
            sorted.push(rule, RulePattern::compiled(directory), specificity);
        }
    }
    sorted.by_rank()
}

struct Sorter<'r> {
    precedence: Precedence,
    /// What sorts the rules, with their positions in the lower half.
    places: Vec<u64>,
    rules: Vec<Option<RankedRule<'r>>>,
}

impl<'r> Sorter<'r> {
    fn push(&mut self, rule: Rule<'r>, pattern: RulePattern<'r>, specificity: Specificity) {
        let less_specific = match self.precedence {
            Precedence::FirstMatch => 0,
            Precedence::MostSpecific => u64::from(u32::MAX - specificity.octets()) << 32,
        };
        let behind_allow = match (self.precedence, rule.effect()) {
            (Precedence::FirstMatch, _) | (_, Effect::Allow) => 0,
            (Precedence::MostSpecific, Effect::Disallow) => BEHIND_ALLOW,
        };
        // Of equals the first line is named.
        let position = u64::from(offset(self.rules.len()));
        self.places.push(less_specific | behind_allow | position);
        self.rules.push(Some(RankedRule {
            effect: rule.effect(),
            line: rule.line(),
            written: rule.pattern(),
            pattern,
        }));
    }

    fn by_rank(mut self) -> Vec<RankedRule<'r>> {
        self.places.sort_unstable();
        let position = |place: &u64| usize::try_from(place & (BEHIND_ALLOW - 1)).unwrap_or(0);
        let ranked = self.places.iter().map(position);
        ranked
            .filter_map(|at| self.rules.get_mut(at)?.take())
            .collect()
    }
}

/// A bit between specificity and position: a body has fewer rules than it counts.
const BEHIND_ALLOW: u64 = 1 << 31;
