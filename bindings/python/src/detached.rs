//! Runs long work without the global lock.

use pyo3::prelude::*;

/// Minimum length of a body to read without the global lock, in bytes. Reading one takes some ten
/// microseconds. A thread that releases the lock for less may wait milliseconds to get it back.
const LONG_BYTES: usize = 16 << 10;

/// Runs `work`, without the global lock if it reads at least [`LONG_BYTES`].
pub(crate) fn detached<R: Send>(
    py: Python<'_>,
    bytes: usize,
    work: impl FnOnce() -> R + Send,
) -> R {
    if bytes < LONG_BYTES {
        work()
    } else {
        py.detach(work)
    }
}
