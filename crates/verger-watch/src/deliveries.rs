use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::Scope;
use std::time::{Duration, Instant};

use verger::RobotsTxt;
use verger_access::{Authority, Profile, Timestamp};
use verger_answer::ReadAs;
use verger_compare::Budget;
use verger_owner::{FileComparison, crawlers_of};
use verger_store::{BodyHash, Delivery, StoreError};

use crate::change_reasons::{ChangeOfRules, change_reasons};
use crate::condition::{AGREES, Condition};
use crate::delivery_queue::{DeliveryQueue, Next};
use crate::document_change::hand_over;
use crate::event_reason::{EventReason, ReasonKind};
use crate::lane::{Lane, Undelivered, failed};
use crate::receiver::{FailedDelivery, NotTaken, Receiver, WatchObserver};
use crate::seen_rules::SeenRules;
use crate::seen_site::{Replaced, SeenSite};
use crate::site_fetcher::{FetchedSite, SiteFetcher};
use crate::sitemap_loss::{SitemapLosses, sitemap_loss};
use crate::watch_end::WatchEnd;
use crate::watch_event::{WatchEvent, WatchEventKind};

/// The rules in the store before a fetch, and when they were seen.
pub(crate) type StoredRules = Option<(SeenRules, Timestamp)>;

pub(crate) struct Deliveries<'w> {
    pub(crate) store: &'w dyn verger_store::Deliveries,
    pub(crate) profile: &'w Profile,
    read_as: ReadAs,
    fetcher: &'w dyn SiteFetcher,
    pub(crate) observer: &'w dyn WatchObserver,
    pub(crate) now: &'w (dyn Fn() -> Timestamp + Sync),
    lanes: Vec<Lane<'w>>,
    losses: SitemapLosses,
    began: Instant,
    is_once: bool,
    delivered: AtomicU64,
    has_given_up: AtomicBool,
    differs: AtomicBool,
    pub(crate) end: &'w WatchEnd,
}

impl<'w> Deliveries<'w> {
    pub(crate) fn new(
        (store, fetcher): (&'w dyn verger_store::Deliveries, &'w dyn SiteFetcher),
        (profile, read_as): (&'w Profile, ReadAs),
        receivers: &[&'w dyn Receiver],
        observer: &'w dyn WatchObserver,
        now: &'w (dyn Fn() -> Timestamp + Sync),
        end: &'w WatchEnd,
        is_once: bool,
    ) -> Self {
        let lane = |(number, &receiver): (usize, &&'w dyn Receiver)| {
            Lane::new(number, receiver, profile, is_once)
        };
        Self {
            store,
            profile,
            read_as,
            fetcher,
            observer,
            now,
            lanes: receivers.iter().enumerate().map(lane).collect(),
            losses: SitemapLosses::default(),
            began: Instant::now(),
            is_once,
            delivered: AtomicU64::new(0),
            has_given_up: AtomicBool::new(false),
            differs: AtomicBool::new(false),
            end,
        }
    }

    pub(crate) fn is_once(&self) -> bool {
        self.is_once
    }

    pub(crate) fn start<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        for lane in &self.lanes {
            for _ in 0..lane.receiver.changes_at_once() {
                scope.spawn(|| self.work(lane));
            }
        }
    }

    fn lanes_of(&self, site: &Authority) -> impl Iterator<Item = &Lane<'w>> {
        let lanes = self.lanes.iter();
        lanes.filter(|lane| lane.receiver.is_for(site))
    }

    /// Returns the stored rules if some receiver was never told about the site.
    pub(crate) fn stored_rules(&self, site: &Authority) -> Result<StoredRules, StoreError> {
        for lane in self.lanes_of(site) {
            if self.store.delivery(site, &lane.name)?.is_none() {
                let stored = FetchedSite::stored(self.store, site, self.profile, (self.now)())?;
                return Ok(stored.map(|it| (SeenRules::of(&it, self.profile), it.at)));
            }
        }
        Ok(None)
    }

