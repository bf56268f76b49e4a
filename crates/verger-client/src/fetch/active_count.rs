//! `ActiveCount`: counts operations in flight, so that a caller can wait for their end.

use std::sync::Arc;

use tokio::sync::watch;

/// The number of operations in flight.
#[derive(Clone, Default)]
pub(crate) struct ActiveCount(Arc<watch::Sender<usize>>);

/// One operation in flight, until this is dropped.
pub(crate) struct ActiveGuard(ActiveCount);

impl ActiveCount {
    /// Counts one more operation.
    pub(crate) fn begin(&self) -> ActiveGuard {
        self.0.send_modify(|count| *count += 1);
        ActiveGuard(self.clone())
    }

    /// Waits until nothing is in flight.
    pub(crate) async fn end(&self) {
        let mut count = self.0.subscribe();
        // `self` has the sender, so the channel stays open.
        let _ = count.wait_for(|count| *count == 0).await;
    }
}

impl Drop for ActiveGuard {
    fn drop(&mut self) {
        self.0.0.send_modify(|count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};

    use super::*;

    #[tokio::test]
    async fn the_end_comes_with_the_last_one() {
        let active = ActiveCount::default();
        active.end().await;
        let (first, second) = (active.begin(), active.begin());
        drop(first);
        let mut end = Box::pin(active.end());
        let mut context = Context::from_waker(Waker::noop());
        assert!(end.as_mut().poll(&mut context).is_pending());
        drop(second);
        end.await;
    }
}
