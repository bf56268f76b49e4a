//! `Verger::Policy`.

use magnus::typed_data::Obj;
use magnus::value::ReprValue;
use magnus::{
    DataTypeFunctions, Error, IntoValue, RArray, RString, Ruby, Symbol, TypedData, Value,
};
use verger::{Dialect, PolicyRule, Verdict};

use crate::guard::guarded;
use crate::heap_charge::HeapCharge;
use crate::octets::{frozen_string, string};
use crate::symbol_name::{effect_name, named_by_name, reason_name};
use crate::target::with_target;

/// A policy, wrapped.
#[derive(TypedData)]
#[magnus(class = "Verger::Policy", free_immediately, size, frozen_shareable)]
pub(crate) struct Policy {
    rules: verger::Policy,
    dialect: Dialect,
    charge: HeapCharge,
}

impl DataTypeFunctions for Policy {
    fn size(&self) -> usize {
        size_of::<Self>() + self.charge.octets()
    }
}

impl Policy {
    pub(crate) fn wrap(ruby: &Ruby, rules: verger::Policy, dialect: Dialect) -> Obj<Self> {
        let charge = HeapCharge::new(ruby, rules.heap_octets());
        let object = ruby.obj_wrap(Self {
            rules,
            dialect,
            charge,
        });
        object.freeze();
        object
    }

    /// `#allowed?(url)`.
    pub(crate) fn allowed(ruby: &Ruby, policy: &Self, url: Value) -> Result<bool, Error> {
        let url = string(ruby, url)?;
        guarded(ruby, || {
            with_target(ruby, url, policy.dialect, |target| {
                policy.rules.decide(target).is_allowed()
            })
        })
    }

    /// `#decide(url)`, private: what `Verger::Verdict` is made of.
    pub(crate) fn decide(ruby: &Ruby, policy: &Self, url: Value) -> Result<RArray, Error> {
        let url = string(ruby, url)?;
        guarded(ruby, || {
            let verdict = with_target(ruby, url, policy.dialect, |target| {
                policy.rules.decide(target)
            })?;
            Ok(parts(ruby, &policy.rules, &verdict))
        })
    }

    /// `#rule_parts`, private: effect, pattern and line of each rule, in order of precedence.
    pub(crate) fn rule_parts(ruby: &Ruby, policy: &Self) -> Result<RArray, Error> {
        guarded(ruby, || {
            let rules = ruby.ary_new();
            for rule in policy.rules.rules() {
                rules.push(parts_of_rule(ruby, &rule))?;
            }
            Ok(rules)
        })
    }

    /// `#dialect`.
    pub(crate) fn dialect(ruby: &Ruby, policy: &Self) -> Symbol {
        ruby.to_symbol(policy.dialect.as_str())
    }
}

/// Effect, reason, pattern and line of the rule, line of the group and how the crawler came to it;
/// nil for what there is not.
fn parts(ruby: &Ruby, policy: &verger::Policy, verdict: &Verdict) -> RArray {
    let rule = verdict.rule().and_then(|id| policy.rule(id));
    let group = verdict.group();
    let parts: [Value; 6] = [
        effect_name(ruby, verdict.effect()).as_value(),
        reason_name(ruby, verdict.reason()).as_value(),
        rule.map(|rule| frozen_string(ruby, rule.pattern))
            .into_value_with(ruby),
        rule.map(|rule| rule.line.get()).into_value_with(ruby),
        group.map(|group| group.line.get()).into_value_with(ruby),
        group
            .map(|group| named_by_name(ruby, group.named_by))
            .into_value_with(ruby),
    ];
    ruby.ary_new_from_values(&parts)
}

fn parts_of_rule(ruby: &Ruby, rule: &PolicyRule<'_>) -> (Symbol, RString, u32) {
    (
        effect_name(ruby, rule.effect),
        frozen_string(ruby, rule.pattern),
        rule.line.get(),
    )
}