    /// Queues a state for each receiver that was told something else or has an older state in its
    /// queue. Returns false if a queue is full. `replaced` are documents of the owner since the last look.
    pub(crate) fn offer(
        &self,
        before: &StoredRules,
        seen: &SeenSite,
        replaced: &[Replaced],
    ) -> Result<bool, StoreError> {
        let mut is_queued = true;
        let name = seen.site.to_string();
        for lane in self.lanes_of(&seen.site) {
            for replaced in replaced {
                hand_over(self.store, (&seen.site, &lane.name), replaced)?;
            }
            // Check the queue first, because a delivery in flight may succeed before the store is
            // read.
            let has_older = lane.lock().has(&name);
            let told = self.store.delivery(&seen.site, &lane.name)?;
            let told = match told.as_ref().and_then(SeenRules::delivered) {
                Some(told) => told,
                None => self.begin(lane, before, seen)?,
            };
            if told != seen.rules || has_older || !seen.expected.is_nothing() {
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
        let delivery = rules.delivery(id, at, rules.body.clone());
        let first = (self.store).put_first_delivery(&seen.site, &lane.name, &delivery)?;
        Ok(SeenRules::delivered(&first).unwrap_or(rules))
    }

    /// Returns the seed of the event ids.
    fn beginning(&self, site: &Authority, at: Timestamp) -> String {
        format!("{site} {} {}", self.profile.name, at.unix_seconds())
    }

    fn work(&self, lane: &Lane<'_>) {
        while let Some((name, seen)) = lane.next(self.began) {
            self.attempt(lane, &name, &seen);
        }
    }

    /// Delivers changes that are due to receivers without threads of their own. Returns how long the next one has
    /// to wait.
    pub(crate) fn deliver_here(&self) -> Option<Duration> {
        let here = self.lanes.iter();
        let here = here.filter(|lane| lane.receiver.changes_at_once() == 0);
        let waits = here.filter_map(|lane| {
            loop {
                let next = lane.lock().next(self.began.elapsed());
                match next {
                    Next::Deliver(name, seen) => self.attempt(lane, &name, &seen),
                    Next::WaitUntil(time) => {
                        return Some(time.saturating_sub(self.began.elapsed()));
                    }
                    Next::Wait | Next::End => return None,
                }
            }
        });
        waits.min()
    }

    fn attempt(&self, lane: &Lane<'_>, name: &str, seen: &SeenSite) {
        let deliver = AssertUnwindSafe(|| self.deliver(lane, seen));
        let failed = || NotTaken::Failed("a defect: please report it".to_owned());
        match catch_unwind(deliver).unwrap_or_else(|_| Err(failed().into())) {
            Ok(()) => {
                lane.receiver.settled(&seen.site);
                self.observer
                    .delivered(&seen.site, &lane.receiver.in_words());
                lane.lock().taken(name);
            }
            Err(Undelivered::Later(wait)) => {
                lane.lock().later(name, self.began.elapsed() + wait);
            }
            Err(Undelivered::NotTaken(NotTaken::Failed(problem))) => {
                let is_last = lane.lock().failed(name, self.began.elapsed());
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
            Err(Undelivered::NotTaken(NotTaken::Gone(error))) => {
                lane.lock().taken(name);
                self.end.gone(error);
                self.end(DeliveryQueue::give_up);
            }
        }
        lane.changed.notify_all();
    }

    fn deliver(&self, lane: &Lane<'_>, seen: &SeenSite) -> Result<(), Undelivered> {
        self.deliver_change(lane, seen)?;
        if let Some(file) = &seen.expected.file {
            self.hold_to_file(lane, seen, file)?;
        }
        let claims = seen.expected.claims.as_ref();
        match claims.and_then(|claims| Condition::of_claims(claims, seen)) {
            Some(condition) => self.hold(lane, seen, &condition),
            None => Ok(()),
        }
    }

    /// Returns whether another watch has told this receiver something newer. A time in the future
    /// comes from a clock that ran ahead and is ignored.
    fn is_older(&self, seen: &SeenSite, last: &Delivery) -> bool {
        seen.at < last.at && last.at <= (self.now)()
    }

    /// Delivers what changed since the receiver was last told.
    fn deliver_change(&self, lane: &Lane<'_>, seen: &SeenSite) -> Result<(), Undelivered> {
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
        let before = SeenRules::delivered_rules(&last);
        let change = ChangeOfRules {
            told: &told,
            before: before.as_ref(),
            after: &seen.rules,
            is_outage: seen.unreachable_since.is_some(),
        };
        let mut reasons = change_reasons(&change, &seen.crawlers, self.read_as);
        let mut tell = |comparison: Option<&FileComparison<'_>>| {
            let means_other = comparison.is_some_and(|it| it.is_same() != Some(true));
            if let Some(comparison) = comparison.filter(|_| means_other) {
                let loss = self.sitemap_loss([&told, &seen.rules], comparison, seen, &reasons);
                if let Some(loss) = loss {
                    reasons.insert(0, loss);
                }
            }
            if told.stance == seen.rules.stance && !means_other && reasons.is_empty() {
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
                reasons: &reasons,
            };
            self.enter(lane, (&lane.name, &last), &seen.site)?;
            self.tell(lane, &event).map(|()| true)
        };
        let [before, after] = [&told, &seen.rules].map(|it| it.rules(self.read_as.reading()));
        let is_told = match before.zip(after) {
            Some((before, after)) => {
                self.compared([before, after], &seen.site, |it| tell(Some(it)))?
            }
            None => tell(None)?,
        };
        if !is_told {
            self.enter(lane, (&lane.name, &last), &seen.site)?;
        }
        let body = seen.rules.body_after(&last);
        let id = if is_told { next } else { last.event };
        let delivery = seen.rules.delivery(id, seen.at, body);
        self.put(&lane.name, seen, &delivery)
    }

    /// Counts the URLs of the sitemaps that search engines lost, unless they lost the site. The
    /// sitemaps are read once for all receivers and attempts.
    fn sitemap_loss(
        &self,
        rules: [&SeenRules; 2],
        comparison: &FileComparison<'_>,
        seen: &SeenSite,
        reasons: &[EventReason],
    ) -> Option<EventReason> {
        if reasons.iter().any(|it| it.kind == ReasonKind::SearchLost) {
            return None;
        }
        let [told, after] = rules;
        let pair = after.id_after("loss", &told.id_after("of", &seen.site.to_string()));
        self.losses.get(pair, || {
            let [before, after] = rules.map(|it| it.rules(self.read_as.reading()));
            let files = [before?, after?];
            sitemap_loss(files, comparison, &seen.crawlers, self.fetcher)
        })
    }

    /// Reports when the meaning of the served file starts or stops differing from the local file.
    fn hold_to_file(
        &self,
        lane: &Lane<'_>,
        seen: &SeenSite,
        file: &Arc<[u8]>,
    ) -> Result<(), Undelivered> {
        // A site that is down has no rules. The outage is reported as a change.
        let Some(served) = seen.rules.rules(self.read_as.reading()) else {
            return Ok(());
        };
        let own = RobotsTxt::parse(&**file, self.read_as.reading());
        self.compared([own, served], &seen.site, |comparison| {
            self.hold(lane, seen, &Condition::of_file(file, comparison))
        })
    }

    /// Reports when the served file begins or ceases to be as its owner expects.
    fn hold(
        &self,
        lane: &Lane<'_>,
        seen: &SeenSite,
        condition: &Condition<'_>,
    ) -> Result<(), Undelivered> {
        if !condition.agrees() {
            self.differs.store(true, Ordering::Relaxed);
        }
        // A result for another document does not apply. Without a result, the ids begin here.
        let hash = BodyHash::new(condition.document);
        let name = Condition::row(&lane.name, condition.name, hash);
        let last = self.store.delivery(&seen.site, &name).map_err(failed)?;
        let last = if let Some(last) = last {
            last
        } else {
            let beginning = format!("{} {hash}", self.beginning(&seen.site, seen.at));
            let first = Condition::delivery(beginning, seen.at, AGREES);
            let first = (self.store).put_first_delivery(&seen.site, &name, &first);
            first.map_err(failed)?
        };
        if condition.state == last.state {
            if !condition.agrees() && lane.number == 0 {
                let (site, kind) = (&seen.site, condition.kind);
                self.observer.still_differs(site, kind, last.at);
            }
            return Ok(());
        }
        if self.is_older(seen, &last) {
            return Ok(());
        }
        let event = WatchEvent {
            id: seen.rules.id_after(&condition.state, &last.event),
            kind: condition.kind,
            time: seen.time,
            site: &seen.site,
            stances: [None, Some(seen.rules.stance)],
            outcome: &seen.outcome,
            comparison: condition.comparison,
            reasons: &condition.reasons,
        };
        self.enter(lane, (&name, &last), &seen.site)?;
        self.tell(lane, &event)?;
        let told = Condition::delivery(event.id, seen.at, &condition.state);
        self.put(&name, seen, &told)
    }

    fn put(&self, name: &str, seen: &SeenSite, delivery: &Delivery) -> Result<(), Undelivered> {
        let put = self.store.put_delivery(&seen.site, name, delivery);
        Ok(put.map_err(failed)?)
    }

    /// Compares two files of a site for all crawlers and passes on the result.
    fn compared<T>(
        &self,
        [old, new]: [RobotsTxt; 2],
        site: &Authority,
        tell: impl FnOnce(&FileComparison<'_>) -> Result<T, Undelivered>,
    ) -> Result<T, Undelivered> {
        let crawlers = crawlers_of([&old, &new], self.read_as);
        let comparison = FileComparison::new(old, new, &crawlers, Budget::default());
        tell(&comparison.map_err(failed)?.of_site(site.to_string()))
    }

    /// Takes the turn to continue after `last`. If another process continued since `last` was read,
    /// the state is compared again.
    fn enter(
        &self,
        lane: &Lane<'_>,
        (name, last): (&str, &Delivery),
        site: &Authority,
    ) -> Result<(), Undelivered> {
        if !self.is_once {
            lane.take_turn(site, self.store, self.now)?;
        }
        let now = self.store.delivery(site, name).map_err(failed)?;
        if now.is_none_or(|now| now.event != last.event) {
            return Err(Undelivered::Later(Duration::ZERO));
        }
        Ok(())
    }

    fn tell(&self, lane: &Lane<'_>, event: &WatchEvent<'_>) -> Result<(), Undelivered> {
        lane.receiver.take(event)?;
        self.delivered.fetch_add(1, Ordering::Relaxed);
        Ok(())
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

    /// Returns whether a served file is not as its owner expects.
    pub(crate) fn differs(&self) -> bool {
        self.differs.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use verger_access::Stance;
    use verger_answer::ReadError;
    use verger_store::{Deliveries as _, MemoryStore, SnapshotId};

    use super::*;
    use crate::condition::DIFFERS;
    use crate::seen_site::Expected;

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
        fn still_differs(&self, _: &Authority, _: WatchEventKind, _: Timestamp) {}
    }

    impl SiteFetcher for Refusing {
        fn fetch(&self, _: &Authority, _: Option<SnapshotId>) -> Result<FetchedSite, ReadError> {
            Err("no site".into())
        }

        fn read(&self, _: &Path) -> Result<Vec<u8>, ReadError> {
            Err("no file".into())
        }
    }

    fn seen_at(at: Timestamp, body: &str) -> SeenSite {
        SeenSite {
            site: Authority::from_url("https://h.example/").unwrap(),
            rules: SeenRules {
                stance: Stance::Rules,
                body: Some(body.as_bytes().into()),
                is_overdue: false,
            },
            outcome: "what came".into(),
            at,
            time: at,
            has_failed: false,
            unreachable_since: None,
            snapshot: None,
            crawlers: Arc::from([]),
            expected: Expected::default(),
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
        let end = WatchEnd::default();
        for file in [None, Some(Arc::<[u8]>::from(b.as_bytes()))] {
            let (store, profile) = (&store, &Profile::RFC9309);
            let seen_at = |at, body: &str| {
                let mut seen = seen_at(at, body);
                seen.expected.file.clone_from(&file);
                seen
            };
            let deliveries = Deliveries::new(
                (store, &receiver),
                (profile, ReadAs::default()),
                &[&receiver],
                &receiver,
                &now,
                &end,
                true,
            );
            let lane = &deliveries.lanes[0];
            deliveries.offer(&None, &seen_at(at(30), a), &[]).unwrap();
            let delivery = Delivery {
                event: String::new(),
                at: at(30),
                state: DIFFERS.to_owned(),
                body: file.clone(),
            };
            let document = file.as_deref().unwrap_or_default();
            let name = format!("{} file {}", lane.name, BodyHash::new(document));
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
        let (now, end) = (|| at, WatchEnd::default());
        let deliveries = Deliveries::new(
            (&store, &receiver),
            (&Profile::RFC9309, ReadAs::default()),
            &[&receiver],
            &receiver,
            &now,
            &end,
            false,
        );
        let lane = &deliveries.lanes[0];
        for is_in_flight in [false, true] {
            for seen in [&told, &other] {
                assert!(deliveries.offer(&None, seen, &[]).unwrap());
            }
            let began = Duration::from_secs(if is_in_flight { 2 } else { 0 });
            let Next::Deliver(name, due) = lane.lock().next(began) else {
                panic!("the change is due");
            };
            assert!(deliveries.deliver(lane, &due).is_err());
            if is_in_flight {
                assert!(deliveries.offer(&None, &told, &[]).unwrap());
            }
            lane.lock().failed(&name, began);
            if !is_in_flight {
                assert!(deliveries.offer(&None, &told, &[]).unwrap());
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
