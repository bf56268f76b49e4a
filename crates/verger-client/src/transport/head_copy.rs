//! `HeadCopy`: the octets of one head of HTTP/1, as they went over a connection.

use core::mem::take;

use verger_store::{HEAD_OCTETS_MAX, KeptHead};

/// The beginning of a head, up to what a history keeps.
#[derive(Debug, Default)]
pub(crate) struct HeadCopy {
    octets: Vec<u8>,
    octets_more: u64,
}

impl HeadCopy {
    /// Adds the next octets of the head.
    pub(crate) fn add(&mut self, octets: &[u8]) {
        let room = HEAD_OCTETS_MAX - self.octets.len();
        let (kept, more) = octets.split_at(octets.len().min(room));
        self.octets.extend_from_slice(kept);
        self.octets_more += more.len() as u64;
    }

    /// Returns the head, without credentials; `None` where nothing of one came.
    pub(crate) fn take(&mut self) -> Option<KeptHead> {
        let Self {
            octets,
            octets_more,
        } = take(self);
        (!octets.is_empty()).then(|| KeptHead::of(&octets, octets_more))
    }
}
