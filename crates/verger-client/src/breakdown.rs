//! `Breakdown`: why no whole reply came, on its way up to whoever asked.

use std::net::IpAddr;

use verger_access::TransportFailure;

use crate::transport::{Arrival, Received};

/// Why no whole reply came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Breakdown {
    pub(crate) failure: TransportFailure,
    /// What happened, in words for an operator.
    pub(crate) detail: String,
    /// The address that was connected to, if it came to that.
    pub(crate) peer: Option<IpAddr>,
}

impl Breakdown {
    pub(crate) fn new(failure: TransportFailure, detail: impl Into<String>) -> Self {
        Self {
            failure,
            detail: detail.into(),
            peer: None,
        }
    }

    /// The same, of a connection to that address.
    pub(crate) fn at(self, peer: Option<IpAddr>) -> Self {
        Self { peer, ..self }
    }
}

impl From<Breakdown> for Arrival {
    fn from(breakdown: Breakdown) -> Self {
        Self {
            received: Received::Failure {
                failure: breakdown.failure,
                detail: breakdown.detail,
            },
            peer: breakdown.peer,
        }
    }
}

impl std::fmt::Display for Breakdown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.failure, self.detail)
    }
}

impl std::error::Error for Breakdown {}
