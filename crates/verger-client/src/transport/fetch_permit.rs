//! `FetchPermit`: limits how many fetches run at once. A fetch lends its permit while it waits.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::Poll;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use verger_store::UnpoisonedMutex;

tokio::task_local! {
    /// The permit of the fetch that sends a request. A transport may lend it while it waits for a
    /// connection permit.
    pub(crate) static PERMIT_OF_FETCH: Arc<FetchPermit>;
}

/// The permits of a client.
///
/// Only one of the fetches that have not begun queues for a permit, and the rest wait for that
/// slot. So a fetch that takes back its lent permit waits for at most one.
pub(crate) struct FetchPermits {
    first_in_line: Semaphore,
    permits: Arc<Semaphore>,
}

pub(crate) struct FetchPermit {
    permits: Arc<Semaphore>,
    /// `None` while lent.
    permit: UnpoisonedMutex<Option<OwnedSemaphorePermit>>,
    /// Number of waits for a connection permit.
    waits: AtomicUsize,
}

struct Counted<'w>(&'w AtomicUsize);

impl<'w> Counted<'w> {
    fn of(waits: &'w AtomicUsize) -> Self {
        waits.fetch_add(1, Ordering::Relaxed);
        Self(waits)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl FetchPermits {
    pub(crate) fn new(fetches_max: usize) -> Self {
        let permits = fetches_max.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            first_in_line: Semaphore::new(1),
            permits: Arc::new(Semaphore::new(permits)),
        }
    }

    pub(crate) async fn take(&self) -> FetchPermit {
        // The semaphore is never closed.
        let _first = self.first_in_line.acquire().await;
        self.take_ahead().await
    }

    /// Waits for a permit ahead of fetches that have not begun, for a fetch that another one waits
    /// for.
    pub(crate) async fn take_ahead(&self) -> FetchPermit {
        let permit = FetchPermit {
            permits: Arc::clone(&self.permits),
            permit: UnpoisonedMutex::default(),
            waits: AtomicUsize::new(0),
        };
        permit.take_again().await;
        permit
    }
}

impl FetchPermit {
    /// Waits for `other`. Unless it is ready at once, lends the current fetch's permit
    /// ([`PERMIT_OF_FETCH`]) meanwhile.
    pub(crate) async fn of_fetch_lent_during<T>(other: impl Future<Output = T>) -> T {
        let mut other = pin!(other);
        let at_once = poll_fn(|context| Poll::Ready(other.as_mut().poll(context))).await;
        if let Poll::Ready(outcome) = at_once {
            return outcome;
        }
        match PERMIT_OF_FETCH.try_with(Arc::clone) {
            Ok(permit) => {
                let _counted = Counted::of(&permit.waits);
                permit.lent_during(other).await
            }
            Err(_) => other.await,
        }
    }

    /// Lends the permit while waiting for `other`, then waits to get a permit back. If this is
    /// cancelled, the fetch has no permit any more.
    pub(crate) async fn lent_during<T>(&self, other: impl Future<Output = T>) -> T {
        drop(self.permit.lock().take());
        let outcome = other.await;
        self.take_again().await;
        outcome
    }

    /// Returns `true` while the fetch waits for a connection permit.
    pub(crate) fn is_kept_waiting(&self) -> bool {
        self.waits.load(Ordering::Relaxed) > 0
    }

    async fn take_again(&self) {
        // The semaphore is never closed.
        let permit = Arc::clone(&self.permits).acquire_owned().await.ok();
        *self.permit.lock() = permit;
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;
    use tokio::task::JoinSet;

    use super::*;

    #[tokio::test]
    async fn a_lender_waits_behind_at_most_one_new_fetch() {
        let permits = Arc::new(FetchPermits::new(1));
        let lender = Arc::new(permits.take().await);
        let (open, gate) = oneshot::channel::<()>();
        let order = Arc::new(UnpoisonedMutex::new(Vec::new()));
        let mut tasks = JoinSet::new();
        let note = |who: usize| {
            let order = Arc::clone(&order);
            move || order.lock().push(who)
        };
        let (noted, lent) = (note(0), Arc::clone(&lender));
        drop(lender);
        tasks.spawn(async move {
            lent.lent_during(async { drop(gate.await) }).await;
            noted();
        });
        let mut open = Some(open);
        for who in 1..10 {
            let (noted, permits, open) = (note(who), Arc::clone(&permits), open.take());
            tasks.spawn(async move {
                let _permit = permits.take().await;
                noted();
                // All the others wait by now.
                tokio::task::yield_now().await;
                drop(open);
                tokio::task::yield_now().await;
            });
        }
        tasks.join_all().await;
        let order = order.lock();
        let place = order.iter().position(|&who| who == 0).unwrap();
        assert!(place <= 2, "{order:?}");
    }
}
