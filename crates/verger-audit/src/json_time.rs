//! Times as JSON has them, in RFC 3339.

use serde::{Serialize, Serializer};
use verger_access::Timestamp;
use verger_store::time_text;

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
pub(crate) fn time<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    time_text(*time).serialize(serializer)
}

#[expect(clippy::ref_option, reason = "the signature is serde's")]
pub(crate) fn time_or_null<S: Serializer>(
    time: &Option<Timestamp>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    time.map(time_text).serialize(serializer)
}
