//! A model of the driver of a session, with callers, servers, other processes and faults. It records itself what the
//! session promises, and panics at the first step that breaks a promise.

use std::collections::BTreeMap;
use std::sync::Once;
use std::time::Duration;

use verger_access::session::{
    Effect, Event, FetchLimits, FlightFailure, FlightId, Keeping, Session, Step, Ticket, Wanted,
};
use verger_access::{Authority, Outcome, Reply, TransportFailure};

const REQUESTS_PER_HOST_MAX: usize = 1;
const DEADLINE: Duration = Duration::from_secs(20);
const LEASE_WAIT_MAX: Duration = Duration::from_secs(15);
/// The same, for a flight that another one waits for.
const HOP_LEASE_WAIT_MAX: Duration = Duration::from_secs(10);
const LOOK_AGAIN_FIRST: Duration = Duration::from_millis(20);
const LOOK_AGAIN_MAX: Duration = Duration::from_secs(1);
const FOUND: Outcome = Outcome::Successful(Reply::Http(200));
const TIMEOUT: Outcome = Outcome::Failed(TransportFailure::Timeout);

pub fn authority(number: usize) -> Authority {
    Authority::from_url(&format!("https://h{number}.example/")).unwrap()
}

/// One thing that may happen next.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    Ask(usize, Wanted, Option<Duration>),
    Leave(Ticket),
    /// The driver reports an event of a flight.
    Report(FlightId, Event),
    AskAboutHop(FlightId, usize),
    /// The flight lands with an answer or an error for all, perhaps in the middle of its work.
    Land(FlightId),
    Wait,
    Close,
}

#[derive(Clone, Debug)]
struct Question {
    wanted: Wanted,
    deadline: Option<Duration>,
    asked_by: Option<FlightId>,
    /// The number of flights that had begun when it was asked.
    flights_before: usize,
    authority: Authority,
}

#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact that the model records"
)]
struct Pilot {
    authority: Authority,
    wanted: Wanted,
    number: usize,
    checks_hops: bool,
    asked_until: Option<Duration>,
    step: Step,
    is_woken: bool,
    has_store: bool,
    has_lease: bool,
    /// Whether it has its permit for certain. Without one it continues only at its deadline.
    has_permit: bool,
    is_lending: bool,
    is_unchecked: bool,
    /// The queue in which it waits for its permit, if it does: ahead of new flights, or among them.
    queue: Option<Queue>,
    deadline: Duration,
    /// When its attempt began.
    begun: Duration,
    lease_until: Option<Duration>,
    look_again: Duration,
    /// The host of the request that is sent or waits.
    host: Option<Authority>,
    is_sent: bool,
    hop: Option<Ticket>,
    requests_left: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Queue {
    Ahead,
    New,
}

#[derive(Clone, Debug)]
pub struct World {
    session: Session,
    now: Duration,
    pilots: BTreeMap<FlightId, Pilot>,
    open: BTreeMap<Ticket, Question>,
    begun: usize,
    authorities: usize,
    fetches_max: usize,
    is_closed: bool,
    trace: Vec<Happening>,
}

impl Drop for World {
    /// Prints the happenings that led to a panic.
    fn drop(&mut self) {
        static PRINT: Once = Once::new();
        if std::thread::panicking() {
            PRINT.call_once(|| self.trace.iter().for_each(|it| println!("{it:?}")));
        }
    }
}

impl World {
    pub fn new(authorities: usize, fetches_max: usize) -> Self {
        let mut limits = FetchLimits::default();
        limits.deadline = DEADLINE;
        limits.fetches_max = fetches_max;
        limits.requests_per_host_max = REQUESTS_PER_HOST_MAX;
        limits.lease_wait_max = LEASE_WAIT_MAX;
        Self {
            session: Session::new(limits),
            now: Duration::from_secs(1),
            pilots: BTreeMap::new(),
            open: BTreeMap::new(),
            begun: 0,
            authorities,
            fetches_max,
            is_closed: false,
            trace: Vec::new(),
        }
    }

