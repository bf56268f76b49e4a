//! `verger._verger._Session`: decides which requests fetch, and which ones wait for them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use verger_access::session::{
    Effect, Event, FetchLimits, FlightFailure, FlightId, Keeping, Session, Step, Ticket, Wanted,
};

use crate::access::asked::authority_of;
use crate::access::fetch::Fetch;
use crate::guard::guarded;

/// Maximum time to wait for another process.
const LEASE_WAIT_MAX: Duration = Duration::from_secs(180);

/// The session of an event loop, and the requests that wait for its tickets. Times are those of
/// `time.monotonic()`.
///
/// The HTTP client limits how many requests it sends, and for how long. So no flight waits for a
/// permit here.
#[pyclass(frozen, module = "verger._verger", name = "_Session")]
pub(crate) struct LoopSession {
    desk: Mutex<Desk>,
}

struct Desk {
    session: Session,
    callers: BTreeMap<Ticket, Py<PyAny>>,
}

impl LoopSession {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for(
        &self,
        caller: Py<PyAny>,
        ask: impl FnOnce(&mut Session) -> Option<Ticket>,
    ) -> Option<u64> {
        let mut desk = self.desk();
        let ticket = ask(&mut desk.session)?;
        desk.callers.insert(ticket, caller);
        Some(ticket.0)
    }
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

#[pymethods]
impl LoopSession {
    /// Create a session that waits for another process at most for a number of seconds.
    #[new]
    fn new(py: Python<'_>, lease_wait_max: f64) -> PyResult<Self> {
        guarded(py, || {
            let mut limits = FetchLimits::default();
            limits.deadline = Duration::MAX;
            limits.fetches_max = usize::MAX;
            limits.requests_per_host_max = usize::MAX;
            limits.lease_wait_max = duration(lease_wait_max).min(LEASE_WAIT_MAX);
            let desk = Desk {
                session: Session::new(limits),
                callers: BTreeMap::new(),
            };
            Ok(Self {
                desk: Mutex::new(desk),
            })
        })
    }

    /// Ask for knowledge about the authority of `url`, and return the ticket.
    fn ask(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        caller: Py<PyAny>,
    ) -> PyResult<Option<u64>> {
        guarded(py, || {
            let authority = authority_of(url)?;
            Ok(self.wait_for(caller, |session| {
                session.ask(&authority, Wanted::Fresh, None)
            }))
        })
    }

    /// Ask for a flight whether it may follow a redirect to the authority of `url`, and return the
    /// ticket. Return `None` if it follows the redirect unchecked.
    fn ask_about_hop(
        &self,
        py: Python<'_>,
        flight: u64,
        url: &Bound<'_, PyAny>,
        caller: Py<PyAny>,
    ) -> PyResult<Option<u64>> {
        guarded(py, || {
            let authority = authority_of(url)?;
            Ok(self.wait_for(caller, |session| {
                session.ask_about_hop(FlightId(flight), &authority)
            }))
        })
    }

    /// Drop a question.
    fn leave(&self, py: Python<'_>, ticket: u64) -> PyResult<()> {
        guarded(py, || {
            let ticket = Ticket(ticket);
            let mut desk = self.desk();
            desk.session.leave(ticket);
            let caller = desk.callers.remove(&ticket);
            // Dropping it may run Python code.
            drop(desk);
            drop(caller);
            Ok(())
        })
    }

    /// Report an event of a flight. Return its next step, and the time of that step or 0.
    #[pyo3(signature = (flight, event, now, fetch=None))]
    fn step(
        &self,
        py: Python<'_>,
        flight: u64,
        event: &str,
        now: f64,
        fetch: Option<&Fetch>,
    ) -> PyResult<(&'static str, f64)> {
        guarded(py, || {
            let event = self::event(event, fetch)?;
            let mut desk = self.desk();
            let step = desk.session.step(FlightId(flight), event, duration(now));
            let (name, time) = parts(step);
            Ok((name, time.unwrap_or_default().as_secs_f64()))
        })
    }

    /// End a flight, and return the callers that get its result.
    fn land(&self, py: Python<'_>, flight: u64) -> PyResult<Vec<Py<PyAny>>> {
        guarded(py, || {
            let mut desk = self.desk();
            let tickets = desk.session.land(FlightId(flight)).into_iter();
            Ok(tickets.filter_map(|it| desk.callers.remove(&it)).collect())
        })
    }

    /// Return the next flight to begin, and the caller that it begins for.
    fn poll(&self, py: Python<'_>) -> PyResult<Option<(u64, Py<PyAny>)>> {
        guarded(py, || {
            let mut desk = self.desk();
            while let Some(effect) = desk.session.poll() {
                if let Effect::Begin { flight, ticket, .. } = effect
                    && let Some(caller) = desk.callers.get(&ticket)
                {
                    return Ok(Some((flight.0, caller.clone_ref(py))));
                }
            }
            Ok(None)
        })
    }

    /// Whether nobody waits.
    #[getter]
    fn is_idle(&self) -> bool {
        self.desk().callers.is_empty()
    }
}

/// Returns the event with this name.
fn event(name: &str, fetch: Option<&Fetch>) -> PyResult<Event> {
    Ok(match (name, fetch) {
        ("woken", None) => Event::Woken,
        ("due", None) => Event::Due,
        ("store-failed", None) => Event::StoreFailed,
        ("lease-granted", None) => Event::LeaseGranted,
        ("lease-held-elsewhere", None) => Event::LeaseHeldElsewhere,
        ("resumes", None) => Event::Resumes,
        ("ended", Some(fetch)) => Event::Ended(fetch.ended()?.0.last.outcome),
        _ => return Err(PyValueError::new_err(format!("unknown event `{name}`"))),
    })
}

/// Returns the name of a step, and its time.
fn parts(step: Step) -> (&'static str, Option<Duration>) {
    match step {
        Step::Read(until) => ("read", until),
        Step::Wait(until) => ("wait", until),
        Step::Acquire(until) => ("acquire", Some(until)),
        Step::AwaitLease { again, .. } => ("await-lease", Some(again)),
        Step::Attempt(until) => ("attempt", Some(until)),
        Step::Proceed => ("proceed", None),
        Step::Refrain => ("refrain", None),
        Step::Keep(Keeping::Put) => ("put", None),
        Step::Keep(Keeping::Hold) => ("hold", None),
        Step::Keep(Keeping::Return) => ("return", None),
        Step::Keep(Keeping::Discard) => ("discard", None),
        Step::Fail(FlightFailure::OutOfTime) => ("out-of-time", None),
        Step::Fail(FlightFailure::HeldElsewhere) => ("held-elsewhere", None),
    }
}
