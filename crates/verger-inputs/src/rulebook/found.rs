use std::sync::Arc;
use verger_answer::ReadError;

use verger::allocated_bytes;

use super::bounded_cache::BoundedCache;
use super::rules::Rules;

/// The rules for the URLs of an authority, or the reason for their absence.
#[derive(Clone, Debug)]
pub enum Found {
    /// The rules.
    Rules(Rules),
    /// There is no body.
    NoBody,
    /// The body cannot be read.
    Unreadable(ReadError),
}

/// A cache of [`Found`], shared by all threads.
#[derive(Debug)]
pub struct FoundCache {
    held: BoundedCache<Arc<Found>>,
}

/// Size of the counters of an [`Arc`].
const COUNTERS_BYTES: usize = 2 * size_of::<usize>();

impl Found {
    /// Returns the size in bytes, including the [`Arc`].
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
    /// Creates a cache of at most `bytes_max` bytes.
    #[must_use]
    pub fn new(bytes_max: u64) -> Self {
        Self {
            held: BoundedCache::new(bytes_max),
        }
    }

    /// Returns the cached result for `key`, or stores that of `find`. Concurrent callers wait for
    /// the first one.
    pub fn found(&self, key: &[u8], find: impl FnOnce() -> Found) -> Arc<Found> {
        self.held.held_or_made(key, || {
            let found = find();
            let bytes = found.bytes();
            (Arc::new(found), bytes)
        })
    }
}
