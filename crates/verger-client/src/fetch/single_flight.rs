//! `SingleFlight`: one run of a task for each key, for any number of callers that wait for its result.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::fetch::active_count::ActiveCount;
use crate::future::BoxFuture;

/// Tasks in flight by key. Each runs to its end, also where no caller waits any more, unless
/// [`SingleFlight::close`] cancels it.
pub(crate) struct SingleFlight<K, P, T> {
    in_flight: Arc<Mutex<InFlight<K, P, T>>>,
    closed: watch::Sender<bool>,
    active: ActiveCount,
}

struct InFlight<K, P, T> {
    by_key: HashMap<K, SharedTask<P, T>>,
    last_number: u64,
}

/// A task in flight: its purpose, and the channel for its result.
#[derive(Clone)]
pub(crate) struct SharedTask<P, T> {
    pub(crate) purpose: P,
    /// Larger than that of any task that was started earlier.
    pub(crate) number: u64,
    outcome: watch::Receiver<Option<T>>,
}

impl<P, T: Clone> SharedTask<P, T> {
    /// Waits for the result; `None` where the task panicked or was cancelled.
    pub(crate) async fn outcome(mut self) -> Option<T> {
        let outcome = self.outcome.wait_for(Option::is_some).await;
        outcome.ok().and_then(|outcome| outcome.clone())
    }
}

/// The result of [`SingleFlight::join_or_start`].
pub(crate) enum Joining<P, T> {
    /// A task with an acceptable purpose, perhaps just started.
    Joined(SharedTask<P, T>),
    /// The key is busy: the purpose of its task is not acceptable.
    Busy(SharedTask<P, T>),
}

impl<P, T> Joining<P, T> {
    /// Returns the task in either case.
    pub(crate) fn task(self) -> SharedTask<P, T> {
        match self {
            Self::Joined(task) | Self::Busy(task) => task,
        }
    }
}

impl<K, P, T> SingleFlight<K, P, T>
where
    K: Clone + Eq + Hash + Send + 'static,
    P: Clone + Send + 'static,
    T: Clone + Send + Sync + 'static,
{
    /// Makes an empty table. Tasks are counted in `active`.
    pub(crate) fn new(active: ActiveCount) -> Self {
        let in_flight = InFlight {
            by_key: HashMap::new(),
            last_number: 0,
        };
        Self {
            in_flight: Arc::new(Mutex::new(in_flight)),
            closed: watch::Sender::new(false),
            active,
        }
    }

    /// Cancels all tasks, those that are started later as well.
    pub(crate) fn close(&self) {
        self.closed.send_replace(true);
    }

    pub(crate) fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    /// Returns the number of the task that was started last.
    pub(crate) fn last_number(&self) -> u64 {
        lock(&self.in_flight).last_number
    }

    /// Joins the task of `key` where `accepts` returns `true` for it; starts one for `purpose` where
    /// none is in flight.
    pub(crate) fn join_or_start(
        &self,
        runtime: &Handle,
        key: &K,
        purpose: P,
        accepts: impl FnOnce(&SharedTask<P, T>) -> bool,
        start: impl FnOnce() -> BoxFuture<'static, T>,
    ) -> Joining<P, T> {
        let (sender, outcome) = watch::channel(None);
        let task = {
            let mut in_flight = lock(&self.in_flight);
            if let Some(task) = in_flight.by_key.get(key) {
                let task = task.clone();
                return if accepts(&task) {
                    Joining::Joined(task)
                } else {
                    Joining::Busy(task)
                };
            }
            in_flight.last_number += 1;
            let task = SharedTask {
                purpose,
                number: in_flight.last_number,
                outcome,
            };
            in_flight.by_key.insert(key.clone(), task.clone());
            task
        };
        let remove_on_drop = RemoveOnDrop {
            in_flight: Arc::clone(&self.in_flight),
            key: key.clone(),
        };
        let future = start();
        let (mut closed, counted) = (self.closed.subscribe(), self.active.begin());
        // The table is not locked any more: a runtime that shuts down drops the task at once.
        runtime.spawn(async move {
            // Removed however the task ends: also where it panics, or is dropped with its runtime.
            let (remove_on_drop, _counted) = (remove_on_drop, counted);
            let cancelled = async move {
                if closed.wait_for(|is_closed| *is_closed).await.is_err() {
                    std::future::pending::<()>().await;
                }
            };
            tokio::select! {
                biased;
                () = cancelled => {}
                // Sent before it is removed: a call in between finds the result.
                outcome = future => drop(sender.send_replace(Some(outcome))),
            }
            drop(remove_on_drop);
        });
        Joining::Joined(task)
    }
}

