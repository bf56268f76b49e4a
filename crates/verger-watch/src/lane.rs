use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use verger_access::{Authority, Profile, Timestamp};
use verger_store::{Store, Turn, TurnRequest};

use crate::delivery_queue::{DeliveryQueue, Next};
use crate::receiver::{NotTaken, Receiver};
use crate::seen_site::SeenSite;

/// Length of a turn in addition to the receiver's limit. A delivery that begins within this time ends
/// within the turn.
const TURN_MARGIN: Duration = Duration::from_secs(5);

/// Maximum number of turns that a receiver remembers. A site without one waits for another.
const TURNS_MAX: usize = 4096;

/// The time in which only this process delivers changes of a site to a receiver.
#[derive(Clone, Copy, Debug)]
struct HeldTurn {
    began: Instant,
    began_at: Timestamp,
    length: Duration,
}

impl HeldTurn {
    /// Returns how long the turn still lasts. Both clocks count: one stops while a machine sleeps, and
    /// the other one can be set.
    fn left(&self, now: Timestamp) -> Duration {
        let by_clock = if now < self.began_at {
            self.length
        } else {
            now.since(self.began_at)
        };
        self.length
            .saturating_sub(by_clock.max(self.began.elapsed()))
    }
}

/// An event that was not delivered.
#[derive(Debug)]
pub(crate) enum Undelivered {
    NotTaken(NotTaken),
    /// It is the turn of another process.
    Later(Duration),
}

impl From<NotTaken> for Undelivered {
    fn from(not_taken: NotTaken) -> Self {
        Self::NotTaken(not_taken)
    }
}

pub(crate) fn failed(error: impl std::error::Error) -> NotTaken {
    NotTaken::Failed(error.to_string())
}

/// A receiver and its queue.
pub(crate) struct Lane<'w> {
    pub(crate) number: usize,
    pub(crate) name: String,
    pub(crate) receiver: &'w dyn Receiver,
    queue: Mutex<DeliveryQueue<SeenSite>>,
    pub(crate) changed: Condvar,
    /// The turns of this process, by site.
    turns: Mutex<BTreeMap<String, HeldTurn>>,
}

impl<'w> Lane<'w> {
    pub(crate) fn new(
        number: usize,
        receiver: &'w dyn Receiver,
        profile: &Profile,
        is_once: bool,
    ) -> Self {
        let attempts_max = is_once.then(|| receiver.attempts_once());
        Self {
            number,
            // Two watches with different profiles must not see each other's view as a change.
            name: format!("{} {}", profile.name, receiver.name()),
            receiver,
            queue: Mutex::new(DeliveryQueue::new(attempts_max)),
            changed: Condvar::new(),
            turns: Mutex::default(),
        }
    }

    /// Ignores poisoning, because a panic under the lock leaves no half-made change.
    pub(crate) fn lock(&self) -> MutexGuard<'_, DeliveryQueue<SeenSite>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next delivery. Returns `None` once the queue has ended.
    pub(crate) fn next(&self, began: Instant) -> Option<(String, SeenSite)> {
        let mut queue = self.lock();
        loop {
            let now = began.elapsed();
            let unpoisoned = PoisonError::into_inner;
            queue = match queue.next(now) {
                Next::Deliver(name, seen) => return Some((name, seen)),
                Next::End => return None,
                Next::Wait => self.changed.wait(queue).unwrap_or_else(unpoisoned),
                Next::WaitUntil(time) => {
                    let waited = (self.changed).wait_timeout(queue, time.saturating_sub(now));
                    waited.map_or_else(|it| it.into_inner().0, |it| it.0)
                }
            };
        }
    }

    /// Takes the turn to deliver changes of a site, unless another process that shares the store has
    /// it. A turn lasts until the receiver's limit is over, so two processes never deliver at the same
    /// time. If this process ends before it delivers, another one delivers after the turn.
    pub(crate) fn take_turn(
        &self,
        site: &Authority,
        store: &(impl Store + ?Sized),
        now: &dyn Fn() -> Timestamp,
    ) -> Result<(), Undelivered> {
        let site = site.to_string();
        let limit = self.receiver.limit();
        let length = limit + TURN_MARGIN;
        let (began, began_at) = (Instant::now(), now());
        let held = self.turns().get(&site).copied();
        let held = held.filter(|it| !it.left(began_at).is_zero());
        if held.is_some_and(|it| it.left(began_at) >= limit) {
            return Ok(());
        }
        let request = TurnRequest {
            site: format!("{} {site}", self.name),
            delay: length,
            // The turn after an own one extends it.
            longest: Some(held.map_or(Duration::ZERO, |_| length)),
            now: Duration::from_secs(began_at.unix_seconds()),
        };
        let turn = match (store.take_turn(&request).map_err(failed)?, held) {
            (Turn::TooLong(wait), _) => return Err(Undelivered::Later(wait)),
            (Turn::In(_), Some(held)) if !held.left(now()).is_zero() => HeldTurn {
                length: held.length + length,
                ..held
            },
            // It ended meanwhile, and the new one is not first for certain.
            (Turn::In(wait), Some(_)) => return Err(Undelivered::Later(wait + length)),
            (Turn::In(_), None) => HeldTurn {
                began,
                began_at,
                length,
            },
        };
        let mut turns = self.turns();
        if turns.len() >= TURNS_MAX {
            turns.retain(|_, it| !it.left(began_at).is_zero());
        }
        if turns.len() < TURNS_MAX {
            turns.insert(site, turn);
        }
        Ok(())
    }

    fn turns(&self) -> MutexGuard<'_, BTreeMap<String, HeldTurn>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
