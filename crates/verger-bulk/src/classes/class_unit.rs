/// The subject of a row of classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassUnit {
    /// A capture.
    Capture,
    /// A version of a site in a store.
    Version,
    /// A given body.
    Body,
}

impl ClassUnit {
    /// Returns the singular and plural noun.
    #[must_use]
    pub fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Capture => ("capture", "captures"),
            Self::Version => ("version", "versions"),
            Self::Body => ("body", "bodies"),
        }
    }
}