    /// Returns everything that may happen now.
    pub fn happenings(&self) -> Vec<Happening> {
        let mut all = Vec::new();
        let deadlines = [
            None,
            Some(self.now + DEADLINE),
            Some(self.now + DEADLINE / 4),
        ];
        for number in 0..self.authorities {
            for (wanted, deadline) in [
                (Wanted::Fresh, deadlines[1]),
                (Wanted::Now, deadlines[2]),
                (Wanted::Newer(Some(1)), deadlines[0]),
            ] {
                all.push(Happening::Ask(number, wanted, deadline));
            }
        }
        let callers = self.open.iter().filter(|(_, it)| it.asked_by.is_none());
        all.extend(callers.map(|(ticket, _)| Happening::Leave(*ticket)));
        for (id, pilot) in &self.pilots {
            let events = self.events(pilot);
            all.extend(events.into_iter().map(|it| Happening::Report(*id, it)));
            if pilot.step == Step::Proceed && pilot.hop.is_none() && !pilot.is_lending {
                all.extend((0..self.authorities).map(|it| Happening::AskAboutHop(*id, it)));
            }
            all.push(Happening::Land(*id));
        }
        all.extend([Happening::Wait, Happening::Close]);
        all
    }

    /// Returns the events that a driver may report for a flight.
    fn events(&self, pilot: &Pilot) -> Vec<Event> {
        if let Some(hop) = pilot.hop {
            // The driver waits for the answer about the hop, until its deadline.
            let is_over = !self.open.contains_key(&hop) || self.is_late(pilot);
            return if is_over {
                vec![Event::Resumes]
            } else {
                vec![]
            };
        }
        match pilot.step {
            Step::Read(_) => vec![Event::Due, Event::StoreFailed],
            Step::Acquire(_) => vec![
                Event::LeaseGranted,
                Event::LeaseHeldElsewhere,
                Event::StoreFailed,
            ],
            Step::Wait(until) => {
                let is_over = pilot.is_woken || until.is_some_and(|it| it <= self.now);
                is_over.then_some(Event::Woken).into_iter().collect()
            }
            // The lease of the other process may end at any time.
            Step::AwaitLease { .. } => vec![Event::Woken],
            Step::Attempt(_) => vec![Event::Requests(Some(pilot.authority.clone()))],
            Step::Proceed if pilot.is_lending => vec![Event::Resumes],
            Step::Proceed => {
                let hosts = (0..self.authorities).map(|it| Some(authority(it)));
                let hosts = hosts.chain([None]).take(pilot.requests_left);
                let ends = [
                    Event::Ended(FOUND),
                    Event::Ended(TIMEOUT),
                    Event::Ended(Outcome::Failed(TransportFailure::AddressRefused)),
                    Event::NotSent,
                    Event::Lends,
                ];
                ends.into_iter().chain(hosts.map(Event::Requests)).collect()
            }
            Step::Refrain => vec![Event::NotSent],
            Step::Keep(_) => vec![Event::Again],
            Step::Fail(_) => vec![],
        }
    }

    fn is_late(&self, pilot: &Pilot) -> bool {
        pilot.deadline <= self.now
    }

    pub fn happen(&mut self, happening: Happening) {
        self.trace.push(happening.clone());
        match happening {
            Happening::Ask(number, wanted, deadline) => {
                let ticket = self.session.ask(&authority(number), wanted, deadline);
                assert_eq!(ticket.is_none(), self.is_closed);
                let question = self.question(number, wanted, deadline, None);
                self.open.extend(ticket.map(|it| (it, question)));
            }
            Happening::Leave(ticket) => {
                self.session.leave(ticket);
                self.open.remove(&ticket);
                assert_eq!(self.session.poll(), None, "it changes nothing for others");
            }
            Happening::Report(id, event) => self.report(id, &event),
            Happening::AskAboutHop(id, number) => {
                let target = authority(number);
                let is_cycle = self.waits_for(&target, &self.pilots[&id].authority);
                let ticket = self.session.ask_about_hop(id, &target);
                let pilot = self.pilots.get_mut(&id).unwrap();
                let is_asked = pilot.checks_hops && !is_cycle && !self.is_closed;
                assert_eq!(ticket.is_some(), is_asked);
                pilot.is_unchecked |= !pilot.checks_hops;
                if ticket.is_some() {
                    pilot.hop = ticket;
                    (pilot.has_permit, pilot.is_sent, pilot.host) = (false, false, None);
                }
                let until = pilot.deadline;
                let question = self.question(number, Wanted::Fresh, Some(until), Some(id));
                self.open.extend(ticket.map(|it| (it, question)));
            }
            Happening::Land(id) => self.land(id),
            Happening::Wait => self.now += DEADLINE / 8,
            Happening::Close => {
                self.session.close();
                self.is_closed = true;
            }
        }
        self.carry_out();
        self.check();
    }

