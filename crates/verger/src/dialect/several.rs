//! What counts where there are several: names of a crawler, groups with one name.

/// What several names of one crawler select (V-1, GL-group-2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub(crate) enum SeveralNames {
    /// The groups of the first name that any group has. R9309-2.2.1-6.
    InOrder,
    /// The same, and for a crawler that asks for it ([`crate::Crawler::union`]) the groups of all its
    /// names. Google: that is what its library does with a vector of user agents.
    UnionOnRequest,
}

/// Which of several groups that name the same crawler, or of several `*` groups, count
/// (V-8, V-9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SeveralGroups {
    /// All, as one. R9309-2.2.1-7, D00-2.2.1-7.
    Merged,
    /// The first. D00-2.2.1-9 (for `*`), K96-3.2.1-1.
    First,
}
