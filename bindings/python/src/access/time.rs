//! Times as seconds since 1970, whole or fractional, as returned by `time.time()`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use verger_access::Timestamp;

use crate::type_error::type_error;

/// Converts a number of seconds, without its fraction, to a time.
pub(crate) fn timestamp(value: &Bound<'_, PyAny>) -> PyResult<Timestamp> {
    let seconds: f64 = value
        .extract()
        .map_err(|_| type_error(value, "seconds since 1970, as time.time() returns"))?;
    if !seconds.is_finite() || seconds < 0.0 {
        let message = format!("invalid time {seconds}: expected seconds since 1970");
        return Err(PyValueError::new_err(message));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is finite and not negative, and saturates"
    )]
    let seconds = seconds as u64;
    Ok(Timestamp::from_unix_seconds(seconds))
}
