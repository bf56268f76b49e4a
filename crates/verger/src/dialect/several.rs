//! Crawlers with several names, and several groups with one name.

/// V-1, GL-group-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum SeveralNames {
    /// The groups of the first name that any group has. R9309-2.2.1-6.
    InOrder,
    /// The same, except that a [`crate::Crawler::union`] selects the groups of all its names.
    UnionOnRequest,
}

/// Which of several groups for the same crawler, or of several `*` groups, apply (V-8, V-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SeveralGroups {
    /// All of them, merged into one. R9309-2.2.1-7, D00-2.2.1-7.
    Merged,
    /// Only the first. D00-2.2.1-9 (for `*`), K96-3.2.1-1.
    First,
}
