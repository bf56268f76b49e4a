use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use verger_access::{Profile, Timestamp};
use verger_store::{Store, Turn, TurnRequest};

use crate::delivery_queue::{DeliveryQueue, Next};
use crate::receiver::{NotTaken, Receiver};
use crate::seen_site::SeenSite;
use crate::watch_event::WatchEvent;

/// Time of one process for the first delivery of an event, before another process with the same
/// store delivers it. Longer than the time limit of a webhook.
const TURN: Duration = Duration::from_secs(15);

/// Maximum number of turns that a receiver remembers. An event without one waits for another.
const TURNS_MAX: usize = 4096;

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
    /// The ids of events that this process may deliver again.
    turns: Mutex<BTreeSet<String>>,
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

    /// Takes the turn to deliver an event, unless another process that shares the store has it. If
    /// that one ends before it delivers, the event is delivered here, with the same id.
    pub(crate) fn take_turn(
        &self,
        event: &WatchEvent<'_>,
        store: &(impl Store + ?Sized),
        now: Timestamp,
    ) -> Result<(), Undelivered> {
        if self.turns().contains(&event.id) {
            return Ok(());
        }
        let request = TurnRequest {
            site: format!("{} {} {}", self.name, event.site, event.id),
            delay: TURN,
            longest: Some(Duration::ZERO),
            now: Duration::from_secs(now.unix_seconds()),
        };
        match store.take_turn(&request).map_err(failed)? {
            Turn::In(_) => {
                let mut turns = self.turns();
                if turns.len() == TURNS_MAX {
                    turns.clear();
                }
                turns.insert(event.id.clone());
                Ok(())
            }
            Turn::TooLong(wait) => Err(Undelivered::Later(wait)),
        }
    }

    /// Forgets the turn for an event that was delivered.
    pub(crate) fn end_turn(&self, event: &str) {
        self.turns().remove(event);
    }

    fn turns(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
