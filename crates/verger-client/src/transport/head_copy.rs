use core::mem::replace;

use verger_store::{HEAD_BYTES_MAX, KeptHead};

/// The start of an HTTP/1 head as sent over the connection, up to the length that a history keeps.
#[derive(Debug)]
pub(crate) struct HeadCopy {
    bytes: Vec<u8>,
    bytes_more: u64,
    pub(crate) is_wanted: bool,
}

impl HeadCopy {
    pub(crate) fn new(is_wanted: bool) -> Self {
        Self {
            bytes: Vec::new(),
            bytes_more: 0,
            is_wanted,
        }
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        if !self.is_wanted {
            return;
        }
        let room = HEAD_BYTES_MAX - self.bytes.len();
        let (kept, more) = bytes.split_at(bytes.len().min(room));
        self.bytes.extend_from_slice(kept);
        self.bytes_more += more.len() as u64;
    }

    /// Starts another head and returns the previous one.
    pub(crate) fn begin_again(&mut self) -> Self {
        replace(self, Self::new(self.is_wanted))
    }

    /// Takes the head without credentials.
    pub(crate) fn take(&mut self) -> Option<KeptHead> {
        let Self {
            bytes, bytes_more, ..
        } = self.begin_again();
        (!bytes.is_empty()).then(|| KeptHead::new(&bytes, bytes_more))
    }
}
