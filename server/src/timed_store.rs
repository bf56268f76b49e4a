//! `TimedStore`: a store whose calls are timed and counted.

use core::ops::Range;
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use verger_access::{Authority, Timestamp};
use verger_store::{
    Acquisition, BodyHash, CallCost, Delivery, HistoryImport, Lease, Observation, Snapshot,
    SnapshotId, Stat, Store, StoreError, StoredState, Swept,
};

use crate::metrics::{Metrics, StoreCall};

/// A store whose calls are timed and counted.
pub(crate) struct TimedStore {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) metrics: Arc<Metrics>,
}

impl TimedStore {
    /// Times a call. An error that concerns one lease is none of the store.
    fn timed<T>(
        &self,
        kind: StoreCall,
        call: impl FnOnce(&dyn Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let started = Instant::now();
        let result = call(&*self.store);
        let is_of_lease = |error: &StoreError| {
            matches!(
                error,
                StoreError::LeaseLost(_) | StoreError::LeaseOfOther { .. }
            )
        };
        let is_failure = result.as_ref().is_err_and(|error| !is_of_lease(error));
        self.metrics
            .count_store(kind, started.elapsed(), is_failure);
        result
    }
}

impl Store for TimedStore {
    fn call_cost(&self) -> CallCost {
        self.store.call_cost()
    }

    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError> {
        let call = |store: &dyn Store| store.acquire(authority, holder, now, duration);
        self.timed(StoreCall::Acquire, call)
    }

    fn renew(
        &self,
        lease: &Lease,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Lease, StoreError> {
        self.timed(StoreCall::Acquire, |store| {
            store.renew(lease, now, duration)
        })
    }

    fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        self.timed(StoreCall::Acquire, |store| store.release(lease))
    }

    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError> {
        self.timed(StoreCall::Put, |store| store.put(observation, lease))
    }

    fn put_all(
        &self,
        puts: &[(&Observation, &Lease)],
    ) -> Result<Vec<Result<SnapshotId, StoreError>>, StoreError> {
        self.timed(StoreCall::Put, |store| store.put_all(puts))
    }

    fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError> {
        self.timed(StoreCall::Put, |store| store.append(observations, lease))
    }

    fn append_histories(
        &self,
        histories: &mut [HistoryImport],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.timed(StoreCall::Put, |store| {
            store.append_histories(histories, now)
        })
    }

    fn latest(&self, authority: &Authority) -> Result<Option<StoredState>, StoreError> {
        self.timed(StoreCall::Latest, |store| store.latest(authority))
    }

    fn state_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError> {
        self.timed(StoreCall::History, |store| store.state_at(authority, at))
    }

    fn snapshots(
        &self,
        authority: &Authority,
        during: Range<Timestamp>,
        after: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let call = |store: &dyn Store| store.snapshots(authority, during, after, snapshots_max);
        self.timed(StoreCall::History, call)
    }

    fn snapshots_before(
        &self,
        authority: &Authority,
        before: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let call = |store: &dyn Store| store.snapshots_before(authority, before, snapshots_max);
        self.timed(StoreCall::History, call)
    }

    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        self.timed(StoreCall::Body, |store| store.body(hash))
    }

    fn delivery(
        &self,
        authority: &Authority,
        receiver: &str,
    ) -> Result<Option<Delivery>, StoreError> {
        self.timed(StoreCall::Other, |store| {
            store.delivery(authority, receiver)
        })
    }

    fn put_delivery(
        &self,
        authority: &Authority,
        receiver: &str,
        delivery: &Delivery,
    ) -> Result<(), StoreError> {
        let call = |store: &dyn Store| store.put_delivery(authority, receiver, delivery);
        self.timed(StoreCall::Other, call)
    }

    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError> {
        self.timed(StoreCall::Other, |store| store.sweep(keep_from, now))
    }

    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError> {
        self.timed(StoreCall::Other, |store| {
            store.authorities(after, authorities_max)
        })
    }

    fn stat(&self) -> Result<Stat, StoreError> {
        self.timed(StoreCall::Other, |store| store.stat())
    }
}
