//! `Span`: when the first and the last of some requests were.

use serde::{Serialize, Serializer};
use verger_access::Timestamp;
use verger_store::time_text;

/// When the first and the last request were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Span {
    /// When the first was.
    #[serde(serialize_with = "time_or_null")]
    pub first: Option<Timestamp>,
    /// When the last was.
    #[serde(serialize_with = "time_or_null")]
    pub last: Option<Timestamp>,
}

#[expect(clippy::ref_option, reason = "the signature is serde's")]
pub(crate) fn time_or_null<S: Serializer>(
    time: &Option<Timestamp>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    time.map(time_text).serialize(serializer)
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature is serde's"
)]
pub(super) fn time<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    time_text(*time).serialize(serializer)
}

impl Span {
    pub(crate) fn extend_to(&mut self, time: Timestamp) {
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.last = Some(self.last.map_or(time, |last| last.max(time)));
    }
}
