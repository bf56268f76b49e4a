use std::time::Duration;

use verger_access::Timestamp;

/// How long before and after a document was read, or name servers were queried, the result is
/// evidence against an address: 30 days. Operators add networks, so old evidence proves nothing.
pub const EVIDENCE_HOLDS: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Returns whether evidence from `seen` holds at `time`.
pub(super) fn holds_at(seen: Timestamp, time: Timestamp) -> bool {
    time.since(seen).max(seen.since(time)) <= EVIDENCE_HOLDS
}
