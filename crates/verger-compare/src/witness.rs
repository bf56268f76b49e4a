//! `Witness` and `Found`: a target that proves an answer, or that there is none.

use std::fmt;

use verger::TargetPath;

use crate::alphabet::octets_in_url;
use crate::budget::{Budget, UsedUp};

/// A target that proves an answer: the engine decided about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    target: TargetPath<'static>,
    octets: u32,
}

impl Witness {
    pub(crate) fn new(target: TargetPath<'static>) -> Self {
        let octets = octets_in_url(&target);
        Self { target, octets }
    }

    /// The target: path and query.
    #[must_use]
    pub fn target(&self) -> &TargetPath<'static> {
        &self.target
    }

    /// The octets that it takes in a URL, where octets that a URL cannot have count as escapes.
    pub(crate) fn octets(&self) -> u32 {
        self.octets
    }
}

impl fmt::Display for Witness {
    /// Path and query; octets that are no graphic ASCII are written as escapes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for &octet in self.target.as_bytes() {
            if octet.is_ascii_graphic() {
                write!(f, "{}", char::from(octet))?;
            } else {
                write!(f, "%{octet:02X}")?;
            }
        }
        Ok(())
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
