//! `InterimCount`: counts interim responses (1xx) before the final one.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;
use verger_access::TransportFailure;

use crate::transport::transport_error::TransportError;

/// Maximum number of interim responses. More are an error.
pub(crate) const INTERIM_MAX: usize = 32;

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

    pub(crate) async fn too_many(&self) {
        self.too_many.notified().await;
    }
}

pub(crate) fn too_many_interim() -> TransportError {
    let detail = format!("more than {INTERIM_MAX} interim responses came");
    TransportError::new(TransportFailure::Protocol, detail)
}
