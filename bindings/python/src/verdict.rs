//! `verger.Verdict`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use verger::{AppliedGroup, BodyVerdict, Effect, LineNumber, NamedBy, PolicyRule, Reason, RuleId};

use crate::bytes::bytes;
use crate::names;
use crate::rule_values;

/// The decision about a URL, and the reason.
#[pyclass(frozen, eq, module = "verger")]
#[derive(Clone)]
pub(crate) struct Verdict {
    effect: Effect,
    reason: Reason,
    group: Option<AppliedGroup>,
    rule: Option<DecidingRule>,
}

#[derive(Clone)]
enum DecidingRule {
    /// A rule of the policy that decided.
    InPolicy(Arc<verger::Policy>, RuleId),
    /// The pattern and line of a rule, from one pass over a body or from a pickle.
    Own(Arc<[u8]>, LineNumber),
}

/// Contents of a pickle: effect, reason, the rule's pattern and line, the group's line and whether
/// the group names the crawler.
type Parts<'p> = (
    &'static str,
    &'static str,
    Option<(&'p [u8], u32)>,
    Option<(u32, bool)>,
);

impl Verdict {
    pub(crate) fn of(verdict: &verger::Verdict, policy: &Arc<verger::Policy>) -> Self {
        let rule = verdict.rule();
        Self {
            effect: verdict.effect(),
            reason: verdict.reason(),
            group: verdict.group(),
            rule: rule.map(|id| DecidingRule::InPolicy(Arc::clone(policy), id)),
        }
    }

    /// Creates a verdict from one pass over a body, with a copy of its rule.
    pub(crate) fn of_body(verdict: &BodyVerdict<'_>) -> Self {
        let rule = verdict.pattern().zip(verdict.line());
        Self {
            effect: verdict.effect(),
            reason: verdict.reason(),
            group: verdict.group(),
            rule: rule.map(|(pattern, line)| DecidingRule::Own(pattern.into(), line)),
        }
    }

    /// Creates a verdict with a copy of its rule, if the policy is not kept.
    pub(crate) fn with_rule(verdict: &verger::Verdict, rule: Option<PolicyRule<'_>>) -> Self {
        Self {
            effect: verdict.effect(),
            reason: verdict.reason(),
            group: verdict.group(),
            rule: rule.map(|rule| DecidingRule::Own(rule.pattern.into(), rule.line)),
        }
    }

    fn rule_view(&self) -> Option<PolicyRule<'_>> {
        match self.rule.as_ref()? {
            DecidingRule::InPolicy(policy, id) => policy.rule(*id),
            DecidingRule::Own(pattern, line) => Some(PolicyRule {
                effect: self.effect,
                pattern,
                line: *line,
            }),
        }
    }

    fn parts(&self) -> Parts<'_> {
        (
            self.effect.as_str(),
            self.reason.as_str(),
            self.rule_view().map(|rule| (rule.pattern, rule.line.get())),
            self.group
                .map(|it| (it.line.get(), it.named_by == NamedBy::Token)),
        )
    }
}

impl PartialEq for Verdict {
    fn eq(&self, other: &Self) -> bool {
        self.parts() == other.parts()
    }
}

#[pymethods]
impl Verdict {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str) {
        ("effect", "reason", "line")
    }

    /// `Effect.ALLOW` or `Effect.DISALLOW`.
    #[getter]
    pub(crate) fn effect<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        names::effect(py, self.effect)
    }

    /// The reason for the effect.
    #[getter]
    fn reason<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        names::reason(py, self.reason)
    }

    /// Whether the URL may be fetched. A verdict is also true or false accordingly.
    #[getter]
    pub(crate) fn allowed(&self) -> bool {
        self.effect == Effect::Allow
    }

    /// The line of the rule that decided.
    #[getter]
    fn line(&self) -> Option<u32> {
        self.rule_view().map(|rule| rule.line.get())
    }

    /// The rule that decided.
    #[getter]
    fn rule<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let rule = self.rule_view();
        rule.map(|it| rule_values::rule(py, it.effect, it.pattern, it.line))
            .transpose()
    }

    /// The group that applies to the crawler.
    #[getter]
    fn group<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let group = self.group;
        group
            .map(|group| rule_values::applied_group(py, group))
            .transpose()
    }

    /// Return the verdict with the keys of the command's JSON (see `docs/json.md`).
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let verdict = PyDict::new(py);
        verdict.set_item("allowed", self.allowed())?;
        verdict.set_item("reason", self.reason.as_str())?;
        verdict.set_item("line", self.line())?;
        let rule = self.rule_view().map(|it| it.to_string());
        verdict.set_item("rule", rule)?;
        let group = self.group.map(|group| {
            let of_group = PyDict::new(py);
            of_group.set_item("line", group.line.get())?;
            of_group.set_item("named", group.named_by == NamedBy::Token)?;
            Ok::<_, PyErr>(of_group)
        });
        verdict.set_item("group", group.transpose()?)?;
        Ok(verdict)
    }

    fn __bool__(&self) -> bool {
        self.allowed()
    }

    pub(crate) fn __str__(&self) -> String {
        let why = match (self.rule_view(), self.reason) {
            (Some(rule), _) => format!("line {}: {rule}", rule.line),
            (None, Reason::NoGroup) => "no group applies to the crawler".to_owned(),
            (None, Reason::RobotsTxtItself) => "robots.txt itself is always allowed".to_owned(),
            (None, Reason::Rule | Reason::NoRuleMatched) => "no rule matches".to_owned(),
        };
        let group = self.group.map(|group| match group.named_by {
            NamedBy::Token => format!(" (group at line {}, by name)", group.line),
            NamedBy::Star => format!(" (group at line {}, *)", group.line),
        });
        format!("{}ed, {why}{}", self.effect, group.unwrap_or_default())
    }

    fn __repr__(&self) -> String {
        format!("<Verdict {}>", self.__str__())
    }

    pub(crate) fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.parts().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Parts<'_>)> {
        let restore = py.import("verger._verger")?.getattr("_verdict")?;
        Ok((restore, self.parts()))
    }
}

/// Restore a verdict from a pickle.
#[pyfunction]
#[pyo3(name = "_verdict")]
pub(crate) fn restored(
    effect: &str,
    reason: &str,
    rule: Option<(Bound<'_, PyAny>, u32)>,
    group: Option<(u32, bool)>,
) -> PyResult<Verdict> {
    let damaged = || PyValueError::new_err("cannot restore Verdict: the pickle is malformed");
    let effect = match effect {
        "allow" => Effect::Allow,
        "disallow" => Effect::Disallow,
        _ => return Err(damaged()),
    };
    let mut reasons = Reason::ALL.iter().copied();
    let reason = reasons.find(|it| it.as_str() == reason);
    let line = |number| LineNumber::new(number).ok_or_else(damaged);
    Ok(Verdict {
        effect,
        reason: reason.ok_or_else(damaged)?,
        rule: match rule {
            Some((pattern, number)) => {
                let pattern = bytes(&pattern)?.into_owned();
                Some(DecidingRule::Own(pattern.into(), line(number)?))
            }
            None => None,
        },
        group: match group {
            Some((number, is_named)) => Some(AppliedGroup {
                line: line(number)?,
                named_by: if is_named {
                    NamedBy::Token
                } else {
                    NamedBy::Star
                },
            }),
            None => None,
        },
    })
}
