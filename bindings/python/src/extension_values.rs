//! Values of other records. They never affect a verdict.

use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use verger::{Crawler, RobotsTxt};
use verger_extensions::Preferences;

use crate::bytes::text;
use crate::names;
use crate::python_class::PythonClass;

static CLEAN_PARAM: PythonClass = PythonClass::value("CleanParam");
static CONTENT_SIGNAL: PythonClass = PythonClass::value("ContentSignal");
static SIGNAL_PAIR: PythonClass = PythonClass::value("SignalPair");
static HOST: PythonClass = PythonClass::value("Host");
static NOINDEX: PythonClass = PythonClass::value("Noindex");
static PREFERENCES: PythonClass = PythonClass::value("Preferences");
static USAGE_RULE: PythonClass = PythonClass::value("UsageRule");
static RECORD: PythonClass = PythonClass::value("Record");

type Object<'py> = Bound<'py, PyAny>;

pub(crate) fn tuple<'py, T>(
    py: Python<'py>,
    values: impl Iterator<Item = T>,
    make: impl FnMut(T) -> PyResult<Object<'py>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let objects: PyResult<Vec<_>> = values.map(make).collect();
    PyTuple::new(py, objects?)
}

pub(crate) fn texts<'py, 'r>(
    py: Python<'py>,
    values: impl Iterator<Item = &'r [u8]>,
) -> PyResult<Bound<'py, PyTuple>> {
    tuple(py, values, |it| Ok(text(py, it)?.into_any()))
}

/// Returns the records, as written.
pub(crate) fn records<'py>(py: Python<'py>, robots: &RobotsTxt) -> PyResult<Bound<'py, PyTuple>> {
    tuple(py, robots.records(), |it| {
        let (key, value) = (text(py, it.key())?, text(py, it.value())?);
        RECORD.make(py, (it.kind().key(), key, value, it.line().get()))
    })
}

pub(crate) fn clean_params<'py>(
    py: Python<'py>,
    robots: &RobotsTxt,
) -> PyResult<Bound<'py, PyTuple>> {
    tuple(py, verger_extensions::clean_params(robots), |it| {
        let parameters = texts(py, it.parameters())?;
        let path = optional_text(py, it.path())?;
        CLEAN_PARAM.make(py, (parameters, path, it.line().get()))
    })
}

/// Returns the `Host` line that applies.
pub(crate) fn host<'py>(py: Python<'py>, robots: &RobotsTxt) -> PyResult<Option<Object<'py>>> {
    let Some(host) = verger_extensions::host(robots) else {
        return Ok(None);
    };
    let scheme = optional_text(py, host.scheme())?;
    let (name, line) = (text(py, host.name())?, host.line().get());
    HOST.make(py, (name, host.port(), scheme, line)).map(Some)
}

pub(crate) fn noindex<'py>(
    py: Python<'py>,
    robots: &RobotsTxt,
    crawler: &Crawler,
) -> PyResult<Bound<'py, PyTuple>> {
    tuple(
        py,
        verger_extensions::noindex(robots, crawler).into_iter(),
        |it| NOINDEX.make(py, (text(py, it.pattern())?, it.line().get())),
    )
}

pub(crate) fn content_signal<'py>(
    py: Python<'py>,
    robots: &RobotsTxt,
    crawler: &Crawler,
) -> PyResult<Object<'py>> {
    let signal = verger_extensions::content_signal(robots, crawler);
    let pairs = tuple(py, signal.pairs().iter(), |it| {
        let (key, value) = (text(py, it.key())?, text(py, it.value())?);
        let signal = names::signal(py, it.signal())?;
        SIGNAL_PAIR.make(py, (key, value, signal, it.line().get()))
    })?;
    let parts = (
        names::signal(py, signal.search())?,
        names::signal(py, signal.ai_input())?,
        names::signal(py, signal.ai_train())?,
        pairs,
    );
    CONTENT_SIGNAL.make(py, parts)
}

pub(crate) fn content_usage<'py>(
    py: Python<'py>,
    robots: &RobotsTxt,
    crawler: &Crawler,
) -> PyResult<Bound<'py, PyTuple>> {
    let usage = verger_extensions::content_usage(robots, crawler);
    tuple(py, usage.rules().iter(), |it| {
        let path = optional_text(py, it.path())?;
        let stated = preferences(py, it.preferences())?;
        USAGE_RULE.make(py, (path, stated, it.line().get()))
    })
}

pub(crate) fn preferences(py: Python<'_>, preferences: Preferences) -> PyResult<Object<'_>> {
    let train_ai = names::preference(py, preferences.train_ai())?;
    let search = names::preference(py, preferences.search())?;
    let ai_use = names::preference(py, preferences.ai_use())?;
    PREFERENCES.make(py, (train_ai, search, ai_use))
}

fn optional_text<'py>(
    py: Python<'py>,
    bytes: Option<&[u8]>,
) -> PyResult<Option<Bound<'py, PyString>>> {
    bytes.map(|it| text(py, it)).transpose()
}
