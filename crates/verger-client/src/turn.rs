//! `Turn`: the right of a fetch to run beside the others, which it lends while it waits for one.

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// One of a number of rights to run, until it is dropped.
pub(crate) struct Turn {
    permits: Arc<Semaphore>,
    /// `None` while it is lent.
    permit: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Turn {
    /// Waits for a turn.
    pub(crate) async fn take(permits: &Arc<Semaphore>) -> Self {
        let turn = Self {
            permits: Arc::clone(permits),
            permit: Mutex::default(),
        };
        turn.take_again().await;
        turn
    }

    /// Waits for `other` while others have the turn, and then for a turn again.
    pub(crate) async fn lent_during<T>(&self, other: impl Future<Output = T>) -> T {
        drop(self.lock().take());
        let outcome = other.await;
        self.take_again().await;
        outcome
    }

    async fn take_again(&self) {
        // Nobody closes the semaphore.
        let permit = Arc::clone(&self.permits).acquire_owned().await.ok();
        *self.lock() = permit;
    }

    /// Nothing that holds the lock panics halfway.
    fn lock(&self) -> MutexGuard<'_, Option<OwnedSemaphorePermit>> {
        self.permit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
