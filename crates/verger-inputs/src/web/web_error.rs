use std::fmt::Display;

use verger_access::TransportFailure;

/// A request for a file other than robots.txt failed, for the reason in the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct WebError {
    reason: String,
    failure: Option<TransportFailure>,
}

impl WebError {
    pub(super) fn new(reason: impl Display) -> Self {
        let reason = reason.to_string();
        let failure = None;
        Self { reason, failure }
    }

    pub(super) fn of_failure(failure: TransportFailure, detail: &str) -> Self {
        Self {
            reason: format!("{failure}: {detail}"),
            failure: Some(failure),
        }
    }

    /// Returns why no reply arrived, or `None` if the reply or this machine is the reason.
    #[must_use]
    pub fn failure(&self) -> Option<TransportFailure> {
        self.failure
    }
}
