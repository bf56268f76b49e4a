//! `InterimCount`: the interim responses (1xx) that came before the final one.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// Interim responses to one request; more are taken for an attempt to never come to an end.
pub(crate) const INTERIM_MAX: usize = 32;

/// Counts the interim responses to one request.
#[derive(Default)]
pub(crate) struct InterimCount {
    count: AtomicUsize,
    too_many: Notify,
}

impl InterimCount {
    pub(crate) fn add_one(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
        if self.is_too_many() {
            self.too_many.notify_one();
        }
    }

    pub(crate) fn is_too_many(&self) -> bool {
        self.count.load(Ordering::Relaxed) > INTERIM_MAX
    }

    /// Waits until there are too many.
    pub(crate) async fn too_many(&self) {
        self.too_many.notified().await;
    }
}
