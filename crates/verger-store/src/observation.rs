//! `Observation`: what a store is given.

use std::borrow::Cow;
use std::net::IpAddr;

use verger_access::{Attempt, Authority, Knowledge, Timestamp};

use crate::kept_headers::KeptHeaders;

/// One ended attempt, and what is known with it.
///
/// An attempt that says nothing about the site ([`verger_access::Outcome::is_about_the_site`]) is not
/// put: others that share the store would take it for what the site said. An import leaves it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Whose robots.txt was asked for.
    pub authority: Authority,
    /// The name of the profile that fetched and records ([`verger_access::Profile::name`]).
    pub profile: Cow<'static, str>,
    /// The attempt.
    pub attempt: Attempt,
    /// What is known after it: the knowledge before, into which this attempt was recorded under
    /// that profile. Only its copy and its streak are read, since its last attempt is this one.
    pub knowledge: Knowledge,
    /// What is kept of the headers of the last response.
    pub headers: KeptHeaders,
    /// The address that the last request went to, where that is known.
    pub peer: Option<IpAddr>,
    /// When the authority is to be asked again ([`verger_access::Answer::ask_again_at`]).
    pub fresh_until: Timestamp,
}