    fn question(
        &self,
        number: usize,
        wanted: Wanted,
        deadline: Option<Duration>,
        asked_by: Option<FlightId>,
    ) -> Question {
        Question {
            wanted,
            deadline,
            asked_by,
            flights_before: self.begun,
            authority: authority(number),
        }
    }

    /// Returns whether the flight of `first` waits for an answer from that of `last`.
    fn waits_for(&self, first: &Authority, last: &Authority) -> bool {
        let pilot = self.pilots.values().find(|it| it.authority == *first);
        let hop = pilot.and_then(|pilot| self.open.get(&pilot.hop?));
        first == last || hop.is_some_and(|hop| self.waits_for(&hop.authority, last))
    }

    fn report(&mut self, id: FlightId, event: &Event) {
        let now = self.now;
        let pilot = self.pilots.get_mut(&id).unwrap();
        pilot.is_woken = false;
        let before = pilot.step;
        let mut queue = Some(if pilot.checks_hops {
            Queue::New
        } else {
            Queue::Ahead
        });
        match event {
            Event::LeaseGranted => pilot.has_lease = true,
            Event::LeaseHeldElsewhere => {
                pilot.has_permit = false;
                let max = [HOP_LEASE_WAIT_MAX, LEASE_WAIT_MAX][usize::from(pilot.checks_hops)];
                let until = pilot.deadline.min(now + max);
                pilot.lease_until.get_or_insert(until);
                pilot.look_again = (pilot.look_again * 2).min(LOOK_AGAIN_MAX);
            }
            Event::Lends => (pilot.has_permit, pilot.is_lending) = (false, true),
            Event::Again => pilot.has_lease = false,
            Event::StoreFailed => pilot.has_store = false,
            Event::Requests(host) => {
                pilot.requests_left -= 1;
                (pilot.host, pilot.is_sent) = (host.clone(), false);
                // It waits for its host first.
                queue = None;
            }
            Event::Ended(_) | Event::NotSent => {
                (pilot.host, pilot.is_sent, pilot.has_permit) = (None, false, false);
            }
            Event::Resumes => {
                if let Some(hop) = pilot.hop.take().filter(|it| self.open.remove(it).is_some()) {
                    self.session.leave(hop);
                }
                pilot.is_lending = false;
                queue = Some(Queue::Ahead);
            }
            Event::Woken if matches!(before, Step::Wait(_)) => queue = pilot.queue,
            Event::Woken | Event::Due => {}
        }
        let step = self.session.step(id, event.clone(), now);
        let pilot = self.pilots.get_mut(&id).unwrap();
        pilot.queue = queue.filter(|_| matches!(step, Step::Wait(_)));
        pilot.step = step;
        pilot.carry_out(before, event, now);
    }

    fn land(&mut self, id: FlightId) {
        let pilot = self.pilots.remove(&id).unwrap();
        let is_out = pilot.step == Step::Fail(FlightFailure::OutOfTime);
        // The driver drops its question about a hop together with the flight.
        if let Some(hop) = pilot.hop {
            self.open.remove(&hop);
        }
        for ticket in self.session.land(id) {
            let asked = self.open.remove(&ticket).expect("answered once");
            if self.is_closed {
                continue;
            }
            if asked.asked_by.is_none() {
                assert!(pilot.checks_hops, "an answer from unchecked hops");
                let has_time = asked
                    .deadline
                    .is_none_or(|it| pilot.asked_until.is_some_and(|end| it > end));
                let may_retry = pilot.asked_until.is_some() && has_time;
                assert!(!is_out || !may_retry, "out of time with time left");
            }
            let is_new = pilot.number >= asked.flights_before;
            let is_new = is_new && pilot.wanted == Wanted::Now;
            assert!(asked.wanted != Wanted::Now || is_new, "an earlier attempt");
        }
    }

