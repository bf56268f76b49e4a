//! `TransportError`: why no complete reply came.

use core::time::Duration;
use std::net::IpAddr;

use verger_access::TransportFailure;

use crate::transport::{Arrival, Received};

/// Why no complete reply came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TransportError {
    pub(crate) failure: TransportFailure,
    /// What happened, in words for an operator.
    pub(crate) detail: String,
    /// The IP address that the request went to, where a connection was made.
    pub(crate) peer: Option<IpAddr>,
    /// Whether a wait for a limit of this client took the time: then it is no fact about the site.
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

    /// A timeout whose time went into a wait for a limit of this client.
    pub(crate) fn own_limit(detail: impl Into<String>) -> Self {
        Self {
            is_own_limit: true,
            ..Self::new(TransportFailure::Timeout, detail)
        }
    }

    /// The same error after a wait of `waited` for a limit of this client. Where it is a timeout and
    /// the wait took more than half of `whole`, the wait is the reason.
    pub(crate) fn after_wait(self, waited: Duration, whole: Duration) -> Self {
        let is_own_limit = self.failure == TransportFailure::Timeout && waited > whole / 2;
        Self {
            is_own_limit: self.is_own_limit || is_own_limit,
            ..self
        }
    }

    /// The same error with the address of its connection.
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
