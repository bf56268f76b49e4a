//! `HeadCopy`: the octets of one head of HTTP/1, as they went over a connection.

use core::mem::replace;

use verger_store::{HEAD_OCTETS_MAX, KeptHead};

/// The beginning of a head, up to what a history keeps.
#[derive(Debug)]
pub(crate) struct HeadCopy {
    octets: Vec<u8>,
    octets_more: u64,
    /// Whether anything is to be kept.
    pub(crate) is_wanted: bool,
}

impl HeadCopy {
    pub(crate) fn new(is_wanted: bool) -> Self {
        Self {
            octets: Vec::new(),
            octets_more: 0,
            is_wanted,
        }
    }

    /// Adds the next octets of the head.
    pub(crate) fn add(&mut self, octets: &[u8]) {
        if !self.is_wanted {
            return;
        }
        let room = HEAD_OCTETS_MAX - self.octets.len();
        let (kept, more) = octets.split_at(octets.len().min(room));
        self.octets.extend_from_slice(kept);
        self.octets_more += more.len() as u64;
    }

    /// Begins with another head; returns what was there.
    pub(crate) fn begin_again(&mut self) -> Self {
        replace(self, Self::new(self.is_wanted))
    }

    /// Returns the head, without credentials; `None` where nothing of one came.
    pub(crate) fn take(&mut self) -> Option<KeptHead> {
        let Self {
            octets,
            octets_more,
            ..
        } = self.begin_again();
        (!octets.is_empty()).then(|| KeptHead::of(&octets, octets_more))
    }
}
