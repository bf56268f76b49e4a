//! A failing store. Decisions continue from memory and carry the reason, unless the machine ran out
//! of a resource.

use core::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use verger_access::{Authority, Stance, Timestamp};
use verger_client::{ClientError, NotKept, RefreshAhead};
use verger_store::{
    Acquisition, BodyHash, Lease, MemoryStore, Observation, Resource, Shortage, Snapshot,
    SnapshotId, Store, StoreError, StoredState,
};

use crate::web::{SetClock, Web, client, crawler, status};

const ROBOTS: &str = "https://h.example/robots.txt";
const PAGE: &str = "https://h.example/private";
const RULES: &str = "User-agent: *\nDisallow: /private\n";

/// A store whose calls fail on demand.
pub(crate) struct Failing {
    store: MemoryStore,
    fails: AtomicU8,
    error: fn() -> StoreError,
}

const NOTHING: u8 = 0;
const PUTS: u8 = 1;
const WRITES: u8 = 2;
const ALL: u8 = 3;

impl Failing {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            store: MemoryStore::new(1 << 20),
            fails: AtomicU8::new(NOTHING),
            error: || StoreError::Busy,
        })
    }

    fn on_a_full_disk() -> Arc<Self> {
        let mut store = Self::new();
        let error = || StoreError::Shortage(Shortage::new(Resource::Disk, ""));
        Arc::get_mut(&mut store).unwrap().error = error;
        store
    }

    fn fail(&self, what: u8) {
        self.fails.store(what, Ordering::SeqCst);
    }

    fn unless(&self, what: u8) -> Result<&MemoryStore, StoreError> {
        if self.fails.load(Ordering::SeqCst) >= what {
            return Err((self.error)());
        }
        Ok(&self.store)
    }
}

impl Store for Failing {
    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError> {
        self.unless(WRITES)?
            .acquire(authority, holder, now, duration)
    }

    fn renew(&self, lease: &Lease, now: Timestamp, by: Duration) -> Result<Lease, StoreError> {
        self.unless(WRITES)?.renew(lease, now, by)
    }

    fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        self.unless(WRITES)?.release(lease)
    }

    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError> {
        self.unless(PUTS)?.put(observation, lease)
    }

    fn latest(&self, authority: &Authority) -> Result<Option<StoredState>, StoreError> {
        self.unless(ALL)?.latest(authority)
    }

    fn state_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError> {
        self.unless(ALL)?.state_at(authority, at)
    }

    fn snapshots(
        &self,
        authority: &Authority,
        during: Range<Timestamp>,
        after: SnapshotId,
        most: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        self.unless(ALL)?.snapshots(authority, during, after, most)
    }

    fn snapshots_before(
        &self,
        authority: &Authority,
        before: SnapshotId,
        most: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        self.unless(ALL)?.snapshots_before(authority, before, most)
    }

    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.unless(ALL)?.body(hash)
    }
}

#[tokio::test]
async fn decisions_continue_from_memory_whatever_call_of_the_store_fails() {
    for fails in [PUTS, WRITES, ALL] {
        let (web, clock) = (Web::open(), SetClock::at(0));
        web.say_text(ROBOTS, RULES);
        let store = Failing::new();
        store.fail(fails);
        let kept: Arc<dyn Store> = Arc::<Failing>::clone(&store);
        let client = client(&web, &clock).store(kept).build().unwrap();
        // One fetch answers all crawlers, although it cannot be stored.
        for token in ["FooBot", "BarBot"] {
            let decision = client.decide(&crawler(token), PAGE).await.unwrap();
            assert!(!decision.is_allowed());
            assert_eq!(decision.snapshot(), None);
            let why = decision.not_kept().unwrap();
            assert!(matches!(why, NotKept::Store(_)), "{why}");
            assert!(why.to_string().contains("locked the store"), "{why}");
        }
        assert_eq!(web.request_count(), 1, "{fails}");
        let authority = Authority::from_url(PAGE).unwrap();
        let report = client.fetch(&authority).await.unwrap();
        assert!(report.fetched.is_some() && report.not_kept.is_some());
    }
}

/// V-83.
#[tokio::test]
async fn a_full_disk_is_an_error_of_the_call_and_leaves_nothing() {
    for fails in [PUTS, WRITES, ALL] {
        let (web, clock) = (Web::open(), SetClock::at(0));
        web.say_text(ROBOTS, RULES);
        let store = Failing::on_a_full_disk();
        store.fail(fails);
        let kept: Arc<dyn Store> = Arc::<Failing>::clone(&store);
        let client = client(&web, &clock).store(kept).build().unwrap();
        let error = client.decide(&crawler("FooBot"), PAGE).await.unwrap_err();
        assert!(matches!(error, ClientError::Shortage { .. }), "{error}");
        let expected = "the robots.txt of https://h.example cannot be fetched: the disk is full: make \
                        room and try again; what was acknowledged is kept";
        assert_eq!(error.to_string(), expected);
        store.fail(NOTHING);
        let decision = client.decide(&crawler("FooBot"), PAGE).await.unwrap();
        assert!(decision.not_kept().is_none() && !decision.is_allowed());
    }
}

#[tokio::test]
async fn a_store_that_works_again_gets_the_next_fetch() {
    let (web, clock) = (Web::open(), SetClock::at(0));
    web.say_text(ROBOTS, RULES);
    let store = Failing::new();
    let kept: Arc<dyn Store> = Arc::<Failing>::clone(&store);
    let client = client(&web, &clock)
        .store(kept)
        .refresh_ahead(RefreshAhead::Off)
        .build()
        .unwrap();
    let foo_bot = crawler("FooBot");
    client.decide(&foo_bot, PAGE).await.unwrap();
    let authority = Authority::from_url(PAGE).unwrap();
    // After two failures in a row while the store is locked, the copy of the store is used.
    store.fail(WRITES);
    web.say(ROBOTS, status(500));
    let day = 24 * 3600;
    for (at, failures) in [(day, 1), (day + 60, 2)] {
        clock.set(at);
        let decision = client.decide(&foo_bot, PAGE).await.unwrap();
        assert_eq!(decision.answer().stance(), Stance::Copy);
        assert!(decision.not_kept().is_some());
        let report = client.answer(&authority).await.unwrap();
        assert_eq!(report.stance(), Stance::Copy, "{failures}");
    }
    store.fail(NOTHING);
    clock.set(day + 60 + 120);
    let decision = client.decide(&foo_bot, PAGE).await.unwrap();
    assert!(decision.not_kept().is_none() && decision.snapshot().is_some());
    let latest = store.latest(&authority).unwrap().unwrap();
    assert_eq!(latest.knowledge.streak.unwrap().failures, 3);
    assert!(latest.knowledge.copy.is_some());
}
