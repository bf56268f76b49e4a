//! `Lookup`: what came of looking for an authority.

use verger_access::Authority;

use crate::sighting::Sighting;

/// What came of looking for an authority.
pub(super) struct Lookup {
    /// Whose robots.txt it is.
    pub(super) authority: Authority,
    /// The name of the profile that decides.
    pub(super) profile: String,
    /// What is known; `None` where nothing is.
    pub(super) sighting: Option<Sighting>,
}

impl Lookup {
    /// The octets to be read.
    pub(super) fn body(&self) -> Vec<u8> {
        let body = self.sighting.as_ref().and_then(Sighting::body);
        body.map_or(Vec::new(), |body| body.to_vec())
    }
}
