//! `Denied`: a request that is not sent, with the decision about it.

use verger_client::Decision;

/// A request that is not sent, because a rule disallows its URL or nothing may be fetched from its site for now.
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

    /// Returns the URL of the request.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the decision: its reason is the rule and its line, or the outcome of fetching robots.txt. It is valid
    /// until [`Decision::fresh_until`].
    #[must_use]
    pub fn decision(&self) -> &Decision {
        &self.decision
    }
}
