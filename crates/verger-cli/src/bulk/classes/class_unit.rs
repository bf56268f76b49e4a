//! `ClassUnit`: what a row of classes is about.

use super::super::bodies_arguments::BodiesFrom;

/// What a row of classes is about, beside its crawler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClassUnit {
    /// A capture.
    Capture,
    /// A version of a site in a store.
    Version,
    /// A body that is given.
    Body,
}

impl ClassUnit {
    /// What rows of that source are about.
    pub(super) fn of(from: &BodiesFrom) -> Self {
        if from.store.is_some() {
            Self::Version
        } else if from.captures.is_empty() {
            Self::Body
        } else {
            Self::Capture
        }
    }

    /// The noun for one, and for all other numbers.
    pub(super) fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Capture => ("capture", "captures"),
            Self::Version => ("version", "versions"),
            Self::Body => ("body", "bodies"),
        }
    }
}
