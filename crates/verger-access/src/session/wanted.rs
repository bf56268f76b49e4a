/// How recent the knowledge about an authority must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Not due to be fetched again.
    Fresh,
    /// Fresh, and not the snapshot with this number.
    Newer(Option<u64>),
    /// Fetched by an attempt that begins after the question.
    Now,
}

impl Wanted {
    /// Returns whether knowledge is recent enough, given its snapshot and whether it is due to be fetched again.
    #[must_use]
    pub fn is_met(self, snapshot: Option<u64>, is_due: bool) -> bool {
        match self {
            Self::Fresh => !is_due,
            Self::Newer(than) => snapshot != than && !is_due,
            Self::Now => false,
        }
    }

    /// Returns whether a flight that began after the question, for `other`, is recent enough.
    pub(super) fn is_met_by(self, other: Self) -> bool {
        self != Self::Now || other == Self::Now
    }
}
