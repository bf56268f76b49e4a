use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::SetOnce;
use verger_store::UnpoisonedMutex;

use crate::fetch::active_count::ActiveCount;
use crate::future::BoxFuture;

/// Runs one task per key, for any number of callers. Each task runs to its end even if no caller
/// waits any more, unless [`SingleFlight::close`] cancels it.
pub(crate) struct SingleFlight<K, P, T> {
    in_flight: Arc<UnpoisonedMutex<InFlight<K, P, T>>>,
    closed: Arc<SetOnce<()>>,
    active: ActiveCount,
}

struct InFlight<K, P, T> {
    by_key: HashMap<K, SharedTask<P, T>>,
    last_number: u64,
}

#[derive(Clone)]
pub(crate) struct SharedTask<P, T> {
    pub(crate) purpose: P,
    pub(crate) number: u64,
    outcome: Arc<SetOnce<Option<T>>>,
}

impl<P, T: Clone> SharedTask<P, T> {
    /// Waits for the result. Returns `None` if the task panicked or was cancelled.
    pub(crate) async fn outcome(self) -> Option<T> {
        self.outcome.wait().await.clone()
    }
}

pub(crate) enum Joining<P, T> {
    /// A task with an acceptable purpose, perhaps just started.
    Joined(SharedTask<P, T>),
    /// The key has a task whose purpose is not acceptable.
    Busy(SharedTask<P, T>),
}

impl<P, T> Joining<P, T> {
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
    pub(crate) fn new(active: ActiveCount) -> Self {
        let in_flight = InFlight {
            by_key: HashMap::new(),
            last_number: 0,
        };
        Self {
            in_flight: Arc::new(UnpoisonedMutex::new(in_flight)),
            closed: Arc::default(),
            active,
        }
    }

    /// Cancels all tasks, including tasks started later.
    pub(crate) fn close(&self) {
        let _ = self.closed.set(());
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.initialized()
    }

    pub(crate) fn last_number(&self) -> u64 {
        self.in_flight.lock().last_number
    }

    /// Joins the task of `key` if `accepts` returns `true` for its purpose. Starts a task for
    /// `purpose` if none is in flight.
    pub(crate) fn join_or_start(
        &self,
        runtime: &Handle,
        key: &K,
        purpose: P,
        accepts: impl FnOnce(&SharedTask<P, T>) -> bool,
        start: impl FnOnce() -> BoxFuture<'static, T>,
    ) -> Joining<P, T> {
        let task = {
            let mut in_flight = self.in_flight.lock();
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
                outcome: Arc::default(),
            };
            in_flight.by_key.insert(key.clone(), task.clone());
            task
        };
        let ending = EndOnDrop {
            in_flight: Arc::clone(&self.in_flight),
            key: key.clone(),
            outcome: Arc::clone(&task.outcome),
        };
        let future = start();
        let (closed, counted) = (Arc::clone(&self.closed), self.active.begin());
        // Unlock the table first, because a runtime that shuts down drops the task at once.
        runtime.spawn(async move {
            // Marks the end even if the task panics or is dropped with its runtime.
            let (ending, _counted) = (ending, counted);
            tokio::select! {
                biased;
                () = async { closed.wait().await; } => {}
                outcome = future => drop(ending.outcome.set(Some(outcome))),
            }
            drop(ending);
        });
        Joining::Joined(task)
    }
}

/// Ends a task when dropped. It sets the result, if any, before removing the task from the table,
/// so a call in between finds the result.
struct EndOnDrop<K: Eq + Hash, P, T> {
    in_flight: Arc<UnpoisonedMutex<InFlight<K, P, T>>>,
    key: K,
    outcome: Arc<SetOnce<Option<T>>>,
}

impl<K: Eq + Hash, P, T> Drop for EndOnDrop<K, P, T> {
    fn drop(&mut self) {
        let _ = self.outcome.set(None);
        self.in_flight.lock().by_key.remove(&self.key);
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    type Numbers = SingleFlight<&'static str, u8, u32>;

    /// Asks for the key `a`, for a purpose that a run for the same purpose meets.
    fn ask(
        flights: &Numbers,
        purpose: u8,
        run: impl Future<Output = u32> + Send + 'static,
    ) -> Joining<u8, u32> {
        let accepts = |task: &SharedTask<u8, u32>| task.purpose == purpose;
        let runtime = Handle::current();
        flights.join_or_start(&runtime, &"a", purpose, accepts, || Box::pin(run))
    }

    #[tokio::test]
    async fn all_callers_get_the_result_of_one_run() {
        let flights = Numbers::new(ActiveCount::default());
        let (open, gate) = oneshot::channel::<()>();
        let first = ask(&flights, 0, async {
            let _ = gate.await;
            7
        });
        let second = ask(&flights, 0, async { panic!("a second run") });
        drop(first.task());
        open.send(()).unwrap();
        assert_eq!(second.task().outcome().await, Some(7));
        let third = ask(&flights, 0, async { 8 });
        assert_eq!(third.task().outcome().await, Some(8));
        tokio::task::yield_now().await;
        assert!(flights.in_flight.lock().by_key.is_empty());
    }

    #[tokio::test]
    async fn a_task_that_panics_frees_its_key() {
        let flights = Numbers::new(ActiveCount::default());
        let lost = ask(&flights, 0, async { panic!("as intended") });
        assert_eq!(lost.task().outcome().await, None);
        assert!(flights.in_flight.lock().by_key.is_empty());
    }

    #[tokio::test]
    async fn a_task_with_another_purpose_is_reported_as_busy() {
        let flights = Numbers::new(ActiveCount::default());
        let _first = ask(&flights, 1, std::future::pending());
        let second = ask(&flights, 2, async { panic!("a second run") });
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
        assert!(flights.in_flight.lock().by_key.is_empty());
    }
}
