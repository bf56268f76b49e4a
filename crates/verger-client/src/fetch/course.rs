//! `Course`: carries out the steps of a flight.

use core::time::Duration;
use std::sync::Arc;

use tokio::time::Instant;
use verger_access::session::{Event, FlightFailure, Step};
use verger_store::StoreError;

use crate::fetch::active_count::ActiveGuard;
use crate::fetch::async_store::{HeldLease, LeaseOutcome, StoreQuery};
use crate::fetch::client_error::ClientError;
use crate::fetch::fetcher::Fetcher;
use crate::fetch::flights::{FetchResult, Flight};
use crate::fetch::known::Known;

/// A flight that runs. It lands when dropped, even if its task panics or is dropped with its runtime.
pub(crate) struct Course {
    pub(crate) fetcher: Arc<Fetcher>,
    pub(crate) flight: Arc<Flight>,
    /// Knowledge that the store does not have.
    local: Option<Known>,
    /// The knowledge so far, and the result in the end.
    pub(crate) known: Known,
    pub(crate) lease: Option<HeldLease>,
    /// Why the flight continues without the store.
    pub(crate) store_error: Option<Arc<StoreError>>,
    /// The process that has the lease.
    held_by: String,
    lease_watch: Option<LeaseWatch>,
    result: Option<FetchResult>,
    _counted: ActiveGuard,
}

/// Wakes the flight when the lease ends, if the store can tell.
struct LeaseWatch {
    _watch: Option<Box<dyn Send + Sync>>,
}

/// The next event of the flight. `None` if it ends.
type Then = Result<Option<Event>, ClientError>;

impl Drop for Course {
    fn drop(&mut self) {
        drop(self.lease.take());
        let (fetcher, flight) = (&self.fetcher, &self.flight);
        let result = self.result.take();
        let result = result.unwrap_or_else(|| Err(fetcher.cancelled(&flight.authority)));
        fetcher.depart(fetcher.flights.land(flight, &result));
    }
}

impl Fetcher {
    /// Begins flights, which run to their end even if no caller waits any more.
    pub(crate) fn depart(self: &Arc<Self>, departures: Vec<Arc<Flight>>) {
        for flight in departures {
            let mut course = Course {
                fetcher: Arc::clone(self),
                local: self.local.known(&flight.authority),
                flight: Arc::clone(&flight),
                known: Known::default(),
                lease: None,
                store_error: None,
                held_by: String::new(),
                lease_watch: None,
                result: None,
                _counted: self.active.begin(),
            };
            let fetcher = Arc::clone(self);
            flight.runtime.spawn(async move {
                let result = tokio::select! {
                    biased;
                    () = fetcher.flights.closed() => None,
                    ended = course.run() => Some(ended),
                };
                let known = std::mem::take(&mut course.known);
                course.result = result.map(|ended| ended.map(|()| Arc::new(known)));
                drop(course);
            });
        }
    }
}

impl Course {
    /// Runs until the knowledge is recent enough.
    async fn run(&mut self) -> Result<(), ClientError> {
        self.known = self.local.clone().unwrap_or_default();
        // If the snapshot is also in the store, the store may have a newer one.
        if self.known.snapshot.is_none() && self.is_met() {
            return Ok(());
        }
        let flight = Arc::clone(&self.flight);
        let mut event = Event::Woken;
        loop {
            let then = match flight.next(event).await {
                Step::Read(deadline) => self.read(deadline).await?,
                Step::Acquire(deadline) => self.acquire(deadline).await?,
                Step::AwaitLease { again, until } => self.await_lease(again, until).await,
                Step::Attempt(deadline) => {
                    let known = self.attempt(flight.instant(deadline)).await?;
                    match known.filter(|known| self.fetcher.context.applies(known)) {
                        Some(known) => {
                            self.known = known;
                            None
                        }
                        None => Some(Event::Again),
                    }
                }
                Step::Fail(failure) => return Err(self.failed(failure)),
                // An attempt carries these out.
                Step::Wait(_) | Step::Proceed | Step::Refrain | Step::Keep(_) => Some(Event::Again),
            };
            let Some(next) = then else {
                return Ok(());
            };
            event = next;
        }
    }

    fn is_met(&self) -> bool {
        let wanted = self.flight.wanted;
        self.fetcher.context.is_met(wanted, &self.known)
    }

    fn query(&self, deadline: Option<Duration>) -> StoreQuery<'_> {
        StoreQuery {
            authority: &self.flight.authority,
            profile: &self.fetcher.context.profile,
            deadline: deadline.map(|deadline| self.flight.instant(deadline)),
        }
    }

    async fn read(&mut self, deadline: Option<Duration>) -> Then {
        match self.fetcher.store.known(self.query(deadline)).await {
            Ok(found) => self.known = found.or_newer(self.local.as_ref()),
            Err(error) => return self.without_store(error),
        }
        Ok((!self.is_met()).then_some(Event::Due))
    }

    async fn acquire(&mut self, deadline: Duration) -> Then {
        let (fetcher, wanted) = (Arc::clone(&self.fetcher), self.flight.wanted);
        let (query, local) = (self.query(Some(deadline)), self.local.clone());
        let (store, now, holder) = (
            &self.fetcher.store,
            fetcher.now(),
            Arc::clone(&fetcher.holder),
        );
        let is_met = move |known: &Known| fetcher.context.is_met(wanted, known);
        Ok(
            match store.acquire(query, local, is_met, now, holder).await {
                Ok(LeaseOutcome::UpToDate(known)) => {
                    self.known = known;
                    None
                }
                Ok(LeaseOutcome::Granted(known, lease)) => {
                    (self.known, self.lease) = (known, Some(lease));
                    Some(Event::LeaseGranted)
                }
                Ok(LeaseOutcome::HeldElsewhere { holder }) => {
                    self.held_by = holder;
                    Some(Event::LeaseHeldElsewhere)
                }
                Err(error) => return self.without_store(error),
            },
        )
    }

    /// Continues from memory, and from knowledge that was read before the store failed.
    fn without_store(&mut self, error: Arc<StoreError>) -> Then {
        let error = ClientError::unless_shortage(&self.flight.authority, error)?;
        self.store_error = Some(error);
        Ok(Some(Event::StoreFailed))
    }

    async fn await_lease(&mut self, again: Duration, until: Duration) -> Option<Event> {
        let (fetcher, flight) = (&self.fetcher, &self.flight);
        self.lease_watch.get_or_insert_with(|| {
            let until = flight.instant(until);
            let longest = until.saturating_duration_since(Instant::now());
            let (observer, authority) = (&fetcher.observer, &flight.authority);
            observer.waiting(authority, &self.held_by, longest);
            LeaseWatch {
                _watch: fetcher.store.watch(authority, flight.wake()),
            }
        });
        flight.wait(Some(flight.instant(again))).await;
        Some(Event::Woken)
    }

    fn failed(&mut self, failure: FlightFailure) -> ClientError {
        let authority = Box::new(self.flight.authority.clone());
        match failure {
            FlightFailure::OutOfTime => ClientError::OutOfTime(authority),
            FlightFailure::HeldElsewhere => ClientError::HeldElsewhere {
                authority,
                holder: std::mem::take(&mut self.held_by),
            },
        }
    }
}
