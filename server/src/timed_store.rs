//! `TimedStore`: a store whose calls are timed and counted.

use core::ops::{Range, RangeInclusive};
use core::time::Duration;
use std::sync::Arc;
use std::time::Instant;

use verger_access::{Authority, Timestamp};
use verger_store::{
    Acquisition, BodyHash, CallCost, Deliveries, Delivery, Lease, Observation, PackedFacts,
    Snapshot, SnapshotId, Store, StoreError,
    StoreError::{LeaseLost, LeaseOfOther},
    StoredState, Turn, TurnRequest, Wake,
};

use crate::metrics::{Metrics, StoreCall};

pub(crate) struct TimedStore {
    pub(crate) store: Arc<dyn Deliveries>,
    pub(crate) metrics: Arc<Metrics>,
}

impl TimedStore {
    /// Times a call, and counts its error, or the failures in its results according to `inner`.
    fn timed<T>(
        &self,
        kind: StoreCall,
        call: impl FnOnce(&dyn Deliveries) -> Result<T, StoreError>,
        inner: impl Fn(&T) -> usize,
    ) -> Result<T, StoreError> {
        let started = Instant::now();
        let result = call(&*self.store);
        let failures = result.as_ref().map_or_else(failures, inner);
        let took = started.elapsed();
        self.metrics.count_store(kind, took, failures);
        result
    }
}

/// Returns 1 for a failure of the store. An error about a lease is not one.
fn failures(error: &StoreError) -> usize {
    usize::from(!matches!(error, LeaseLost(_) | LeaseOfOther { .. }))
}

/// Returns the number of failures in the results of a call about several sites.
fn inner_failures<T>(results: &[Result<T, StoreError>]) -> usize {
    let errors = results.iter().filter_map(|it| it.as_ref().err());
    errors.map(failures).sum()
}

fn no_failure<T>(_: &T) -> usize {
    0
}

/// Forwards store calls, and times them.
macro_rules! handed_on {
    ($inner:expr; $($kind:ident $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {
        $(fn $name(&self, $($argument: $type),*) -> Result<$result, StoreError> {
            self.timed(StoreCall::$kind, |store| store.$name($($argument),*), $inner)
        })*
    };
}

impl Store for TimedStore {
    fn call_cost(&self) -> CallCost {
        self.store.call_cost()
    }

    fn keeps_facts(&self) -> bool {
        self.store.keeps_facts()
    }

    fn watch(&self, authority: &Authority, wake: Wake) -> Option<Box<dyn Send + Sync>> {
        self.store.watch(authority, wake)
    }

    handed_on! {
        |results| inner_failures(results);
        Put put_all(puts: &[(&Observation, &Lease)]) -> Vec<Result<SnapshotId, StoreError>>;
        Latest latest_many(authorities: &[Authority]) -> Vec<Result<Option<StoredState>, StoreError>>;
    }

    handed_on! {
        no_failure;
        Acquire acquire(
            authority: &Authority, holder: &str, now: Timestamp, duration: Duration
        ) -> Acquisition;
        Acquire renew(lease: &Lease, now: Timestamp, duration: Duration) -> Lease;
        Acquire release(lease: &Lease) -> ();
        Acquire take_turn(request: &TurnRequest) -> Turn;
        Put put(observation: &Observation, lease: &Lease) -> SnapshotId;
        Latest latest(authority: &Authority) -> Option<StoredState>;
        History state_at(authority: &Authority, at: Timestamp) -> Option<StoredState>;
        History states_at(authorities: &[Authority], at: Timestamp) -> Vec<Option<StoredState>>;
        History snapshots(
            authority: &Authority, during: Range<Timestamp>, after: SnapshotId, snapshots_max: usize
        ) -> Vec<Snapshot>;
        History snapshots_before(
            authority: &Authority, before: SnapshotId, snapshots_max: usize
        ) -> Vec<Snapshot>;
        History facts(
            authority: &Authority, ids: RangeInclusive<SnapshotId>
        ) -> Vec<(SnapshotId, PackedFacts)>;
        Body body(hash: BodyHash) -> Option<Arc<[u8]>>;
    }
}

impl Deliveries for TimedStore {
    handed_on! {
        no_failure;
        Other delivery(authority: &Authority, receiver: &str) -> Option<Delivery>;
        Other put_delivery(authority: &Authority, receiver: &str, delivery: &Delivery) -> ();
        Other put_first_delivery(authority: &Authority, receiver: &str, delivery: &Delivery) -> Delivery;
    }
}

#[cfg(test)]
mod tests {
    use verger_store::{MemoryStore, UnusableStore};

    use super::*;
    use crate::metrics::Gauges;

    #[test]
    fn failures_of_a_call_and_within_its_results_are_counted_but_those_of_leases_are_not() {
        let site: Authority = "https://h.example".parse().unwrap();
        let metrics = Arc::new(Metrics::new(&[]));
        let timed = |store: Arc<dyn Deliveries>| TimedStore {
            store,
            metrics: Arc::clone(&metrics),
        };
        let fails = timed(Arc::new(UnusableStore::new("gone".to_owned())));
        let works = timed(Arc::new(MemoryStore::new(1 << 20)));
        let shows = |errors: &str| {
            let text = metrics.text(Gauges::default());
            let up = format!(
                "vergerd_store_up {}\n",
                u8::from(!metrics.is_store_failing())
            );
            text.contains(&format!("vergerd_store_errors_total {errors}\n")) && text.contains(&up)
        };
        let _ = fails.latest(&site);
        assert!(metrics.is_store_failing() && shows("1"));
        assert!(works.latest(&site).is_ok());
        assert!(!metrics.is_store_failing() && shows("1"));
        // The default of a store is one result for each site, each an error.
        assert!(fails.latest_many(&[site.clone(), site.clone()]).is_ok());
        assert!(metrics.is_store_failing() && shows("3"));
        let lost = || StoreError::LeaseLost(Box::new(site.clone()));
        assert_eq!(
            inner_failures(&[Err(lost()), Ok(1), Err(StoreError::Busy)]),
            1
        );
        assert_eq!(failures(&lost()), 0);
    }
}
