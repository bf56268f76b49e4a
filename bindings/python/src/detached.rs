//! Long work without the global lock.

use pyo3::prelude::*;

/// Bodies from this length on are read without the global lock. Reading one takes some ten microseconds;
/// a thread that lets go of the lock for less may wait milliseconds until it has it again.
const LONG_BYTES: usize = 16 << 10;

/// Does `work` on so many bytes, without the global lock where they are many.
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
