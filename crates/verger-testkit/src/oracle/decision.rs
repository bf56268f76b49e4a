use super::groups::Rule;
use super::records::Effect;
use super::{decoded_form, escaped_form, unit_form};
use crate::subject::DialectName;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    ByRule {
        /// Counted from 1.
        line: u32,
        allowed: bool,
    },
    NoRuleMatched,
}

#[derive(Clone, Copy)]
struct Match {
    line: u32,
    effect: Effect,
    /// In bytes. Never 0, because empty rules never match.
    specificity: usize,
}

/// Returns `true` if the target is the file itself, which no rule can disallow. Google exempts
/// nothing.
pub(super) fn is_exempt(target: &[u8], dialect: DialectName) -> bool {
    match dialect {
        DialectName::Google => false,
        DialectName::Rfc9309 | DialectName::Draft2019 => unit_form::is_robots_txt(target),
        DialectName::Koster1996 => decoded_form::is_robots_txt(target),
    }
}

pub(super) fn decide<'r>(
    rules: impl Iterator<Item = &'r Rule>,
    target: &[u8],
    dialect: DialectName,
) -> Decision {
    // All allow and disallow paths are matched against the target.        R9309-2.2.2-1
    let matches: Vec<Match> = match dialect {
        DialectName::Rfc9309 | DialectName::Draft2019 => {
            let target = unit_form::units(target);
            rules
                .filter_map(|rule| match_by_units(rule, &target))
                .collect()
        }
        DialectName::Google => rules
            .filter_map(|rule| match_as_google(rule, target))
            .collect(),
        DialectName::Koster1996 => {
            let target = decoded_form::tokens(target);
            rules
                .filter_map(|rule| match_of_1996(rule, &target))
                .collect()
        }
    };
    let deciding = match dialect {
        // "… in the order they occur in the record."                      K96-3.2.2-2
        DialectName::Koster1996 => matches.first().copied(),
        DialectName::Rfc9309 | DialectName::Draft2019 | DialectName::Google => {
            most_specific(&matches)
        }
    };
    match deciding {
        Some(rule) => Decision::ByRule {
            line: rule.line,
            allowed: rule.effect == Effect::Allow,
        },
        None => Decision::NoRuleMatched,
    }
}

/// "The most specific match found MUST be used."                           R9309-2.2.2-4
fn most_specific(matches: &[Match]) -> Option<Match> {
    let allow = first_of_most_specific(matches, Effect::Allow);
    let disallow = first_of_most_specific(matches, Effect::Disallow);
    match (allow, disallow) {
        (Some(allow), Some(disallow)) if disallow.specificity > allow.specificity => Some(disallow),
        // If rules are equivalent, the allow rule is used.                R9309-2.2.2-6
        (Some(allow), _) => Some(allow),
        (None, disallow) => disallow,
    }
}

fn first_of_most_specific(matches: &[Match], effect: Effect) -> Option<Match> {
    let mut best: Option<Match> = None;
    for candidate in matches.iter().filter(|found| found.effect == effect) {
        if best.is_none_or(|best| candidate.specificity > best.specificity) {
            best = Some(*candidate);
        }
    }
    best
}

/// Returns the specificity of a path of Content-Usage that matches the target. It is matched and
/// measured as the path of a rule.                                                   AA-2
pub(super) fn specificity(path: &[u8], target: &[u8], dialect: DialectName) -> Option<usize> {
    let rule = Rule {
        line: 1,
        effect: Effect::Disallow,
        value: path.to_vec(),
    };
    let found = match dialect {
        DialectName::Rfc9309 | DialectName::Draft2019 => {
            match_by_units(&rule, &unit_form::units(target))
        }
        DialectName::Google => match_as_google(&rule, target),
        DialectName::Koster1996 => match_of_1996(&rule, &decoded_form::tokens(target)),
    };
    found.map(|it| it.specificity)
}

fn match_by_units(rule: &Rule, target: &[unit_form::Unit]) -> Option<Match> {
    let pattern = unit_form::PathPattern::compile(&rule.value)?;
    pattern.matches(target).then(|| Match {
        line: rule.line,
        effect: rule.effect,
        specificity: pattern.specificity(),
    })
}

fn match_as_google(rule: &Rule, target: &[u8]) -> Option<Match> {
    if rule.value.is_empty() {
        return None;
    }
    let found = |pattern: &[u8]| {
        escaped_form::is_match(pattern, target).then_some(Match {
            line: rule.line,
            effect: rule.effect,
            specificity: pattern.len(),
        })
    };
    let pattern = escaped_form::escaped(&rule.value);
    match rule.effect {
        Effect::Disallow => found(&pattern),
        Effect::Allow => found(&pattern).or_else(|| {
            let directory = escaped_form::directory_of_index_page(&pattern)?;
            found(&directory)
        }),
    }
}

fn match_of_1996(rule: &Rule, target: &[decoded_form::Token]) -> Option<Match> {
    decoded_form::is_match(&rule.value, target).then_some(Match {
        line: rule.line,
        effect: rule.effect,
        specificity: rule.value.len(),
    })
}
