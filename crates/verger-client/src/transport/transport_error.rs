//! `TransportError`: why no whole reply came, on its way up to whoever asked.

use core::time::Duration;
use std::net::IpAddr;

use verger_access::TransportFailure;

use crate::transport::{Arrival, Received};

/// Why no whole reply came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TransportError {
    pub(crate) failure: TransportFailure,
    /// What happened, in words for an operator.
    pub(crate) detail: String,
    /// The address that was connected to, if it came to that.
    pub(crate) peer: Option<IpAddr>,
    /// Whether a limit of this side took the time, so that it says nothing about the site.
    pub(crate) is_own_limit: bool,
}

impl TransportError {
    pub(crate) fn new(failure: TransportFailure, detail: impl Into<String>) -> Self {
        Self {
            failure,
            detail: detail.into(),
            peer: None,
            is_own_limit: false,
        }
    }

    /// No reply came in time, since a limit of this side took most of it.
    pub(crate) fn own_limit(detail: impl Into<String>) -> Self {
        Self {
            is_own_limit: true,
            ..Self::new(TransportFailure::Timeout, detail)
        }
    }

    /// The same; where it is a timeout and `waited`, the time that a limit of this side took, is more
    /// than half of `whole`, that limit is the reason.
    pub(crate) fn after_wait(self, waited: Duration, whole: Duration) -> Self {
        let is_own_limit = self.failure == TransportFailure::Timeout && waited > whole / 2;
        Self {
            is_own_limit: self.is_own_limit || is_own_limit,
            ..self
        }
    }

    /// The same, of a connection to that address.
    pub(crate) fn at(self, peer: Option<IpAddr>) -> Self {
        Self { peer, ..self }
    }
}

impl From<TransportError> for Arrival {
    fn from(error: TransportError) -> Self {
        let TransportError {
            failure, detail, ..
        } = error;
        Self {
            received: if error.is_own_limit {
                Received::NotSent { detail }
            } else {
                Received::Failure { failure, detail }
            },
            peer: error.peer,
        }
    }
}

impl std::fmt::Display for TransportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.failure, self.detail)
    }
}

impl std::error::Error for TransportError {}
