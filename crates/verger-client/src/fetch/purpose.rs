//! `Purpose`: the reason for a fetch.

use tokio::time::Instant;

use crate::fetch::known::Wanted;

/// How a fetch reacts when the access machine asks about a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HopPolicy {
    /// Fetch the robots.txt of the hop's authority.
    Checked,
    /// Follow the redirect unchecked. Fetches that answer a question about a hop do this, because a
    /// chain of checks might never end.
    Followed,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Purpose {
    pub(crate) wanted: Wanted,
    pub(crate) hops: HopPolicy,
    /// `None` if the time starts with the fetch permit.
    pub(crate) deadline: Option<Instant>,
}
