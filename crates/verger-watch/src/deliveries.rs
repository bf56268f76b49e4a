use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

use verger::RobotsTxt;
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::ReadAs;
use verger_compare::Budget;
use verger_store::{Delivery, StoreError};

use crate::delivery_queue::{DeliveryQueue, Next};
use crate::receiver::{FailedDelivery, NotTaken, Receiver, WatchObserver};
use crate::seen_rules::SeenRules;
use crate::watch_event::{WatchEvent, WatchEventKind};
use verger_owner::FileComparison;
use verger_owner::crawlers_of;

/// The stored result of the last comparison with the file, as [`Delivery::state`] spells it.
const DIFFERS: &str = "differs";
const AGREES: &str = "agrees";

/// The observed state of a site.
#[derive(Clone, Debug)]
pub(crate) struct SeenSite {
    pub(crate) site: Authority,
    pub(crate) rules: SeenRules,
    pub(crate) outcome: Arc<str>,
    /// When the fetch attempt ended, and when its result was compared.
    pub(crate) at: Timestamp,
    pub(crate) time: Timestamp,
}

/// The rules in the store before a fetch, and when they were seen.
pub(crate) type StoredRules = Option<(SeenRules, Timestamp)>;

pub(crate) struct Deliveries<'w> {
    pub(crate) store: &'w dyn verger_store::Deliveries,
    pub(crate) profile: &'w Profile,
    read_as: ReadAs,
    pub(crate) file: Option<Arc<[u8]>>,
    pub(crate) observer: &'w dyn WatchObserver,
    pub(crate) now: &'w (dyn Fn() -> Timestamp + Sync),
    lanes: Vec<Lane<'w>>,
    began: Instant,
    is_once: bool,
    delivered: AtomicU64,
    has_given_up: AtomicBool,
    differs: AtomicBool,
    gone: Mutex<Option<io::Error>>,
    changed: Condvar,
}

/// A receiver and its queue.
struct Lane<'w> {
    number: usize,
    name: String,
    receiver: &'w dyn Receiver,
    queue: Mutex<DeliveryQueue<SeenSite>>,
    changed: Condvar,
}

