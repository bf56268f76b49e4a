//! Rules and groups.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use verger::{AppliedGroup, Effect, Group, LineNumber};

use crate::bytes::text;
use crate::names;
use crate::python_class::PythonClass;

static RULE: PythonClass = PythonClass::value("Rule");
static GROUP: PythonClass = PythonClass::value("Group");
static APPLIED_GROUP: PythonClass = PythonClass::value("AppliedGroup");

pub(crate) fn rule<'py>(
    py: Python<'py>,
    effect: Effect,
    pattern: &[u8],
    line: LineNumber,
) -> PyResult<Bound<'py, PyAny>> {
    RULE.make(
        py,
        (names::effect(py, effect)?, text(py, pattern)?, line.get()),
    )
}

pub(crate) fn applied_group(py: Python<'_>, group: AppliedGroup) -> PyResult<Bound<'_, PyAny>> {
    let named_by = names::named_by(py, group.named_by)?;
    APPLIED_GROUP.make(py, (group.line.get(), named_by))
}

pub(crate) fn group<'py>(py: Python<'py>, group: &Group<'_>) -> PyResult<Bound<'py, PyAny>> {
    let user_agents = group.user_agents();
    let user_agents: PyResult<Vec<_>> = user_agents.map(|it| text(py, it.value())).collect();
    let rules = group.rules();
    let rules: PyResult<Vec<_>> = rules
        .map(|it| rule(py, it.effect(), it.pattern(), it.line()))
        .collect();
    let (user_agents, rules) = (PyTuple::new(py, user_agents?)?, PyTuple::new(py, rules?)?);
    GROUP.make(py, (group.line().get(), user_agents, rules))
}
