use serde::Serialize;
use verger_access::Timestamp;

/// When the first and the last request occurred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Span {
    /// The time of the first request.
    pub first: Option<Timestamp>,
    /// The time of the last request.
    pub last: Option<Timestamp>,
}

impl Span {
    pub(crate) fn extend_to(&mut self, time: Timestamp) {
        self.first = Some(self.first.map_or(time, |first| first.min(time)));
        self.last = Some(self.last.map_or(time, |last| last.max(time)));
    }
}
