//! `Flights`: one run of a task, however many wait for what comes of it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::future::BoxFuture;

/// Tasks by key. Each runs to its end, whoever stops waiting for it.
pub(crate) struct Flights<K, P, T> {
    aloft: Arc<Mutex<HashMap<K, Flight<P, T>>>>,
}

/// A task that runs: for what purpose, and where what comes of it will be.
#[derive(Clone)]
pub(crate) struct Flight<P, T> {
    pub(crate) purpose: P,
    landed: watch::Receiver<Option<T>>,
}

impl<P, T: Clone> Flight<P, T> {
    /// What comes of it; `None` where it ended without.
    pub(crate) async fn landing(mut self) -> Option<T> {
        let landed = self.landed.wait_for(Option::is_some).await;
        landed.ok().and_then(|landed| landed.clone())
    }
}

/// Where a key is asked for.
pub(crate) enum Boarding<P, T> {
    /// It runs, for a purpose that does.
    Joined(Flight<P, T>),
    /// It runs for another purpose.
    Otherwise(Flight<P, T>),
}

impl<P, T> Boarding<P, T> {
    /// The task, whatever it runs for.
    pub(crate) fn flight(self) -> Flight<P, T> {
        match self {
            Self::Joined(flight) | Self::Otherwise(flight) => flight,
        }
    }
}

impl<K, P, T> Flights<K, P, T>
where
    K: Clone + Eq + Hash + Send + 'static,
    P: Clone + Send + 'static,
    T: Clone + Send + Sync + 'static,
{
    pub(crate) fn new() -> Self {
        Self {
            aloft: Arc::default(),
        }
    }

    /// Joins the task of `key` where it runs for a purpose that `does`; starts one for `purpose`
    /// where none runs.
    pub(crate) fn board(
        &self,
        runtime: &Handle,
        key: &K,
        purpose: P,
        does: impl FnOnce(&P) -> bool,
        task: impl FnOnce() -> BoxFuture<'static, T>,
    ) -> Boarding<P, T> {
        let (sender, landed) = watch::channel(None);
        let flight = Flight { purpose, landed };
        {
            let mut aloft = lock(&self.aloft);
            if let Some(flight) = aloft.get(key) {
                let flight = flight.clone();
                return if does(&flight.purpose) {
                    Boarding::Joined(flight)
                } else {
                    Boarding::Otherwise(flight)
                };
            }
            aloft.insert(key.clone(), flight.clone());
        }
        let struck = Struck {
            aloft: Arc::clone(&self.aloft),
            key: key.clone(),
        };
        let task = task();
        // The table is not locked any more: a runtime that shuts down drops the task at once.
        runtime.spawn(async move {
            // It leaves the table however the task ends: also where it panics, or is dropped with
            // its runtime.
            let struck = struck;
            let outcome = task.await;
            // Told before it leaves the table: whoever comes in between finds what came of it.
            sender.send_replace(Some(outcome));
            drop(struck);
        });
        Boarding::Joined(flight)
    }
}

/// Takes a flight out of the table when it is dropped.
struct Struck<K: Eq + Hash, P, T> {
    aloft: Arc<Mutex<HashMap<K, Flight<P, T>>>>,
    key: K,
}

impl<K: Eq + Hash, P, T> Drop for Struck<K, P, T> {
    fn drop(&mut self) {
        lock(&self.aloft).remove(&self.key);
    }
}

/// Nothing that holds the lock panics halfway.
fn lock<T>(aloft: &Mutex<T>) -> MutexGuard<'_, T> {
    aloft.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    type Numbers = Flights<&'static str, u8, u32>;

    #[tokio::test]
    async fn all_who_ask_get_what_came_of_one_run() {
        let flights = Numbers::new();
        let (open, gate) = oneshot::channel::<()>();
        let runtime = Handle::current();
        let first = flights.board(
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
        let second = flights.board(&runtime, &"a", 0, |_| true, || panic!("a second run"));
        drop(first.flight());
        open.send(()).unwrap();
        assert_eq!(second.flight().landing().await, Some(7));
        let third = flights.board(&runtime, &"a", 0, |_| true, || Box::pin(async { 8 }));
        assert_eq!(third.flight().landing().await, Some(8));
        tokio::task::yield_now().await;
        assert!(lock(&flights.aloft).is_empty());
    }

    #[tokio::test]
    async fn a_run_that_panics_frees_its_key() {
        let flights = Numbers::new();
        let runtime = Handle::current();
        let lost = flights.board(
            &runtime,
            &"a",
            0,
            |_| true,
            || Box::pin(async { panic!("as intended") }),
        );
        assert_eq!(lost.flight().landing().await, None);
        assert!(lock(&flights.aloft).is_empty());
    }

    #[tokio::test]
    async fn a_run_for_another_purpose_is_told() {
        let flights = Numbers::new();
        let runtime = Handle::current();
        let (_open, gate) = oneshot::channel::<()>();
        let _first = flights.board(
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
        let second = flights.board(
            &runtime,
            &"a",
            2,
            |&purpose| purpose == 2,
            || panic!("a second run"),
        );
        assert!(matches!(second, Boarding::Otherwise(flight) if flight.purpose == 1));
    }
}
