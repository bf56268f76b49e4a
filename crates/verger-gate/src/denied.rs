//! `Denied`: a request that is not sent, and the decision that says why.

use verger_client::Decision;

/// A request that is not sent: a rule disallows its URL, or nothing may be fetched from its site for now.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{url}: {decision}")]
pub struct Denied {
    url: String,
    decision: Decision,
}

impl Denied {
    pub(crate) fn new(url: &str, decision: Decision) -> Self {
        let url = url.to_owned();
        Self { url, decision }
    }

    /// The URL of the request.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the reason, which is the rule and its line, or the fate of the robots.txt, and how long it is valid
    /// ([`Decision::fresh_until`]).
    #[must_use]
    pub fn decision(&self) -> &Decision {
        &self.decision
    }
}
