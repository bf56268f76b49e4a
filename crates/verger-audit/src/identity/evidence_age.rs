//! How long what was seen tells that an address is of another.

use std::time::Duration;

use verger_access::Timestamp;

/// How long before and after a document was read, or name servers were asked, that tells that an address
/// is of another: 30 days. Operators add networks, so old evidence proves nothing against an address.
pub const EVIDENCE_HOLDS: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Whether what was seen at a time tells at another which addresses are of others.
pub(super) fn holds_at(seen: Timestamp, time: Timestamp) -> bool {
    time.since(seen).max(seen.since(time)) <= EVIDENCE_HOLDS
}
