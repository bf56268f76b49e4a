//! `Verger::Policy`.

use magnus::typed_data::Obj;
use magnus::value::ReprValue;
use magnus::{DataTypeFunctions, Error, RArray, RString, Ruby, Symbol, TypedData, Value};
use verger::{Dialect, PolicyRule, TargetPath};
use verger_access::KeptAuthority;

use crate::bytes::{frozen_string, string};
use crate::guard::guarded;
use crate::heap_charge::HeapCharge;
use crate::symbol_name::effect_name;
use crate::target::with_found_target;
use crate::verdict_parts::VerdictParts;

#[derive(TypedData)]
#[magnus(class = "Verger::Policy", free_immediately, size, frozen_shareable)]
pub(crate) struct Policy {
    rules: verger::Policy,
    dialect: Dialect,
    authority: KeptAuthority,
    charge: HeapCharge,
}

impl DataTypeFunctions for Policy {
    fn size(&self) -> usize {
        size_of::<Self>() + self.charge.bytes()
    }
}

impl Policy {
    pub(crate) fn wrap(ruby: &Ruby, rules: verger::Policy, dialect: Dialect) -> Obj<Self> {
        let charge = HeapCharge::new(ruby, rules.heap_bytes());
        let object = ruby.obj_wrap(Self {
            rules,
            dialect,
            authority: KeptAuthority::default(),
            charge,
        });
        object.freeze();
        object
    }

    pub(crate) fn allowed(ruby: &Ruby, policy: &Self, url: Value) -> Result<bool, Error> {
        let url = string(ruby, url)?;
        guarded(ruby, || {
            policy.with_target(ruby, url, |target| policy.rules.decide(target).is_allowed())
        })
    }

    /// `#decide(url)`, private: the values of a `Verger::Verdict`.
    pub(crate) fn decide(ruby: &Ruby, policy: &Self, url: Value) -> Result<RArray, Error> {
        let url = string(ruby, url)?;
        guarded(ruby, || {
            let verdict = policy.with_target(ruby, url, |target| policy.rules.decide(target))?;
            Ok(VerdictParts::of(&verdict, &policy.rules).array(ruby))
        })
    }

    fn with_target<R: Send>(
        &self,
        ruby: &Ruby,
        url: RString,
        read: impl FnOnce(&TargetPath<'_>) -> R + Send,
    ) -> Result<R, Error> {
        let (authority, dialect) = (&self.authority, self.dialect);
        with_found_target(ruby, url, |url| authority.asked_target(url, dialect), read)
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

    pub(crate) fn dialect(ruby: &Ruby, policy: &Self) -> Symbol {
        ruby.to_symbol(policy.dialect.as_str())
    }
}

fn parts_of_rule(ruby: &Ruby, rule: &PolicyRule<'_>) -> (Symbol, RString, u32) {
    (
        effect_name(ruby, rule.effect),
        frozen_string(ruby, rule.pattern),
        rule.line.get(),
    )
}
