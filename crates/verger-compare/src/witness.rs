//! `Witness` and `Found`: a target that proves an answer, or that there is none.

use std::fmt;

use verger::TargetPath;

use crate::alphabet::bytes_of;
use crate::budget::{Budget, UsedUp};

/// A target that proves an answer: the engine decided about it. Clients send it as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    target: TargetPath<'static>,
}

/// The start of a URL on no site in particular (RFC 2606).
pub const EXAMPLE_SITE: &str = "https://example.com";

impl Witness {
    pub(crate) fn new(target: TargetPath<'static>) -> Self {
        Self { target }
    }

    /// The target: path and query.
    #[must_use]
    pub fn target(&self) -> &TargetPath<'static> {
        &self.target
    }

    /// The URL of the target on a site, which is given as URLs begin: `https://example.com`.
    ///
    /// The engine decides about it as about the target; about the target alone it might not: in
    /// `google` the path `//a` names a host.
    #[must_use]
    pub fn url(&self, site: &str) -> String {
        format!("{site}{}", self.path())
    }

    /// Path and query as they are sent.
    #[must_use]
    pub fn path(&self) -> &str {
        str::from_utf8(self.target.as_bytes()).unwrap_or_default()
    }

    /// The bytes of path and query.
    pub(crate) fn bytes(&self) -> u32 {
        bytes_of(&self.target)
    }
}

impl fmt::Display for Witness {
    /// The URL of the target on `https://example.com`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url(EXAMPLE_SITE))
    }
}

/// Whether there is a target with what was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// There is, and this is one.
    Witness(Witness),
    /// No target has it: this is proven.
    NoTarget,
    /// The budget of so many states was used up before it was known.
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

    /// The target, if one was found.
    #[must_use]
    pub fn witness(&self) -> Option<&Witness> {
        match self {
            Self::Witness(witness) => Some(witness),
            Self::NoTarget | Self::NotDecided { .. } => None,
        }
    }

    /// Whether it is proven that there is none.
    #[must_use]
    pub fn is_proven_absent(&self) -> bool {
        matches!(self, Self::NoTarget)
    }
}
