//! `AccessResult`: RFC 9309's three results of a request for a robots.txt (2.3.1).

use std::fmt;

use crate::outcome::Outcome;

/// The access result, with the outcome that it follows from.
///
/// RFC 9309 leaves cases open (429, broken redirects), and the documents differ, so a profile decides
/// which of the three an outcome is: [`crate::Profile::access_result`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessResult {
    /// There is a body. R9309-2.3.1.1-1.
    Successful(Outcome),
    /// There is no file for this crawler. R9309-2.3.1.3-1.
    Unavailable(Outcome),
    /// Whether there is a file cannot be known now. R9309-2.3.1.4-1.
    Unreachable(Outcome),
}

impl AccessResult {
    /// `successful`, `unavailable` or `unreachable`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Successful(_) => "successful",
            Self::Unavailable(_) => "unavailable",
            Self::Unreachable(_) => "unreachable",
        }
    }

    /// Returns what happened.
    #[must_use]
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Successful(outcome) | Self::Unavailable(outcome) | Self::Unreachable(outcome) => {
                outcome
            }
        }
    }
}

impl fmt::Display for AccessResult {
    /// `unavailable (status 404)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.as_str(), self.outcome())
    }
}
