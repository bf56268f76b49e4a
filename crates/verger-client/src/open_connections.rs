//! `OpenConnections`: how many there are, and whether one more is worth keeping.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts connections that are open, idle ones included.
#[derive(Clone)]
pub(crate) struct OpenConnections {
    count: Arc<AtomicUsize>,
    /// With more than so many, none is kept that is idle.
    kept_max: usize,
}

/// One of them, until it is dropped.
pub(crate) struct OpenConnection(OpenConnections);

impl OpenConnections {
    pub(crate) fn keeping(kept_max: usize) -> Self {
        Self {
            count: Arc::default(),
            kept_max,
        }
    }

    /// Counts one more.
    pub(crate) fn open(&self) -> OpenConnection {
        self.count.fetch_add(1, Ordering::Relaxed);
        OpenConnection(self.clone())
    }

    pub(crate) fn are_too_many_to_keep(&self) -> bool {
        self.count.load(Ordering::Relaxed) > self.kept_max
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::Relaxed);
    }
}
