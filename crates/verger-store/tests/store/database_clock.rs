//! A database whose clock the test sets, used by callers with wrong clocks.

use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use verger_access::{Authority, Timestamp};
use verger_store::{
    Acquisition, BodyHash, Deliveries, Delivery, History, Lease, Observation, PackedFacts,
    PostgresStore, Snapshot, SnapshotId, Stat, Store, StoreError, StoredState, Swept,
};
use verger_testkit::postgres_server::PostgresSession;

use crate::database::{new_store, quick_server, settings};
use crate::scene::{MINUTE, at, authority, body_seen, is_lost};

/// Difference between a caller's clock and that of the database, in seconds.
const SKEW: u64 = 120;

/// Sets the clock of the database to the time of each call, and passes another time to the store.
pub(crate) struct ByDatabaseClock {
    store: PostgresStore,
    session: Mutex<PostgresSession>,
    is_ahead: AtomicBool,
}

impl ByDatabaseClock {
    pub(crate) fn of(store: PostgresStore, mut session: PostgresSession) -> Self {
        session.execute(
            "create table public.set_clock (now_s bigint); insert into public.set_clock values (0); \
             create or replace function verger.clock() returns bigint language sql volatile \
             as 'select now_s from public.set_clock'",
        );
        Self {
            store,
            session: Mutex::new(session),
            is_ahead: AtomicBool::new(false),
        }
    }

    fn set(&self, now: Timestamp) {
        let text = format!("update public.set_clock set now_s = {}", now.unix_seconds());
        self.session.lock().unwrap().execute(&text);
    }

    /// Sets the clock, and returns a time ahead of it or behind it.
    fn wrong(&self, now: Timestamp) -> Timestamp {
        self.set(now);
        let seconds = now.unix_seconds();
        Timestamp::from_unix_seconds(if self.is_ahead.fetch_not(Ordering::Relaxed) {
            seconds + SKEW
        } else {
            seconds - SKEW
        })
    }
}

impl Store for ByDatabaseClock {
    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError> {
        let now = self.wrong(now);
        self.store.acquire(authority, holder, now, duration)
    }

    fn renew(
        &self,
        lease: &Lease,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Lease, StoreError> {
        self.store.renew(lease, self.wrong(now), duration)
    }

    fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        self.store.release(lease)
    }

    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError> {
        self.store.put(observation, lease)
    }

    fn put_all(
        &self,
        puts: &[(&Observation, &Lease)],
    ) -> Result<Vec<Result<SnapshotId, StoreError>>, StoreError> {
        self.store.put_all(puts)
    }

    fn latest(&self, authority: &Authority) -> Result<Option<StoredState>, StoreError> {
        self.store.latest(authority)
    }

    fn state_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError> {
        self.store.state_at(authority, at)
    }

    fn states_at(
        &self,
        authorities: &[Authority],
        at: Timestamp,
    ) -> Result<Vec<Option<StoredState>>, StoreError> {
        self.store.states_at(authorities, at)
    }

    fn snapshots(
        &self,
        authority: &Authority,
        during: Range<Timestamp>,
        after: SnapshotId,
        most: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        self.store.snapshots(authority, during, after, most)
    }

    fn snapshots_before(
        &self,
        authority: &Authority,
        before: SnapshotId,
        most: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        self.store.snapshots_before(authority, before, most)
    }

    fn keeps_facts(&self) -> bool {
        self.store.keeps_facts()
    }

    fn facts(
        &self,
        authority: &Authority,
        ids: RangeInclusive<SnapshotId>,
    ) -> Result<Vec<(SnapshotId, PackedFacts)>, StoreError> {
        self.store.facts(authority, ids)
    }

    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.store.body(hash)
    }
}

impl History for ByDatabaseClock {
    fn append(&self, seen: &[Observation], lease: &Lease) -> Result<Vec<SnapshotId>, StoreError> {
        self.store.append(seen, lease)
    }

    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError> {
        self.store.sweep(keep_from, self.wrong(now))
    }

    fn authorities(
        &self,
        after: Option<&Authority>,
        most: usize,
    ) -> Result<Vec<Authority>, StoreError> {
        self.store.authorities(after, most)
    }

    fn stat(&self) -> Result<Stat, StoreError> {
        self.store.stat()
    }
}

impl Deliveries for ByDatabaseClock {
    fn delivery(
        &self,
        authority: &Authority,
        receiver: &str,
    ) -> Result<Option<Delivery>, StoreError> {
        self.store.delivery(authority, receiver)
    }

    fn put_delivery(
        &self,
        authority: &Authority,
        receiver: &str,
        delivery: &Delivery,
    ) -> Result<(), StoreError> {
        self.store.put_delivery(authority, receiver, delivery)
    }
}

#[test]
fn a_lease_is_taken_over_when_the_database_says_so_and_only_the_newest_holder_puts() {
    let Some(server) = quick_server() else { return };
    let store = ByDatabaseClock::of(
        new_store(&server, "takeover", settings()),
        server.session("takeover"),
    );
    let other = PostgresStore::open_with(&server.url("takeover"), settings()).unwrap();
    let site = authority("h.example");
    let seen = body_seen("h.example", at(0), b"Disallow: /");
    store.set(at(0));
    let Ok(Acquisition::Granted(slow)) = store.store.acquire(&site, "slow", at(SKEW), MINUTE)
    else {
        panic!("the lease is free");
    };
    assert_eq!((slow.granted_at, slow.until), (at(0), at(60)));
    store.set(at(59));
    for now in [at(SKEW), at(1 << 30)] {
        let asked = other.acquire(&site, "quick", now, MINUTE).unwrap();
        let (holder, until) = ("slow".to_owned(), at(60));
        assert_eq!(asked, Acquisition::HeldUntil { holder, until });
        assert_eq!(other.sweep(at(0), now).unwrap().leases, 0);
    }
    store.set(at(60));
    let Ok(Acquisition::Granted(quick)) = other.acquire(&site, "quick", at(0), MINUTE) else {
        panic!("the lease has expired");
    };
    assert!(slow.token < quick.token);
    assert!(is_lost(&store.put(&seen, &slow)));
    assert!(is_lost(&store.renew(&slow, at(61), MINUTE)));
    other.put(&seen, &quick).unwrap();
    assert!(is_lost(&store.put(&seen, &slow)));
    assert_eq!(store.stat().unwrap().snapshots, 1);
}