/// Removes a task from the table when it is dropped.
struct RemoveOnDrop<K: Eq + Hash, P, T> {
    in_flight: Arc<Mutex<InFlight<K, P, T>>>,
    key: K,
}

impl<K: Eq + Hash, P, T> Drop for RemoveOnDrop<K, P, T> {
    fn drop(&mut self) {
        lock(&self.in_flight).by_key.remove(&self.key);
    }
}

/// A panic under the lock leaves no half-made change, so a poisoned lock is usable.
fn lock<T>(in_flight: &Mutex<T>) -> MutexGuard<'_, T> {
    in_flight.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    type Numbers = SingleFlight<&'static str, u8, u32>;

    #[tokio::test]
    async fn all_callers_get_the_result_of_one_run() {
        let flights = Numbers::new(ActiveCount::default());
        let (open, gate) = oneshot::channel::<()>();
        let runtime = Handle::current();
        let first = flights.join_or_start(
            &runtime,
            &"a",
            0,
            |_| true,
            || {
                Box::pin(async {
                    let _ = gate.await;
                    7
                })
            },
        );
        let second = flights.join_or_start(&runtime, &"a", 0, |_| true, || panic!("a second run"));
        drop(first.task());
        open.send(()).unwrap();
        assert_eq!(second.task().outcome().await, Some(7));
        let third = flights.join_or_start(&runtime, &"a", 0, |_| true, || Box::pin(async { 8 }));
        assert_eq!(third.task().outcome().await, Some(8));
        tokio::task::yield_now().await;
        assert!(lock(&flights.in_flight).by_key.is_empty());
    }

    #[tokio::test]
    async fn a_task_that_panics_frees_its_key() {
        let flights = Numbers::new(ActiveCount::default());
        let runtime = Handle::current();
        let lost = flights.join_or_start(
            &runtime,
            &"a",
            0,
            |_| true,
            || Box::pin(async { panic!("as intended") }),
        );
        assert_eq!(lost.task().outcome().await, None);
        assert!(lock(&flights.in_flight).by_key.is_empty());
    }

    #[tokio::test]
    async fn a_task_with_another_purpose_is_reported_as_busy() {
        let flights = Numbers::new(ActiveCount::default());
        let runtime = Handle::current();
        let (_open, gate) = oneshot::channel::<()>();
        let _first = flights.join_or_start(
            &runtime,
            &"a",
            1,
            |_| true,
            || {
                Box::pin(async {
                    let _ = gate.await;
                    7
                })
            },
        );
        let second = flights.join_or_start(
            &runtime,
            &"a",
            2,
            |task| task.purpose == 2,
            || panic!("a second run"),
        );
        assert!(matches!(second, Joining::Busy(task) if task.purpose == 1));
    }

    #[tokio::test]
    async fn close_cancels_running_and_later_tasks() {
        let active = ActiveCount::default();
        let flights = Numbers::new(active.clone());
        let runtime = Handle::current();
        let never = || -> BoxFuture<'static, u32> { Box::pin(std::future::pending()) };
        let first = flights.join_or_start(&runtime, &"a", 0, |_| true, never);
        assert_eq!(flights.last_number(), 1);
        flights.close();
        active.end().await;
        assert_eq!(first.task().outcome().await, None);
        let second = flights.join_or_start(&runtime, &"b", 0, |_| true, never);
        assert_eq!(second.task().outcome().await, None);
        assert!(lock(&flights.in_flight).by_key.is_empty());
    }
}
