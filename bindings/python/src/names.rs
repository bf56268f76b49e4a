//! Enums of the Python side. Their members are cached, because creating one from its text costs
//! more than a decision.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use verger::{Dialect, Effect, NamedBy, Reason};
use verger_extensions::{Preference, Signal};

use crate::python_class::PythonClass;

struct Members<const N: usize> {
    class: PythonClass,
    values: [&'static str; N],
    looked_up: PyOnceLock<Vec<Py<PyAny>>>,
}

impl<const N: usize> Members<N> {
    const fn new(name: &'static str, values: [&'static str; N]) -> Self {
        Self {
            class: PythonClass::new("verger._names", name),
            values,
            looked_up: PyOnceLock::new(),
        }
    }

    fn nth<'py>(&self, py: Python<'py>, nth: usize) -> PyResult<Bound<'py, PyAny>> {
        let look_up = || -> PyResult<Vec<Py<PyAny>>> {
            let values = self.values.iter();
            let look_up = |value: &&str| Ok(self.class.make(py, (*value,))?.unbind());
            values.map(look_up).collect()
        };
        let members = self.looked_up.get_or_try_init(py, look_up)?;
        Ok(members[nth].bind(py).clone())
    }
}

static DIALECTS: Members<4> =
    Members::new("Dialect", ["rfc9309", "google", "draft2019", "koster1996"]);
static EFFECTS: Members<2> = Members::new("Effect", ["allow", "disallow"]);
static REASONS: Members<4> = Members::new("Reason", ["rule", "no-rule", "no-group", "robots-txt"]);
static NAMED_BY: Members<2> = Members::new("NamedBy", ["token", "star"]);
static SIGNALS: Members<2> = Members::new("Signal", ["yes", "no"]);
static PREFERENCES: Members<3> = Members::new("Preference", ["yes", "no", "unknown"]);
static PURPOSE: PythonClass = PythonClass::new("verger._names", "Purpose");
static OBEYS: PythonClass = PythonClass::new("verger._names", "Obeys");
static OPTION: PythonClass = PythonClass::new("verger._names", "ReadingOption");

pub(crate) fn dialect(py: Python<'_>, dialect: Dialect) -> PyResult<Bound<'_, PyAny>> {
    let nth = match dialect {
        Dialect::Rfc9309 => 0,
        Dialect::Google => 1,
        Dialect::Draft2019 => 2,
        Dialect::Koster1996 => 3,
    };
    DIALECTS.nth(py, nth)
}

pub(crate) fn effect(py: Python<'_>, effect: Effect) -> PyResult<Bound<'_, PyAny>> {
    let nth = match effect {
        Effect::Allow => 0,
        Effect::Disallow => 1,
    };
    EFFECTS.nth(py, nth)
}

pub(crate) fn reason(py: Python<'_>, reason: Reason) -> PyResult<Bound<'_, PyAny>> {
    let nth = match reason {
        Reason::Rule => 0,
        Reason::NoRuleMatched => 1,
        Reason::NoGroup => 2,
        Reason::RobotsTxtItself => 3,
    };
    REASONS.nth(py, nth)
}

pub(crate) fn named_by(py: Python<'_>, named_by: NamedBy) -> PyResult<Bound<'_, PyAny>> {
    let nth = match named_by {
        NamedBy::Token => 0,
        NamedBy::Star => 1,
    };
    NAMED_BY.nth(py, nth)
}

/// Returns a member of `Signal`, or `None` if the value is neither.
pub(crate) fn signal(py: Python<'_>, signal: Option<Signal>) -> PyResult<Option<Bound<'_, PyAny>>> {
    let nth = match signal {
        Some(Signal::Yes) => 0,
        Some(Signal::No) => 1,
        _ => return Ok(None),
    };
    SIGNALS.nth(py, nth).map(Some)
}

pub(crate) fn preference(py: Python<'_>, preference: Preference) -> PyResult<Bound<'_, PyAny>> {
    let nth = match preference {
        Preference::Yes => 0,
        Preference::No => 1,
        Preference::Unknown => 2,
    };
    PREFERENCES.nth(py, nth)
}

pub(crate) fn purpose<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    PURPOSE.make(py, (name,))
}

pub(crate) fn obeys<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    OBEYS.make(py, (name,))
}

pub(crate) fn option<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    OPTION.make(py, (name,))
}
