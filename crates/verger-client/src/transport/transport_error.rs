//! `TransportError`: why no complete reply arrived.

use core::time::Duration;
use std::io;
use std::net::IpAddr;

use thiserror::Error;
use verger_access::TransportFailure;
use verger_store::{Resource, Shortage};

use crate::transport::{Arrival, Received};

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{failure}: {detail}")]
pub(crate) struct TransportError {
    pub(crate) failure: TransportFailure,
    pub(crate) detail: String,
    pub(crate) peer: Option<IpAddr>,
    pub(crate) origin: ErrorOrigin,
}

/// The cause of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorOrigin {
    /// The site, or the way to it.
    Site,
    /// Waiting for a limit of this client used up the time.
    OwnLimit,
    Machine(Resource),
}

impl TransportError {
    pub(crate) fn new(failure: TransportFailure, detail: impl Into<String>) -> Self {
        Self {
            failure,
            detail: detail.into(),
            peer: None,
            origin: ErrorOrigin::Site,
        }
    }

    /// Creates a timeout of a phase: `missing` did not come within `limit`.
    pub(crate) fn timeout(missing: impl Into<String>, limit: Duration) -> Self {
        Self::new(TransportFailure::Timeout, missing).within(limit)
    }

    /// Adds the limit of its phase to a timeout.
    pub(crate) fn within(self, limit: Duration) -> Self {
        if self.failure != TransportFailure::Timeout {
            return self;
        }
        // When a phase begins, 2.998 s may be left of a limit of 3 s.
        let seconds = limit.as_secs_f64();
        let parts = if seconds < 1.0 { 100.0 } else { 10.0 };
        let seconds = (seconds * parts).round() / parts;
        Self {
            detail: format!("{} within {seconds} s", self.detail),
            ..self
        }
    }

    /// Converts a system error to `failure`, unless this machine ran out of a resource.
    pub(crate) fn from_io(
        failure: TransportFailure,
        error: &io::Error,
        detail: impl Into<String>,
    ) -> Self {
        let resource = Shortage::from_io(error).map(|shortage| shortage.resource);
        Self {
            origin: resource.map_or(ErrorOrigin::Site, ErrorOrigin::Machine),
            ..Self::new(failure, detail)
        }
    }

    /// Creates a timeout caused by waiting for a limit of this client.
    pub(crate) fn own_limit(detail: impl Into<String>) -> Self {
        Self {
            origin: ErrorOrigin::OwnLimit,
            ..Self::new(TransportFailure::Timeout, detail)
        }
    }

    /// Adjusts the error to a wait of `waited` for a limit of this client. If it is a timeout and
    /// the wait took more than half of `whole`, the wait is the cause.
    pub(crate) fn after_wait(self, waited: Duration, whole: Duration) -> Self {
        let is_timeout = self.failure == TransportFailure::Timeout;
        match self.origin {
            ErrorOrigin::Site if is_timeout && waited > whole / 2 => Self {
                origin: ErrorOrigin::OwnLimit,
                ..self
            },
            _ => self,
        }
    }

    pub(crate) fn at(self, peer: Option<IpAddr>) -> Self {
        Self { peer, ..self }
    }
}

impl From<TransportError> for Arrival {
    fn from(error: TransportError) -> Self {
        let TransportError {
            failure, detail, ..
        } = error;
        let received = match error.origin {
            ErrorOrigin::Site => Received::Failure { failure, detail },
            ErrorOrigin::OwnLimit => Received::NotSent { detail },
            ErrorOrigin::Machine(resource) => Received::Shortage(Shortage::new(resource, detail)),
        };
        Self {
            peer: error.peer,
            ..Self::new(received)
        }
    }
}