    fn carry_out(&mut self) {
        while let Some(effect) = self.session.poll() {
            match effect {
                Effect::Begin {
                    flight,
                    authority,
                    wanted,
                    ticket,
                } => {
                    assert!(!self.is_closed);
                    let others = self.pilots.values();
                    let same = others.filter(|it| it.authority == authority).count();
                    assert_eq!(same, 0, "two flights for {authority}");
                    let question = &self.open[&ticket];
                    assert_eq!(question.wanted, wanted);
                    let pilot = Pilot {
                        authority,
                        wanted,
                        number: self.begun,
                        checks_hops: question.asked_by.is_none(),
                        asked_until: question.deadline,
                        step: Step::Wait(None),
                        is_woken: false,
                        has_store: true,
                        has_lease: false,
                        has_permit: false,
                        is_lending: false,
                        is_unchecked: false,
                        queue: None,
                        deadline: question.deadline.unwrap_or(Duration::MAX),
                        begun: Duration::ZERO,
                        lease_until: None,
                        look_again: LOOK_AGAIN_FIRST / 2,
                        host: None,
                        is_sent: false,
                        hop: None,
                        requests_left: 0,
                    };
                    self.begun += 1;
                    self.pilots.insert(flight, pilot);
                    self.report(flight, &Event::Woken);
                }
                Effect::Wake(flight) => {
                    let pilot = self.pilots.get_mut(&flight).unwrap();
                    assert!(!pilot.has_permit);
                    pilot.is_woken = true;
                    // It has its permit from now on.
                    pilot.has_permit = true;
                    let queue = pilot.queue.take();
                    let is_ahead = |it: &Pilot| it.queue == Some(Queue::Ahead);
                    let has_overtaken = self.pilots.values().any(is_ahead);
                    assert!(queue != Some(Queue::New) || !has_overtaken);
                }
            }
        }
    }

    fn check(&self) {
        let all = || self.pilots.values();
        let permits = all().filter(|it| it.has_permit).count();
        assert!(permits <= self.fetches_max, "{permits} permits");
        // At its deadline, a flight may continue without its permit.
        let is_unknown =
            |it: &&Pilot| it.step == Step::Proceed && !it.is_lending && it.hop.is_none();
        let unknown = all().filter(|it| !it.has_permit).filter(is_unknown).count();
        let has_free = permits + unknown < self.fetches_max;
        let waits = all().any(|it| it.queue.is_some());
        assert!(!waits || !has_free, "a permit is free, and a flight waits");
        for number in 0..self.authorities {
            let host = Some(authority(number));
            let requests = || all().filter(|it| it.host == host);
            let sent = requests().filter(|it| it.is_sent).count();
            assert!(sent <= REQUESTS_PER_HOST_MAX, "{sent} requests to a host");
            let is_in_use = sent > 0 || requests().any(|it| it.is_woken);
            let waits = requests().any(|it| matches!(it.step, Step::Wait(_)) && !it.is_woken);
            assert!(
                !waits || is_in_use || !has_free,
                "a host is free, and a flight waits"
            );
        }
        let is_answered = self.open.is_empty() || !self.pilots.is_empty();
        assert!(is_answered, "nobody answers {:?}", self.open);
    }