impl Lane<'_> {
    /// Ignores poisoning, because a panic under the lock leaves no half-made change.
    fn lock(&self) -> MutexGuard<'_, DeliveryQueue<SeenSite>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<'w> Deliveries<'w> {
    pub(crate) fn new(
        (store, profile, read_as): (&'w dyn verger_store::Deliveries, &'w Profile, ReadAs),
        file: Option<Arc<[u8]>>,
        receivers: &[&'w dyn Receiver],
        observer: &'w dyn WatchObserver,
        now: &'w (dyn Fn() -> Timestamp + Sync),
        is_once: bool,
    ) -> Self {
        let lane = |(number, &receiver): (usize, &&'w dyn Receiver)| Lane {
            number,
            // Two watches with different profiles must not see each other's view as a change.
            name: format!("{} {}", profile.name, receiver.name()),
            receiver,
            queue: Mutex::new(DeliveryQueue::new(
                is_once.then(|| receiver.attempts_once()),
            )),
            changed: Condvar::new(),
        };
        Self {
            store,
            profile,
            read_as,
            file,
            observer,
            now,
            lanes: receivers.iter().enumerate().map(lane).collect(),
            began: Instant::now(),
            is_once,
            delivered: AtomicU64::new(0),
            has_given_up: AtomicBool::new(false),
            differs: AtomicBool::new(false),
            gone: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    pub(crate) fn is_once(&self) -> bool {
        self.is_once
    }

    pub(crate) fn start<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        for lane in &self.lanes {
            for _ in 0..lane.receiver.changes_at_once().max(1) {
                scope.spawn(|| self.work(lane));
            }
        }
    }

    /// Returns the stored rules if some receiver was never told about the site.
    pub(crate) fn stored_rules(&self, site: &Authority) -> Result<StoredRules, StoreError> {
        for lane in &self.lanes {
            if self.store.delivery(site, &lane.name)?.is_none() {
                return SeenRules::stored(self.store, site, self.profile, (self.now)());
            }
        }
        Ok(None)
    }

    /// Queues a state for each receiver that was told something else or has an older state in its
    /// queue. Returns false if a queue is full.
    pub(crate) fn offer(&self, before: &StoredRules, seen: &SeenSite) -> Result<bool, StoreError> {
        let mut is_queued = true;
        let name = seen.site.to_string();
        for lane in &self.lanes {
            // Check the queue first, because a delivery in flight may succeed before the store is
            // read.
            let has_older = lane.lock().has(&name);
            let told = self.store.delivery(&seen.site, &lane.name)?;
            let told = match told.as_ref().and_then(SeenRules::delivered) {
                Some(told) => told,
                None => self.begin(lane, before, seen)?,
            };
            if told != seen.rules || has_older || self.file.is_some() {
                is_queued &= lane.lock().push(&name, seen.clone());
                lane.changed.notify_all();
            }
        }
        Ok(is_queued)
    }

    /// Stores the first state of a site for a receiver. A first sight is not a change.
    fn begin(
        &self,
        lane: &Lane<'_>,
        before: &StoredRules,
        seen: &SeenSite,
    ) -> Result<SeenRules, StoreError> {
        let (rules, at) = match before {
            Some((rules, at)) => (rules.clone(), *at),
            None => (seen.rules.clone(), seen.at),
        };
        let id = rules.id_after("begins", &self.beginning(&seen.site, at));
        self.put(lane, &seen.site, id, (&rules, at))?;
        Ok(rules)
    }

    /// Returns the seed of the event ids.
    fn beginning(&self, site: &Authority, at: Timestamp) -> String {
        format!("{site} {} {}", self.profile.name, at.unix_seconds())
    }

    fn put(
        &self,
        lane: &Lane<'_>,
        site: &Authority,
        event: String,
        (rules, at): (&SeenRules, Timestamp),
    ) -> Result<(), StoreError> {
        let delivery = Delivery {
            event,
            at,
            state: rules.stance.to_string(),
            body: rules.body.clone(),
        };
        self.store.put_delivery(site, &lane.name, &delivery)
    }

    fn work(&self, lane: &Lane<'_>) {
        while let Some((name, seen)) = self.next(lane) {
            match self.deliver(lane, &seen) {
                Ok(()) => lane.lock().taken(&name),
                Err(NotTaken::Failed(problem)) => {
                    let is_last = lane.lock().failed(&name, self.began.elapsed());
                    if is_last {
                        self.has_given_up.store(true, Ordering::Relaxed);
                    }
                    self.observer.delivery_failed(&FailedDelivery {
                        site: &seen.site,
                        receiver: lane.receiver.in_words(),
                        next_watch: lane.receiver.next_watch(),
                        problem: &problem,
                        is_last,
                    });
                }
                Err(NotTaken::Gone(error)) => {
                    lane.lock().taken(&name);
                    self.lock_gone().get_or_insert(error);
                    self.end(DeliveryQueue::give_up);
                    self.changed.notify_all();
                }
            }
            lane.changed.notify_all();
        }
    }

    /// Waits for the next delivery. Returns `None` once the queue has ended.
    fn next(&self, lane: &Lane<'_>) -> Option<(String, SeenSite)> {
        let mut queue = lane.lock();
        loop {
            let now = self.began.elapsed();
            let unpoisoned = PoisonError::into_inner;
            queue = match queue.next(now) {
                Next::Deliver(name, seen) => return Some((name, seen)),
                Next::End => return None,
                Next::Wait => lane.changed.wait(queue).unwrap_or_else(unpoisoned),
                Next::WaitUntil(time) => {
                    let waited = lane.changed.wait_timeout(queue, time.saturating_sub(now));
                    waited.map_or_else(|it| it.into_inner().0, |it| it.0)
                }
            };
        }
    }

    fn deliver(&self, lane: &Lane<'_>, seen: &SeenSite) -> Result<(), NotTaken> {
        self.deliver_change(lane, seen)?;
        match &self.file {
            Some(file) => self.hold_to_file(lane, seen, file),
            None => Ok(()),
        }
    }

    /// Returns whether another watch has told this receiver something newer. A time in the future
    /// comes from a clock that ran ahead and is ignored.
    fn is_older(&self, seen: &SeenSite, last: &Delivery) -> bool {
        seen.at < last.at && last.at <= (self.now)()
    }

    /// Delivers what changed since the receiver was last told.
    fn deliver_change(&self, lane: &Lane<'_>, seen: &SeenSite) -> Result<(), NotTaken> {
        let last = self.store.delivery(&seen.site, &lane.name);
        let last = last.map_err(failed)?;
        let told = last.as_ref().and_then(SeenRules::delivered);
        let (Some(last), Some(told)) = (last, told) else {
            // The entry was evicted from memory. The next fetch starts over.
            return Ok(());
        };
        if told == seen.rules || self.is_older(seen, &last) {
            return Ok(());
        }
        let next = seen.rules.id_after("changed", &last.event);
        let tell = |comparison: Option<&FileComparison<'_>>| {
            let means_other = comparison.is_some_and(|it| it.is_same() != Some(true));
            if told.stance == seen.rules.stance && !means_other {
                return Ok(false);
            }
            let event = WatchEvent {
                id: next.clone(),
                kind: WatchEventKind::Changed,
                time: seen.time,
                site: &seen.site,
                stances: [Some(told.stance), Some(seen.rules.stance)],
                outcome: &seen.outcome,
                comparison,
            };
            self.tell(lane, &event).map(|()| true)
        };
        let [before, after] = [&told, &seen.rules].map(|it| it.rules(self.read_as.reading()));
        let is_told = match before.zip(after) {
            Some((before, after)) => {
                self.compared([before, after], &seen.site, |it| tell(Some(it)))?
            }
            None => tell(None)?,
        };
        let id = if is_told { next } else { last.event };
        let put = self.put(lane, &seen.site, id, (&seen.rules, seen.at));
        put.map_err(failed)
    }

    /// Reports when the meaning of the served file starts or stops differing from the local file.
    fn hold_to_file(
        &self,
        lane: &Lane<'_>,
        seen: &SeenSite,
        file: &Arc<[u8]>,
    ) -> Result<(), NotTaken> {
        // A site that is down has no rules. The outage is reported as a change.
        let Some(served) = seen.rules.rules(self.read_as.reading()) else {
            return Ok(());
        };
        let name = format!("{} file", lane.name);
        let last = self.store.delivery(&seen.site, &name).map_err(failed)?;
        // A result for another file does not apply to this one.
        let last = last.filter(|last| last.body.as_ref() == Some(file));
        let told = last.as_ref().map_or(AGREES, |last| &last.state);
        let past = match &last {
            Some(last) => last.event.clone(),
            None => self.beginning(&seen.site, seen.at),
        };
        let own = RobotsTxt::parse(&**file, self.read_as.reading());
        let tell = |comparison: &FileComparison<'_>| {
            let agrees = comparison.is_same() == Some(true);
            let (state, kind) = if agrees {
                (AGREES, WatchEventKind::AgreesWithFile)
            } else {
                self.differs.store(true, Ordering::Relaxed);
                (DIFFERS, WatchEventKind::DiffersFromFile)
            };
            if state == told {
                if let Some(last) = last.as_ref().filter(|_| !agrees && lane.number == 0) {
                    self.observer.still_differs(&seen.site, last.at);
                }
                return Ok(());
            }
            if last.as_ref().is_some_and(|last| self.is_older(seen, last)) {
                return Ok(());
            }
            let event = WatchEvent {
                id: seen.rules.id_after(state, &past),
                kind,
                time: seen.time,
                site: &seen.site,
                stances: [None, Some(seen.rules.stance)],
                outcome: &seen.outcome,
                comparison: Some(comparison),
            };
            self.tell(lane, &event)?;
            let delivery = Delivery {
                event: event.id,
                at: seen.at,
                state: state.to_owned(),
                body: Some(Arc::clone(file)),
            };
            let put = self.store.put_delivery(&seen.site, &name, &delivery);
            put.map_err(failed)
        };
        self.compared([own, served], &seen.site, tell)
    }

    /// Compares two files of a site for all crawlers and passes on the result.
    fn compared<T>(
        &self,
        [old, new]: [RobotsTxt; 2],
        site: &Authority,
        tell: impl FnOnce(&FileComparison<'_>) -> Result<T, NotTaken>,
    ) -> Result<T, NotTaken> {
        let crawlers = crawlers_of([&old, &new], self.read_as);
        let comparison = FileComparison::new(old, new, &crawlers, Budget::default());
        tell(&comparison.map_err(failed)?.of_site(site.to_string()))
    }

    fn tell(&self, lane: &Lane<'_>, event: &WatchEvent<'_>) -> Result<(), NotTaken> {
        lane.receiver.take(event)?;
        self.delivered.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    /// Waits for `length`. If a receiver closes meanwhile, returns its error.
    pub(crate) fn wait(&self, length: Duration) -> Option<io::Error> {
        let gone = self
            .changed
            .wait_timeout_while(self.lock_gone(), length, |gone| gone.is_none());
        let mut gone = gone.map_or_else(|it| it.into_inner().0, |it| it.0);
        gone.take()
    }

    pub(crate) fn gone(&self) -> Option<io::Error> {
        self.lock_gone().take()
    }

    fn lock_gone(&self) -> MutexGuard<'_, Option<io::Error>> {
        self.gone.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends each queue with [`DeliveryQueue::close`] or [`DeliveryQueue::give_up`].
    pub(crate) fn end(&self, end: impl Fn(&mut DeliveryQueue<SeenSite>)) {
        for lane in &self.lanes {
            end(&mut lane.lock());
            lane.changed.notify_all();
        }
    }

    pub(crate) fn delivered(&self) -> u64 {
        self.delivered.load(Ordering::Relaxed)
    }

    pub(crate) fn has_given_up(&self) -> bool {
        self.has_given_up.load(Ordering::Relaxed)
    }

    /// Returns whether a served file differs from the local file.
    pub(crate) fn differs(&self) -> bool {
        self.differs.load(Ordering::Relaxed)
    }
}

fn failed(error: impl std::error::Error) -> NotTaken {
    NotTaken::Failed(error.to_string())
}

#[cfg(test)]
mod tests {
    use verger_access::Stance;
    use verger_store::{Deliveries as _, MemoryStore};

    use super::*;

    /// Rejects and counts all changes.
    struct Refusing(AtomicU64);

    impl Receiver for Refusing {
        fn name(&self) -> String {
            "refusing".to_owned()
        }

        fn in_words(&self) -> String {
            self.name()
        }

        fn next_watch(&self) -> String {
            "none".to_owned()
        }

        fn changes_at_once(&self) -> usize {
            1
        }

        fn attempts_once(&self) -> u32 {
            1
        }

        fn take(&self, _: &WatchEvent<'_>) -> Result<(), NotTaken> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Err(NotTaken::Failed("not now".to_owned()))
        }
    }

    impl WatchObserver for Refusing {
        fn site_failed(&self, _: &Authority, _: &str) {}
        fn delivery_failed(&self, _: &FailedDelivery<'_>) {}
        fn still_differs(&self, _: &Authority, _: Timestamp) {}
    }

    fn seen_at(at: Timestamp, body: &str) -> SeenSite {
        SeenSite {
            site: Authority::from_url("https://h.example/").unwrap(),
            rules: SeenRules {
                stance: Stance::Rules,
                body: Some(body.as_bytes().into()),
            },
            outcome: "what came".into(),
            at,
            time: at,
        }
    }

    #[test]
    fn what_is_older_than_what_another_watch_told_is_told_no_more() {
        let at = Timestamp::from_unix_seconds;
        let (a, b) = (
            "User-agent: *\nDisallow: /a\n",
            "User-agent: *\nDisallow: /b\n",
        );
        let (store, receiver) = (MemoryStore::new(1 << 20), Refusing(AtomicU64::new(0)));
        let now = || at(50);
        for file in [None, Some(Arc::from(b.as_bytes()))] {
            let (store, profile) = (&store, &Profile::RFC9309);
            let deliveries = Deliveries::new(
                (store, profile, ReadAs::default()),
                file.clone(),
                &[&receiver],
                &receiver,
                &now,
                true,
            );
            let lane = &deliveries.lanes[0];
            deliveries.offer(&None, &seen_at(at(30), a)).unwrap();
            let delivery = Delivery {
                event: String::new(),
                at: at(30),
                state: DIFFERS.to_owned(),
                body: file,
            };
            let name = format!("{} file", lane.name);
            let site = &seen_at(at(0), a).site;
            store.put_delivery(site, &name, &delivery).unwrap();
            receiver.0.store(0, Ordering::Relaxed);
            deliveries.deliver(lane, &seen_at(at(29), b)).unwrap();
            assert_eq!(receiver.0.load(Ordering::Relaxed), 0);
            let newer = deliveries.deliver(lane, &seen_at(at(30), b));
            assert!(newer.is_err() && receiver.0.load(Ordering::Relaxed) == 1);
            // A state stored by a clock that ran ahead.
            let put_at = |time: Timestamp| {
                for name in [&lane.name, &name] {
                    if let Some(last) = store.delivery(site, name).unwrap() {
                        let moved = Delivery { at: time, ..last };
                        store.put_delivery(site, name, &moved).unwrap();
                    }
                }
            };
            put_at(at(99));
            receiver.0.store(0, Ordering::Relaxed);
            let after = deliveries.deliver(lane, &seen_at(at(49), b));
            assert!(after.is_err() && receiver.0.load(Ordering::Relaxed) == 1);
            put_at(at(30));
        }
        let kept = store.delivery(&seen_at(at(0), a).site, "rfc9309 refusing");
        assert_eq!(kept.unwrap().unwrap().at, at(30));
    }

    #[test]
    fn a_return_to_what_was_told_takes_the_place_of_an_older_state() {
        let at = Timestamp::from_unix_seconds(1_800_000_000);
        let seen = |body: &str| seen_at(at, body);
        let (told, other) = (seen("User-agent: *\nDisallow: /a\n"), seen(""));
        let (store, receiver) = (MemoryStore::new(1 << 20), Refusing(AtomicU64::new(0)));
        let now = || at;
        let deliveries = Deliveries::new(
            (&store, &Profile::RFC9309, ReadAs::default()),
            None,
            &[&receiver],
            &receiver,
            &now,
            false,
        );
        let lane = &deliveries.lanes[0];
        for is_in_flight in [false, true] {
            for seen in [&told, &other] {
                assert!(deliveries.offer(&None, seen).unwrap());
            }
            let began = Duration::from_secs(if is_in_flight { 2 } else { 0 });
            let Next::Deliver(name, due) = lane.lock().next(began) else {
                panic!("the change is due");
            };
            assert!(deliveries.deliver(lane, &due).is_err());
            if is_in_flight {
                assert!(deliveries.offer(&None, &told).unwrap());
            }
            lane.lock().failed(&name, began);
            if !is_in_flight {
                assert!(deliveries.offer(&None, &told).unwrap());
            }
            let next = lane.lock().next(began + Duration::from_secs(1));
            let Next::Deliver(name, due) = next else {
                panic!("what is due now is looked at");
            };
            deliveries.deliver(lane, &due).unwrap();
            lane.lock().taken(&name);
            assert!(!lane.lock().has(&name));
        }
        assert_eq!(
            receiver.0.load(Ordering::Relaxed),
            2,
            "only the change was delivered"
        );
    }
}
