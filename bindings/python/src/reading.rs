//! Converts the dialect and options arguments.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyString};
use verger::{Dialect, Reading};
use verger_answer::{ReadAs, ReadingOption};

use crate::names;
use crate::type_error::type_error;

/// Returns the dialect with this name, or `rfc9309` by default.
pub(crate) fn dialect(name: Option<&Bound<'_, PyAny>>) -> PyResult<Dialect> {
    let Some(name) = name else {
        return Ok(Dialect::default());
    };
    let Ok(text) = name.cast::<PyString>() else {
        return Err(type_error(name, "Dialect or str"));
    };
    text.to_string_lossy()
        .parse()
        .map_err(|error| PyValueError::new_err(format!("{error}, not {}", shown(name))))
}

/// Returns the reading of a dialect with options.
pub(crate) fn reading(dialect: Dialect, options: Option<&Bound<'_, PyAny>>) -> PyResult<Reading> {
    let mut reading = Reading::new(dialect);
    let Some(options) = options else {
        return Ok(reading);
    };
    if options.cast::<PyString>().is_ok() {
        return Err(type_error(options, "an iterable of ReadingOption"));
    }
    for option in options.try_iter()? {
        let option = option?;
        let Ok(name) = option.cast::<PyString>() else {
            return Err(type_error(&option, "ReadingOption or str"));
        };
        let known: Result<ReadingOption, _> = name.to_string_lossy().parse();
        let known = known
            .map_err(|error| PyValueError::new_err(format!("{error}, not {}", shown(&option))))?;
        reading = known.set(reading);
    }
    Ok(reading)
}

/// Returns how each crawler reads a file: in `dialect`, or by default as its operator reads.
pub(crate) fn read_as(
    dialect: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyAny>>,
) -> PyResult<ReadAs> {
    let reading = reading(self::dialect(dialect)?, options)?;
    Ok(match dialect {
        Some(_) => ReadAs::Stated(reading),
        None => ReadAs::Operator(reading),
    })
}

/// Returns the reading with the option of this name added, or `None` if the option is unknown.
pub(crate) fn with_option(reading: Reading, name: &str) -> Option<Reading> {
    let option: ReadingOption = name.parse().ok()?;
    Some(option.set(reading))
}

pub(crate) fn options<'py>(
    py: Python<'py>,
    reading: &Reading,
) -> PyResult<Bound<'py, PyFrozenSet>> {
    let options: PyResult<Vec<_>> = option_names(reading)
        .map(|name| names::option(py, name))
        .collect();
    PyFrozenSet::new(py, options?)
}

pub(crate) fn option_names(reading: &Reading) -> impl Iterator<Item = &'static str> {
    let options = ReadingOption::ALL.iter();
    options
        .filter(|it| it.is_set(reading))
        .map(|it| it.as_str())
}

fn shown(value: &Bound<'_, PyAny>) -> String {
    let shown = value.repr().map(|it| it.to_string_lossy().into_owned());
    shown.unwrap_or_else(|_| "this".to_owned())
}
