//! `Observation`: what a store is given.

use std::net::IpAddr;

use verger_access::{Attempt, Authority, Knowledge, Timestamp};

use crate::kept_headers::KeptHeaders;

/// One ended attempt, and what is known with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Whose robots.txt was asked for.
    pub authority: Authority,
    /// The attempt. Its warnings are not kept: they can be told again from the rest.
    pub attempt: Attempt,
    /// What is known after it: the knowledge before, into which this attempt was recorded. Only
    /// its copy and its streak are read, since its last attempt is this one.
    pub knowledge: Knowledge,
    /// What is kept of the headers of the last response.
    pub headers: KeptHeaders,
    /// The address that the last request went to, where that is known.
    pub peer: Option<IpAddr>,
    /// When the authority is to be asked again ([`verger_access::Answer::ask_again_at`]).
    pub fresh_until: Timestamp,
}
