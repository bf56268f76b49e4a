//! `Flights`: drives the session. Keeps the callers that wait for its tickets, and wakes its flights.

use core::task::Poll;
use core::time::Duration;
use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::{Notify, SetOnce, oneshot};
use tokio::time::{Instant, timeout_at};
use verger_access::Authority;
use verger_access::session::{Effect, Event, FetchLimits, FlightId, Session, Step, Ticket, Wanted};
use verger_store::{UnpoisonedMutex, Wake};

use crate::fetch::client_error::ClientError;
use crate::fetch::known::Known;

pub(crate) type FetchResult = Result<Arc<Known>, ClientError>;

/// A time later than any that a program waits for.
pub(crate) const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

tokio::task_local! {
    /// The flight that sends a request. A transport may lend its permit while it waits for a connection permit.
    static FLIGHT: Arc<Flight>;
}

pub(crate) struct Flights {
    /// The start of the session's time.
    begun: Instant,
    desk: UnpoisonedMutex<Desk>,
    closed: SetOnce<()>,
}

struct Desk {
    session: Session,
    callers: HashMap<Ticket, Caller>,
    woken: HashMap<FlightId, Arc<Notify>>,
}

struct Caller {
    runtime: Handle,
    answer: oneshot::Sender<FetchResult>,
}

/// A question that waits for a flight. Dropping it cancels nothing.
pub(crate) struct Question {
    flights: Arc<Flights>,
    ticket: Ticket,
    answer: oneshot::Receiver<FetchResult>,
}

pub(crate) struct Flight {
    pub(crate) authority: Authority,
    pub(crate) wanted: Wanted,
    /// The runtime of its first caller.
    pub(crate) runtime: Handle,
    flights: Arc<Flights>,
    id: FlightId,
    woken: Arc<Notify>,
    /// Shared by each wait for a connection permit.
    waits: Arc<()>,
}

impl Drop for Question {
    fn drop(&mut self) {
        let mut desk = self.flights.desk.lock();
        if desk.callers.remove(&self.ticket).is_some() {
            desk.session.leave(self.ticket);
        }
    }
}

impl Question {
    /// Waits for the result. Returns `None` if the runtime of the flight is gone.
    pub(crate) async fn answer(&mut self) -> Option<FetchResult> {
        (&mut self.answer).await.ok()
    }
}

impl Flights {
    pub(crate) fn new(limits: FetchLimits) -> Arc<Self> {
        let desk = Desk {
            session: Session::new(limits),
            callers: HashMap::new(),
            woken: HashMap::new(),
        };
        Arc::new(Self {
            begun: Instant::now(),
            desk: UnpoisonedMutex::new(desk),
            closed: SetOnce::new(),
        })
    }

    /// Refuses later questions. The flights end.
    pub(crate) fn close(&self) {
        self.desk.lock().session.close();
        let _ = self.closed.set(());
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed.initialized()
    }

    pub(crate) async fn closed(&self) {
        self.closed.wait().await;
    }

