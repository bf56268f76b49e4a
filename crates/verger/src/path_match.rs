//! Which of the matching rules decides (RFC 9309 2.2.2), spelled out as the documents spell it.

use crate::dialect::Precedence;
use crate::path_pattern::{PathPattern, Specificity};
use crate::span::LineNumber;
use crate::verdict::Effect;

/// A rule of the groups that speak to a crawler, ready to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CompiledRule {
    pub(crate) effect: Effect,
    pub(crate) line: LineNumber,
    pub(crate) pattern: PathPattern,
}

impl CompiledRule {
    fn specificity(&self) -> Specificity {
        self.pattern.specificity()
    }
}

/// The position in `rules` of the one that decides about `target`; `None` where none matches.
pub(crate) fn deciding(
    rules: &[CompiledRule],
    target: &[u8],
    precedence: Precedence,
) -> Option<usize> {
    let mut matching = (0..rules.len()).filter(|&at| rules[at].pattern.matches(target));
    match precedence {
        // "The matching MUST be done in the order they occur in the record; the first match
        //  found is used."                                                        K96-3.2.2-2
        Precedence::FirstMatch => matching.next(),
        // "The most specific match found MUST be used."                        R9309-2.2.2-4
        Precedence::MostSpecific => matching.reduce(|best, next| {
            if takes_precedence(&rules[next], &rules[best]) {
                next
            } else {
                best
            }
        }),
    }
}

/// Whether `later` decides rather than `earlier`, which stands before it and matches too.
pub(crate) fn takes_precedence(later: &CompiledRule, earlier: &CompiledRule) -> bool {
    if later.specificity() == earlier.specificity() {
        // "If an allow rule and a disallow rule are equivalent, then the allow rule SHOULD be
        //  used."                                                              R9309-2.2.2-6
        later.effect == Effect::Allow && earlier.effect == Effect::Disallow
    } else {
        later.specificity() > earlier.specificity()
    }
}
