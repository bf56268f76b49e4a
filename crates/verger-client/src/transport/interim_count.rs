//! `InterimCount`: counts the interim responses (1xx) before the final one.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// The most interim responses to one request; more are an error.
pub(crate) const INTERIM_MAX: usize = 32;

/// Counts the interim responses to one request.
#[derive(Default)]
pub(crate) struct InterimCount {
    count: AtomicUsize,
    too_many: Notify,
}

impl InterimCount {
    pub(crate) fn add_one(&self) {
        let before = self.count.fetch_add(1, Ordering::Relaxed);
        if before >= INTERIM_MAX {
            self.too_many.notify_one();
        }
    }

    /// Waits until there are too many.
    pub(crate) async fn too_many(&self) {
        self.too_many.notified().await;
    }
}
