//! Sessions, which decide who waits for which fetch. Each has a key and lives until it is freed.

use core::time::Duration;
use std::cell::RefCell;

use serde::Serialize;
use serde_json::Value as Json;
use verger_access::session::{
    Effect, Event, FetchLimits, FlightId, Keeping, Session, Step, Ticket, Wanted,
};

use super::asked::{located, text};
use crate::argument::Argument;
use crate::failure::Failure;

thread_local! {
    static SESSIONS: RefCell<Vec<(u64, Session)>> = const { RefCell::new(Vec::new()) };
}

/// The result of an event, and the tasks of the caller.
#[derive(Default, Serialize)]
struct Reported {
    /// The ticket of a question. None if a redirect is followed unchecked.
    ticket: Option<u64>,
    /// The tickets that get the result of a flight that has landed.
    tickets: Vec<u64>,
    step: &'static str,
    /// When the step or the wait ends at the latest.
    until: Option<u64>,
    begins: Vec<Flight>,
    wakes: Vec<u64>,
}

#[derive(Serialize)]
struct Flight {
    id: u64,
    located: Json,
    wanted: &'static str,
}

/// Frees a session, if it exists.
#[unsafe(no_mangle)]
pub extern "C" fn session_free(key: u32) {
    SESSIONS.with_borrow_mut(|sessions| sessions.retain(|(it, _)| *it != u64::from(key)));
}

/// Reports an event: `new` makes a session, `fresh`, `now` and `hop` are questions, `leave` drops
/// one, `land` ends a flight, and all others are events of a flight.
pub(super) fn report(of: &Argument) -> Result<String, Failure> {
    SESSIONS.with_borrow_mut(|sessions| {
        if of.event == "new" {
            sessions.retain(|(key, _)| *key != of.key);
            sessions.push((of.key, Session::new(limits(of))));
        }
        let session = sessions.iter_mut().find(|(key, _)| *key == of.key);
        let (_, session) = session.ok_or_else(|| Failure::internal("unknown session"))?;
        let mut reported = Reported::of(session, of)?;
        while let Some(effect) = session.poll() {
            match effect {
                Effect::Wake(flight) => reported.wakes.push(flight.0),
                Effect::Begin {
                    flight,
                    authority,
                    wanted,
                    ..
                } => reported.begins.push(Flight {
                    id: flight.0,
                    located: located(&authority),
                    wanted: ["fresh", "now"][usize::from(wanted == Wanted::Now)],
                }),
            }
        }
        text(&reported)
    })
}

impl Reported {
    fn of(session: &mut Session, of: &Argument) -> Result<Self, Failure> {
        let (flight, mut reported) = (FlightId(of.id), Self::default());
        let number = |ticket: Ticket| ticket.0;
        match of.event.as_str() {
            "new" => {}
            "fresh" | "now" => {
                let wanted = [Wanted::Fresh, Wanted::Now][usize::from(of.event == "now")];
                reported.ticket = session.ask(&of.authority()?, wanted, None).map(number);
            }
            "hop" => {
                let target = of.authority().ok();
                let ticket = target.and_then(|target| session.ask_about_hop(flight, &target));
                reported.ticket = ticket.map(number);
            }
            "leave" => session.leave(Ticket(of.id)),
            "land" => reported.tickets = session.land(flight).into_iter().map(number).collect(),
            event => {
                let now = Duration::from_millis(of.now);
                let (step, until) = step(session, flight, event_of(event, of)?, now);
                (reported.step, reported.until) = (step, until.map(milliseconds));
            }
        }
        Ok(reported)
    }
}

/// Requests are not reported, so the limit per host has no effect.
fn limits(of: &Argument) -> FetchLimits {
    let mut limits = FetchLimits::default();
    limits.deadline = Duration::from_millis(of.timeout);
    limits.fetches_max = of.concurrency;
    limits
}

fn event_of(event: &str, of: &Argument) -> Result<Event, Failure> {
    Ok(match event {
        "woken" => Event::Woken,
        "due" => Event::Due,
        "store-failed" => Event::StoreFailed,
        "resumes" => Event::Resumes,
        "ended" => Event::Ended(of.outcome.parse().map_err(Failure::internal)?),
        "again" => Event::Again,
        _ => return Err(Failure::internal(format_args!("unknown event: {event}"))),
    })
}

/// Returns the next step and its time. Stores have no leases, so each is granted at once.
fn step(
    session: &mut Session,
    flight: FlightId,
    event: Event,
    now: Duration,
) -> (&'static str, Option<Duration>) {
    match session.step(flight, event, now) {
        Step::Acquire(_) => step(session, flight, Event::LeaseGranted, now),
        Step::Read(until) => ("read", until),
        Step::Wait(until) => ("wait", until),
        Step::Attempt(until) => ("attempt", Some(until)),
        Step::Proceed => ("proceed", None),
        Step::Keep(Keeping::Put) => ("put", None),
        Step::Keep(Keeping::Hold) => ("hold", None),
        Step::Keep(Keeping::Return) => ("return", None),
        Step::Keep(Keeping::Discard) => ("discard", None),
        Step::AwaitLease { .. } | Step::Refrain | Step::Fail(_) => ("fail", None),
    }
}

/// Times are those of the caller plus a timeout, so this is exact.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
