//! `Observation`: one attempt, to be put into a store.

use std::borrow::Cow;
use std::net::IpAddr;

use verger_access::{Attempt, Authority, Knowledge, Timestamp};

use crate::kept_headers::KeptHeaders;
use crate::packed_facts::PackedFacts;

/// One ended attempt, and the knowledge after it. Do not put an attempt that says nothing about the site
/// ([`verger_access::Outcome::is_about_the_site`]), because other processes would take it for a fact about the site.
/// An import skips such attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The authority whose robots.txt was fetched.
    pub authority: Authority,
    /// The name of the profile ([`verger_access::Profile::name`]) under which it was fetched and recorded.
    pub profile: Cow<'static, str>,
    /// The attempt.
    pub attempt: Attempt,
    /// The knowledge after the attempt, recorded under that profile. Only its copy and its streak are read, because
    /// its last attempt is this one.
    pub knowledge: Knowledge,
    /// The stored headers of the last response.
    pub headers: KeptHeaders,
    /// The IP address that the last request went to, if known.
    pub peer: Option<IpAddr>,
    /// When to fetch the authority again ([`verger_access::Answer::ask_again_at`]).
    pub fresh_until: Timestamp,
    /// The facts of its hops, one for each hop, if known. A [`crate::Snapshot`] does not contain them:
    /// read them with [`crate::Store::facts`].
    pub facts: PackedFacts,
}
