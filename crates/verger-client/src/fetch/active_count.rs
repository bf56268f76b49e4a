//! `ActiveCount`: counts operations in flight, so a caller can wait until all have ended.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

#[derive(Clone, Default)]
pub(crate) struct ActiveCount(Arc<Counted>);

#[derive(Default)]
struct Counted {
    count: AtomicUsize,
    at_zero: Notify,
}

/// One operation in flight, counted until dropped.
pub(crate) struct ActiveGuard(ActiveCount);

impl ActiveCount {
    pub(crate) fn begin(&self) -> ActiveGuard {
        self.0.count.fetch_add(1, Ordering::AcqRel);
        ActiveGuard(self.clone())
    }

    pub(crate) async fn end(&self) {
        loop {
            // Register before reading the count, or an end in between is missed.
            let mut at_zero = pin!(self.0.at_zero.notified());
            at_zero.as_mut().enable();
            if self.0.count.load(Ordering::Acquire) == 0 {
                return;
            }
            at_zero.await;
        }
    }
}

impl Drop for ActiveGuard {
    fn drop(&mut self) {
        let Counted { count, at_zero } = &*self.0.0;
        if count.fetch_sub(1, Ordering::AcqRel) == 1 {
            at_zero.notify_waiters();
        }
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
