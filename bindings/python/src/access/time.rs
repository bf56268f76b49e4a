//! Times as Python has them: seconds since 1970, whole or with a fraction, as `time.time()` returns.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use verger_access::Timestamp;

use crate::type_error::type_error;

/// The time that a number of seconds is; the fraction of a second is dropped.
///
/// # Errors
///
/// `TypeError` for what is no number, `ValueError` for one that is no time from 1970 on.
pub(crate) fn timestamp(value: &Bound<'_, PyAny>) -> PyResult<Timestamp> {
    let seconds: f64 = value
        .extract()
        .map_err(|_| type_error(value, "seconds since 1970, as time.time() returns"))?;
    if !seconds.is_finite() || seconds < 0.0 {
        let message = format!("{seconds} is no number of seconds since 1970");
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
