//! Dialect and options out of arguments.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyFrozenSet, PyString};
use verger::{
    AgentList, AllowLines, Dialect, EncodingMismatch, LenientLines, OtherRecords, Reading,
};

use crate::names;
use crate::type_error::type_error;

const OPTIONS: [&str; 5] = [
    "lenient-other-records",
    "lenient-lines",
    "ignore-allow",
    "bridge-encodings",
    "comma-agents",
];

/// The dialect of that name; `rfc9309` where there is none.
///
/// # Errors
///
/// `TypeError` where it is no `str`, `ValueError` where no dialect is named so.
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

/// The reading of a dialect with options.
///
/// # Errors
///
/// `TypeError` and `ValueError`, as [`dialect`].
pub(crate) fn reading(dialect: Dialect, options: Option<&Bound<'_, PyAny>>) -> PyResult<Reading> {
    let mut reading = Reading::of(dialect);
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
        reading = with_option(reading, &name.to_string_lossy()).ok_or_else(|| {
            let expected = OPTIONS.join(", ");
            PyValueError::new_err(format!(
                "expected one of {expected}, not {}",
                shown(&option)
            ))
        })?;
    }
    Ok(reading)
}

/// The reading with the option of this name, where there is one.
pub(crate) fn with_option(reading: Reading, name: &str) -> Option<Reading> {
    Some(match name {
        "lenient-other-records" => reading.with_other_records(OtherRecords::Lenient),
        "lenient-lines" => reading.with_lenient_lines(LenientLines::Read),
        "ignore-allow" => reading.with_allow_lines(AllowLines::Ignored),
        "bridge-encodings" => reading.with_encoding_mismatch(EncodingMismatch::Bridge),
        "comma-agents" => reading.with_agent_list(AgentList::CommaSeparated),
        _ => return None,
    })
}

/// The options of a reading, as a `frozenset` of `ReadingOption`.
///
/// # Errors
///
/// Where the package is not whole.
pub(crate) fn options<'py>(
    py: Python<'py>,
    reading: &Reading,
) -> PyResult<Bound<'py, PyFrozenSet>> {
    let options: PyResult<Vec<_>> = option_names(reading)
        .map(|name| names::option(py, name))
        .collect();
    PyFrozenSet::new(py, options?)
}

/// The names of the options of a reading.
pub(crate) fn option_names(reading: &Reading) -> impl Iterator<Item = &'static str> {
    let is_set = [
        reading.other_records() == OtherRecords::Lenient,
        reading.lenient_lines() == LenientLines::Read,
        reading.allow_lines() == AllowLines::Ignored,
        reading.encoding_mismatch() == EncodingMismatch::Bridge,
        reading.agent_list() == AgentList::CommaSeparated,
    ];
    let options = OPTIONS.into_iter().zip(is_set);
    options.filter(|(_, is_set)| *is_set).map(|(name, _)| name)
}

fn shown(value: &Bound<'_, PyAny>) -> String {
    let shown = value.repr().map(|it| it.to_string_lossy().into_owned());
    shown.unwrap_or_else(|_| "this".to_owned())
}