    /// Ends everything without faults. No time passes unless another process has a lease, so no flight waits for a
    /// deadline. Then the session is as new.
    pub fn finish(mut self) {
        for _ in 0..10_000 {
            let Some(id) = self.pilots.keys().copied().find(|id| self.can_end(*id)) else {
                break;
            };
            let pilot = &self.pilots[&id];
            let event = match pilot.step {
                _ if pilot.hop.is_some() => Some(Event::Resumes),
                Step::Acquire(_) => Some(Event::LeaseGranted),
                Step::Keep(Keeping::Discard) => Some(Event::Again),
                Step::Keep(_) | Step::Fail(_) => None,
                Step::Proceed if !pilot.is_lending => Some(Event::Ended(FOUND)),
                _ => self.events(pilot).into_iter().next(),
            };
            self.happen(match event {
                Some(event) => Happening::Report(id, event),
                None => Happening::Land(id),
            });
        }
        assert!(
            self.pilots.is_empty(),
            "a wait without end: {:?}",
            self.pilots
        );
        assert!(
            self.open.is_empty(),
            "questions without an answer: {:?}",
            self.open
        );
        let new = World::new(self.authorities, self.fetches_max);
        assert_eq!(
            without_numbers(&self.session),
            without_numbers(&new.session)
        );
    }

    fn can_end(&self, id: FlightId) -> bool {
        let pilot = &self.pilots[&id];
        pilot.hop.is_none() && matches!(pilot.step, Step::Keep(_) | Step::Fail(_))
            || !self.events(pilot).is_empty()
    }
}

impl Pilot {
    /// Checks a step, and records what follows from it.
    fn carry_out(&mut self, before: Step, event: &Event, now: Duration) {
        let is_late = self.deadline <= now;
        match self.step {
            Step::Read(until) => assert_eq!(until, self.asked_until),
            Step::Acquire(deadline) => {
                assert!(self.has_store && !self.has_lease);
                (self.has_permit, self.deadline) = (true, deadline);
            }
            Step::Attempt(deadline) => {
                (self.has_permit, self.deadline, self.begun) = (true, deadline, now);
                (self.requests_left, self.is_unchecked) = (3, false);
            }
            Step::Proceed => {
                self.has_permit = !self.is_lending && (self.has_permit || !is_late);
                self.is_sent = true;
            }
            Step::Keep(keeping) => assert_eq!(keeping, self.keeping(event, now)),
            // A wait lends the permit, unless the flight had none.
            Step::Wait(until) => {
                assert_eq!(until.unwrap_or(Duration::MAX), self.deadline);
                assert!(!is_late, "a wait that is over");
                self.has_permit = false;
            }
            Step::AwaitLease { again, until } => {
                assert_eq!(Some(until), self.lease_until);
                assert_eq!(again, until.min(now + self.look_again));
                self.has_permit = false;
            }
            Step::Refrain => {
                assert!(is_late && before != Step::Proceed || self.host.is_some());
                (self.has_permit, self.host) = (false, None);
            }
            Step::Fail(failure) => {
                let is_over = match failure {
                    FlightFailure::OutOfTime => is_late,
                    FlightFailure::HeldElsewhere => self.lease_until.is_some_and(|it| it <= now),
                };
                assert!(is_over, "{failure:?} before its time");
                self.has_permit = false;
            }
        }
        if let (Step::AwaitLease { until, .. }, Event::Woken) = (before, event) {
            let is_over = self.step == Step::Fail(FlightFailure::HeldElsewhere);
            assert_eq!(is_over, until <= now);
        }
    }

    /// Returns how to treat the result of its attempt.
    fn keeping(&self, event: &Event, now: Duration) -> Keeping {
        let had_little_time =
            self.deadline <= now && self.deadline.saturating_sub(self.begun) * 2 < DEADLINE;
        match event {
            Event::Ended(TIMEOUT) if had_little_time => Keeping::Discard,
            Event::Ended(_) if self.is_unchecked => Keeping::Return,
            Event::Ended(FOUND | TIMEOUT) if self.has_lease => Keeping::Put,
            Event::Ended(_) => Keeping::Hold,
            _ => Keeping::Discard,
        }
    }
}

/// Returns everything that a session holds, without the number of its last ticket and whether it is closed.
fn without_numbers(session: &Session) -> String {
    let text = format!("{session:?}");
    text.split(", last_number").next().unwrap().to_owned()
}
