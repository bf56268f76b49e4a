//! `Span`: when the first and the last of some requests were.

use serde::Serialize;
use verger_access::Timestamp;

/// When the first and the last request were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Span {
    /// When the first was.
    pub first: Option<Timestamp>,
    /// When the last was.
    pub last: Option<Timestamp>,
}

impl Span {
    pub(crate) fn extend_to(&mut self, time: Timestamp) {
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.last = Some(self.last.map_or(time, |last| last.max(time)));
    }
}
