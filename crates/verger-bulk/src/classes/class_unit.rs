//! `ClassUnit`: the subject of a row of classes.

/// The subject of a row of classes, beside its crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassUnit {
    /// A capture.
    Capture,
    /// A version of a site in a store.
    Version,
    /// A body that is given.
    Body,
}

impl ClassUnit {
    /// The noun for one, and for all other numbers.
    #[must_use]
    pub fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Capture => ("capture", "captures"),
            Self::Version => ("version", "versions"),
            Self::Body => ("body", "bodies"),
        }
    }
}
