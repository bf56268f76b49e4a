//! `AccessResult`: the three results of RFC 9309 (2.3.1) for a request for robots.txt.

use std::fmt;

use crate::outcome::Outcome;

/// The access result, with the outcome that led to it.
///
/// RFC 9309 leaves cases open, such as 429 and broken redirects, and the documents differ. A profile decides which
/// result an outcome is ([`crate::Profile::access_result`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessResult {
    /// There is a body. R9309-2.3.1.1-1.
    Successful(Outcome),
    /// This crawler gets no file. R9309-2.3.1.3-1.
    Unavailable(Outcome),
    /// It is currently unknown whether there is a file. R9309-2.3.1.4-1.
    Unreachable(Outcome),
}

impl AccessResult {
    /// Returns `successful`, `unavailable` or `unreachable`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Successful(_) => "successful",
            Self::Unavailable(_) => "unavailable",
            Self::Unreachable(_) => "unreachable",
        }
    }

    /// Returns the outcome.
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
    /// Writes the result and the outcome: `unavailable (status 404)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.as_str(), self.outcome())
    }
}
