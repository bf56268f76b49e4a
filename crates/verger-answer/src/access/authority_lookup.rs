use verger_access::Authority;

use crate::access::authority_state::AuthorityState;

/// The result of looking up an authority.
#[derive(Clone, Debug)]
pub struct AuthorityLookup {
    /// The authority.
    pub authority: Authority,
    /// Name of the profile that decides.
    pub profile: String,
    /// The state of the authority, or `None` if nothing is known.
    pub state: Option<AuthorityState>,
}

impl AuthorityLookup {
    /// Returns the body to parse, or no bytes if there is none.
    #[must_use]
    pub fn body(&self) -> Vec<u8> {
        let body = self.state.as_ref().and_then(AuthorityState::body);
        body.map_or(Vec::new(), |body| body.to_vec())
    }
}
