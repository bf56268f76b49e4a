//! The `verger` command.

use std::ffi::OsString;

use pyo3::prelude::*;

use crate::guard::guarded;

/// Run the command with these arguments, and return its exit code.
#[pyfunction]
#[pyo3(signature = (arguments, /))]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<u8> {
    let program = std::iter::once(OsString::from("verger"));
    let arguments: Vec<OsString> = program.chain(arguments).collect();
    guarded(py, || Ok(py.detach(|| verger_cli::run(arguments))))
}