    fn time(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.begun)
    }

    /// Asks on behalf of a caller. Returns `None` if the client is closed.
    pub(crate) fn ask(
        self: &Arc<Self>,
        runtime: Handle,
        authority: &Authority,
        wanted: Wanted,
        deadline: Option<Instant>,
    ) -> Option<(Question, Vec<Arc<Flight>>)> {
        let deadline = deadline.map(|deadline| self.time(deadline));
        self.wait_for(runtime, |session| session.ask(authority, wanted, deadline))
    }

    fn wait_for(
        self: &Arc<Self>,
        runtime: Handle,
        ask: impl FnOnce(&mut Session) -> Option<Ticket>,
    ) -> Option<(Question, Vec<Arc<Flight>>)> {
        let (sender, answer) = oneshot::channel();
        let mut desk = self.desk.lock();
        let ticket = ask(&mut desk.session)?;
        let caller = Caller {
            runtime,
            answer: sender,
        };
        desk.callers.insert(ticket, caller);
        let departures = self.carry_out(&mut desk);
        let question = Question {
            flights: Arc::clone(self),
            ticket,
            answer,
        };
        Some((question, departures))
    }

    /// Answers the callers of a flight.
    pub(crate) fn land(
        self: &Arc<Self>,
        flight: &Flight,
        result: &FetchResult,
    ) -> Vec<Arc<Flight>> {
        let (answered, departures) = {
            let mut desk = self.desk.lock();
            desk.woken.remove(&flight.id);
            let tickets = desk.session.land(flight.id).into_iter();
            let answered: Vec<_> = tickets.filter_map(|it| desk.callers.remove(&it)).collect();
            (answered, self.carry_out(&mut desk))
        };
        for caller in answered {
            let _ = caller.answer.send(result.clone());
        }
        departures
    }

    fn carry_out(self: &Arc<Self>, desk: &mut Desk) -> Vec<Arc<Flight>> {
        let mut departures = Vec::new();
        while let Some(effect) = desk.session.poll() {
            match effect {
                Effect::Wake(flight) => {
                    if let Some(woken) = desk.woken.get(&flight) {
                        woken.notify_one();
                    }
                }
                Effect::Begin {
                    flight: id,
                    authority,
                    wanted,
                    ticket,
                } => {
                    let Some(caller) = desk.callers.get(&ticket) else {
                        continue;
                    };
                    let flight = Flight {
                        authority,
                        wanted,
                        runtime: caller.runtime.clone(),
                        flights: Arc::clone(self),
                        id,
                        woken: Arc::default(),
                        waits: Arc::default(),
                    };
                    desk.woken.insert(id, Arc::clone(&flight.woken));
                    departures.push(Arc::new(flight));
                }
            }
        }
        departures
    }
}

impl Flight {
    /// Reports an event and returns the next step, after the wait for it.
    pub(crate) async fn next(&self, mut event: Event) -> Step {
        loop {
            event = match self.step(event) {
                Step::Wait(until) => {
                    self.wait(until.map(|until| self.instant(until))).await;
                    Event::Woken
                }
                step => return step,
            };
        }
    }

    /// Returns the time at which the session's clock shows `time`.
    pub(crate) fn instant(&self, time: Duration) -> Instant {
        let at = self.flights.begun.checked_add(time);
        at.unwrap_or_else(|| Instant::now() + FOREVER)
    }

    fn step(&self, event: Event) -> Step {
        let mut desk = self.flights.desk.lock();
        let now = self.flights.time(Instant::now());
        let step = desk.session.step(self.id, event, now);
        // No step begins a flight.
        self.flights.carry_out(&mut desk);
        step
    }

    /// Waits until the flight is woken, at most `until` a time.
    pub(crate) async fn wait(&self, until: Option<Instant>) {
        match until {
            Some(until) => drop(timeout_at(until, self.woken.notified()).await),
            None => self.woken.notified().await,
        }
    }

    /// Returns a function that wakes the flight.
    pub(crate) fn wake(&self) -> Wake {
        let woken = Arc::clone(&self.woken);
        Arc::new(move || woken.notify_one())
    }

    /// Asks about a redirect to another authority. Returns `None` if it is followed unchecked.
    pub(crate) fn ask_about_hop(&self, target: &Authority) -> Option<(Question, Vec<Arc<Flight>>)> {
        let ask = |session: &mut Session| session.ask_about_hop(self.id, target);
        self.flights.wait_for(self.runtime.clone(), ask)
    }

    /// Sends a request of the flight.
    pub(crate) async fn sending<T>(self: &Arc<Self>, request: impl Future<Output = T>) -> T {
        FLIGHT.scope(Arc::clone(self), request).await
    }

    /// Waits for `other`. Unless it is ready at once, lends the permit of the flight that sends the request meanwhile.
    /// If this is cancelled, the flight gets its permit back before its next request.
    pub(crate) async fn lent_during<T>(other: impl Future<Output = T>) -> T {
        let mut other = pin!(other);
        let at_once = poll_fn(|context| Poll::Ready(other.as_mut().poll(context))).await;
        if let Poll::Ready(outcome) = at_once {
            return outcome;
        }
        let Ok(flight) = FLIGHT.try_with(Arc::clone) else {
            return other.await;
        };
        let _wait = Arc::clone(&flight.waits);
        let _ = flight.step(Event::Lends);
        let outcome = other.await;
        let _ = flight.next(Event::Resumes).await;
        outcome
    }

    /// Returns `true` while its request waits for a connection permit.
    pub(crate) fn is_kept_waiting(&self) -> bool {
        Arc::strong_count(&self.waits) > 1
    }
}
