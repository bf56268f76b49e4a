//! Encodes verdicts.

use verger::{AppliedGroup, Effect, NamedBy, Reason};

use crate::answer::{kept, put};

/// Puts a verdict into the words of the answer. The pattern is kept until the next text.
pub(crate) fn put_verdict(
    effect: Effect,
    reason: Reason,
    rule: Option<(u32, &[u8])>,
    group: Option<AppliedGroup>,
) {
    let (line, pattern) = rule.unwrap_or((0, &[]));
    let [place, length] = kept(pattern.to_vec());
    put([
        u32::from(effect == Effect::Allow),
        match reason {
            Reason::Rule => 0,
            Reason::NoRuleMatched => 1,
            Reason::NoGroup => 2,
            Reason::RobotsTxtItself => 3,
        },
        line,
        group.map_or(0, |group| group.line.get()),
        u32::from(group.is_some_and(|group| group.named_by == NamedBy::Token)),
        place,
        length,
    ]);
}
