//! `Witness` and `Found`: a target that proves an answer, or proof that there is none.

use std::fmt;

use verger::TargetPath;

use crate::alphabet::bytes_of;
use crate::budget::{Budget, UsedUp};

/// A target that proves an answer, because the engine decided about it. Clients send it as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    target: TargetPath<'static>,
}

/// The start of an example URL (RFC 2606).
pub const EXAMPLE_SITE: &str = "https://example.com";

impl Witness {
    pub(crate) fn new(target: TargetPath<'static>) -> Self {
        Self { target }
    }

    /// Returns the target: path and query.
    #[must_use]
    pub fn target(&self) -> &TargetPath<'static> {
        &self.target
    }

    /// Returns the URL of the target on a site, given as the start of a URL: `https://example.com`.
    ///
    /// The engine gives the URL the same verdict. For the bare target this may be false: in
    /// `google` the path `//a` names a host.
    #[must_use]
    pub fn url(&self, site: &str) -> String {
        format!("{site}{}", self.path())
    }

    /// Returns path and query as they are sent.
    #[must_use]
    pub fn path(&self) -> &str {
        str::from_utf8(self.target.as_bytes()).unwrap_or_default()
    }

    pub(crate) fn bytes(&self) -> u32 {
        bytes_of(&self.target)
    }
}

impl fmt::Display for Witness {
    /// Writes the URL of the target on `https://example.com`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url(EXAMPLE_SITE))
    }
}

/// The result of a search for a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// This target was found.
    Witness(Witness),
    /// Proven: no target qualifies.
    NoTarget,
    /// The budget ran out first.
    NotDecided {
        /// The states of the budget.
        states: u64,
    },
}

impl Found {
    pub(crate) fn of(found: Result<Option<Witness>, UsedUp>, budget: Budget) -> Self {
        match found {
            Ok(Some(witness)) => Self::Witness(witness),
            Ok(None) => Self::NoTarget,
            Err(UsedUp) => Self::NotDecided {
                states: budget.states(),
            },
        }
    }

    /// Returns the target, if one was found.
    #[must_use]
    pub fn witness(&self) -> Option<&Witness> {
        match self {
            Self::Witness(witness) => Some(witness),
            Self::NoTarget | Self::NotDecided { .. } => None,
        }
    }

    /// Returns whether it is proven that no target qualifies.
    #[must_use]
    pub fn is_proven_absent(&self) -> bool {
        matches!(self, Self::NoTarget)
    }
}
