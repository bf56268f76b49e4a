//! `Showing`: whether lines that changed are shown.

/// Whether lines that changed are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Showing {
    /// Only how many there are.
    Counts,
    /// Themselves.
    Lines,
}
