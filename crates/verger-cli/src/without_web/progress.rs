//! A stand-in without progress, for a build that only reads files.

/// Writes to standard error.
pub(crate) fn undrawn<T>(write: impl FnOnce() -> T) -> T {
    write()
}

/// Does `work`.
pub(crate) fn during<T>(_: &'static str, work: impl FnOnce() -> T) -> T {
    work()
}

/// Counts nothing.
pub(crate) struct Counting;

impl Counting {
    pub(crate) fn beside_answers(_: &'static str) -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "the same interface as with counts")]
    pub(crate) fn add_one(&self) {}
}
