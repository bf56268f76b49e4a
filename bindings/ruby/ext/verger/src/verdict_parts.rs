//! The values that make up a `Verger::Verdict`.

use std::borrow::Cow;

use magnus::value::ReprValue;
use magnus::{IntoValue, RArray, Ruby, Value};
use verger::{AppliedGroup, BodyVerdict, Effect, LineNumber, Policy, Reason, Verdict};

use crate::bytes::frozen_string;
use crate::symbol_name::{effect_name, named_by_name, reason_name};

/// The values of a verdict, without Ruby objects.
pub(crate) struct VerdictParts<'p> {
    effect: Effect,
    reason: Reason,
    rule: Option<(Cow<'p, [u8]>, LineNumber)>,
    group: Option<AppliedGroup>,
}

impl<'p> VerdictParts<'p> {
    /// Creates the values of a verdict of `policy`.
    pub(crate) fn of(verdict: &Verdict, policy: &'p Policy) -> Self {
        let rule = verdict.rule().and_then(|id| policy.rule(id));
        Self {
            effect: verdict.effect(),
            reason: verdict.reason(),
            rule: rule.map(|rule| (rule.pattern.into(), rule.line)),
            group: verdict.group(),
        }
    }

    /// Creates the values of a verdict from one pass over a body, with owned data.
    pub(crate) fn of_body(verdict: &BodyVerdict<'_>) -> Self {
        let rule = verdict.pattern().zip(verdict.line());
        Self {
            effect: verdict.effect(),
            reason: verdict.reason(),
            rule: rule.map(|(pattern, line)| (pattern.to_vec().into(), line)),
            group: verdict.group(),
        }
    }

    /// Returns the effect, the reason, the pattern and line of the rule, the line of the group, and
    /// whether it names the crawler. Missing values are nil.
    pub(crate) fn array(&self, ruby: &Ruby) -> RArray {
        let (rule, group) = (self.rule.as_ref(), self.group);
        let parts: [Value; 6] = [
            effect_name(ruby, self.effect).as_value(),
            reason_name(ruby, self.reason).as_value(),
            rule.map(|(pattern, _)| frozen_string(ruby, pattern))
                .into_value_with(ruby),
            rule.map(|(_, line)| line.get()).into_value_with(ruby),
            group.map(|group| group.line.get()).into_value_with(ruby),
            group
                .map(|group| named_by_name(ruby, group.named_by))
                .into_value_with(ruby),
        ];
        ruby.ary_new_from_values(&parts)
    }
}
