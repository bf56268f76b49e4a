//! `FoundCache`: the rules for each authority, or for each body under another name, in bounded memory.

use crate::read_error::ReadError;
use std::sync::Arc;

use verger::allocated_bytes;

use super::bounded_cache::BoundedCache;
use super::rules::Rules;

/// The rules, or their absence, for the URLs of an authority.
#[derive(Clone, Debug)]
pub enum Found {
    /// Rules.
    Rules(Rules),
    /// No body.
    NoBody,
    /// A body that cannot be read, and why.
    Unreadable(ReadError),
}

/// The result for each authority, or for each body under another name. Threads share it.
#[derive(Debug)]
pub struct FoundCache {
    held: BoundedCache<Arc<Found>>,
}

/// The counters of an [`Arc`].
const COUNTERS_BYTES: usize = 2 * size_of::<usize>();

impl Found {
    /// How many bytes it takes in an [`Arc`].
    fn bytes(&self) -> usize {
        let held = match self {
            Self::Rules(rules) => rules.heap_bytes(),
            Self::NoBody => 0,
            Self::Unreadable(error) => allocated_bytes(error.as_str().len()),
        };
        allocated_bytes(COUNTERS_BYTES + size_of::<Self>()) + held
    }
}

impl FoundCache {
    /// A cache of at most so many bytes.
    #[must_use]
    pub fn new(bytes_max: u64) -> Self {
        Self {
            held: BoundedCache::new(bytes_max),
        }
    }

    /// Returns the result held under `key`, or else makes it with `find`. Threads that need it at once wait for the
    /// first of them.
    pub fn found(&self, key: &[u8], find: impl FnOnce() -> Found) -> Arc<Found> {
        self.held.held_or_made(key, || {
            let found = find();
            let bytes = found.bytes();
            (Arc::new(found), bytes)
        })
    }
}
