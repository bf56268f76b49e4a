//! `Flights`: one run of a task, however many wait for what comes of it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::watch;

use crate::future::BoxFuture;
use crate::under_way::UnderWay;

/// Tasks by key. Each runs to its end, also where no caller waits any more, unless all are closed.
pub(crate) struct Flights<K, P, T> {
    in_flight: Arc<Mutex<InFlight<K, P, T>>>,
    closed: watch::Sender<bool>,
    under_way: UnderWay,
}

struct InFlight<K, P, T> {
    by_key: HashMap<K, Flight<P, T>>,
    last_number: u64,
}

/// A task that runs: for what purpose, and where what comes of it will be.
#[derive(Clone)]
pub(crate) struct Flight<P, T> {
    pub(crate) purpose: P,
    /// Larger than that of any task that was started earlier.
    pub(crate) number: u64,
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
    /// No tasks yet; those that will run count as under way.
    pub(crate) fn new(under_way: UnderWay) -> Self {
        let in_flight = InFlight {
            by_key: HashMap::new(),
            last_number: 0,
        };
        Self {
            in_flight: Arc::new(Mutex::new(in_flight)),
            closed: watch::Sender::new(false),
            under_way,
        }
    }

    /// Gives up all tasks, those that are started later as well.
    pub(crate) fn close(&self) {
        self.closed.send_replace(true);
    }

    pub(crate) fn is_closed(&self) -> bool {
        *self.closed.borrow()
    }

    /// The number of the task that was started last.
    pub(crate) fn last_number(&self) -> u64 {
        lock(&self.in_flight).last_number
    }

    /// Joins the task of `key` where it is one that `does`; starts one for `purpose` where none
    /// runs.
    pub(crate) fn board(
        &self,
        runtime: &Handle,
        key: &K,
        purpose: P,
        does: impl FnOnce(&Flight<P, T>) -> bool,
        task: impl FnOnce() -> BoxFuture<'static, T>,
    ) -> Boarding<P, T> {
        let (sender, landed) = watch::channel(None);
        let flight = {
            let mut in_flight = lock(&self.in_flight);
            if let Some(flight) = in_flight.by_key.get(key) {
                let flight = flight.clone();
                return if does(&flight) {
                    Boarding::Joined(flight)
                } else {
                    Boarding::Otherwise(flight)
                };
            }
            in_flight.last_number += 1;
            let flight = Flight {
                purpose,
                number: in_flight.last_number,
                landed,
            };
            in_flight.by_key.insert(key.clone(), flight.clone());
            flight
        };
        let struck = Struck {
            in_flight: Arc::clone(&self.in_flight),
            key: key.clone(),
        };
        let task = task();
        let (mut closed, counted) = (self.closed.subscribe(), self.under_way.begin());
        // The table is not locked any more: a runtime that shuts down drops the task at once.
        runtime.spawn(async move {
            // It leaves the table however the task ends: also where it panics, or is dropped with
            // its runtime.
            let (struck, _counted) = (struck, counted);
            let given_up = async move {
                if closed.wait_for(|is_closed| *is_closed).await.is_err() {
                    std::future::pending::<()>().await;
                }
            };
            tokio::select! {
                biased;
                () = given_up => {}
                // Sent before it leaves the table: a call in between finds the outcome.
                outcome = task => drop(sender.send_replace(Some(outcome))),
            }
            drop(struck);
        });
        Boarding::Joined(flight)
    }
}

/// Takes a flight out of the table when it is dropped.
struct Struck<K: Eq + Hash, P, T> {
    in_flight: Arc<Mutex<InFlight<K, P, T>>>,
    key: K,
}

impl<K: Eq + Hash, P, T> Drop for Struck<K, P, T> {
    fn drop(&mut self) {
        lock(&self.in_flight).by_key.remove(&self.key);
    }
}

/// Nothing that holds the lock panics halfway.
fn lock<T>(in_flight: &Mutex<T>) -> MutexGuard<'_, T> {
    in_flight.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    type Numbers = Flights<&'static str, u8, u32>;

    #[tokio::test]
    async fn all_who_ask_get_what_came_of_one_run() {
        let flights = Numbers::new(UnderWay::default());
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
        assert!(lock(&flights.in_flight).by_key.is_empty());
    }

    #[tokio::test]
    async fn a_run_that_panics_frees_its_key() {
        let flights = Numbers::new(UnderWay::default());
        let runtime = Handle::current();
        let lost = flights.board(
            &runtime,
            &"a",
            0,
            |_| true,
            || Box::pin(async { panic!("as intended") }),
        );
        assert_eq!(lost.flight().landing().await, None);
        assert!(lock(&flights.in_flight).by_key.is_empty());
    }

    #[tokio::test]
    async fn a_run_for_another_purpose_is_told() {
        let flights = Numbers::new(UnderWay::default());
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
            |flight| flight.purpose == 2,
            || panic!("a second run"),
        );
        assert!(matches!(second, Boarding::Otherwise(flight) if flight.purpose == 1));
    }

    #[tokio::test]
    async fn what_is_closed_gives_up_what_runs_and_what_comes() {
        let under_way = UnderWay::default();
        let flights = Numbers::new(under_way.clone());
        let runtime = Handle::current();
        let never = || -> BoxFuture<'static, u32> { Box::pin(std::future::pending()) };
        let first = flights.board(&runtime, &"a", 0, |_| true, never);
        assert_eq!(flights.last_number(), 1);
        flights.close();
        under_way.end().await;
        assert_eq!(first.flight().landing().await, None);
        let second = flights.board(&runtime, &"b", 0, |_| true, never);
        assert_eq!(second.flight().landing().await, None);
        assert!(lock(&flights.in_flight).by_key.is_empty());
    }
}
