//! `AsyncStore`: async calls of a store, on blocking threads if its calls may block.

use core::time::Duration;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};
use verger_access::session::LEASE;
use verger_access::{Authority, Profile, RecordedChain, Timestamp};
use verger_store::{
    Acquisition, CallCost, HopFacts, Lease, Observation, PackedFacts, SnapshotId, Store,
    StoreError, StoredState, Turn, TurnRequest, Wake, state_under,
};

use crate::fetch::active_count::{ActiveCount, ActiveGuard};
use crate::fetch::fetched::Exchange;
use crate::fetch::gathered_reads::{GatheredReads, StoreResult};
use crate::fetch::known::Known;

/// Maximum number of store calls in flight. A call that waits for a disk occupies a thread, but a
/// store can commit several of them together.
const CALLS_MAX: usize = 64;

/// Longer bodies are always put on a blocking thread, because hashing takes time.
const QUICK_BODY_BYTES: usize = 64 * 1024;

/// Minimum time for a store call, however near the deadline is.
pub(crate) const CALL_LEAST: Duration = Duration::from_secs(1);

/// Maximum time for taking a turn. A request then keeps the delays of its own process.
const TURN_MOST: Duration = Duration::from_secs(5);

pub(crate) struct AsyncStore {
    store: Arc<dyn Store>,
    calls: Arc<Semaphore>,
    reads: GatheredReads,
    active: ActiveCount,
}

pub(crate) enum LeaseOutcome {
    /// The knowledge is recent enough. Do not fetch.
    UpToDate(Known),
    /// The caller may fetch. Includes the knowledge so far.
    Granted(Known, HeldLease),
    HeldElsewhere {
        holder: String,
    },
}

/// A lease. Dropping it unused, as when a fetch is cancelled, releases it.
pub(crate) struct HeldLease {
    /// `None` after it was used or released.
    lease: Option<Lease>,
    store: Arc<dyn Store>,
    /// `None` after it was released.
    counted: Option<ActiveGuard>,
}

impl Drop for HeldLease {
    fn drop(&mut self) {
        let Some(lease) = self.lease.take() else {
            return;
        };
        // A lease that cannot be released expires.
        let (store, counted) = (Arc::clone(&self.store), self.counted.take());
        let release = move || {
            let _ = store.release(&lease);
            drop(counted);
        };
        if self.store.call_cost() == CallCost::Immediate {
            release();
        } else if let Ok(runtime) = Handle::try_current() {
            runtime.spawn_blocking(release);
        }
    }
}

pub(crate) struct StoreQuery<'a> {
    pub(crate) authority: &'a Authority,
    pub(crate) profile: &'a Arc<Profile>,
    pub(crate) deadline: Option<Instant>,
}

impl AsyncStore {
    pub(crate) fn new(store: Arc<dyn Store>, active: ActiveCount) -> Self {
        let read = Arc::clone(&store);
        let read = Arc::new(move |authorities: &[Authority]| read.latest_many(authorities));
        Self {
            calls: Arc::new(Semaphore::new(CALLS_MAX)),
            reads: GatheredReads::new(read, active.clone()),
            store,
            active,
        }
    }

    pub(crate) async fn known(&self, query: StoreQuery<'_>) -> StoreResult<Known> {
        if self.store.call_cost() == CallCost::Immediate {
            return known(&*self.store, query.authority, query.profile).map_err(Arc::new);
        }
        let state = in_time(query.deadline, self.reads.latest(query.authority)).await?;
        let profile = Arc::clone(query.profile);
        match state {
            // Knowledge of another profile may need more store queries.
            Some(state) if state.snapshot.profile != profile.name => {
                let known = move |store: &dyn Store| known_by(store, Some(state), &profile);
                self.call(query.deadline, known).await
            }
            state => known_by(&*self.store, state, &profile).map_err(Arc::new),
        }
    }

    /// Calls `wake` when a lease on the authority ends, if the store can tell.
    pub(crate) fn watch(&self, authority: &Authority, wake: Wake) -> Option<Box<dyn Send + Sync>> {
        self.store.watch(authority, wake)
    }

    /// Acquires a lease, then reads again whether a fetch is needed.
    pub(crate) async fn acquire(
        &self,
        query: StoreQuery<'_>,
        local: Option<Known>,
        is_met: impl FnOnce(&Known) -> bool + Send + 'static,
        now: Timestamp,
        holder: Arc<str>,
    ) -> StoreResult<LeaseOutcome> {
        let (of, profile) = (query.authority.clone(), Arc::clone(query.profile));
        let (held, active) = (Arc::clone(&self.store), self.active.clone());
        self.call(query.deadline, move |store| {
            match store.acquire(&of, &holder, now, LEASE)? {
                Acquisition::HeldUntil { holder, .. } => Ok(LeaseOutcome::HeldElsewhere { holder }),
                Acquisition::Granted(lease) => {
                    let mut lease = HeldLease {
                        lease: Some(lease),
                        store: held,
                        counted: Some(active.begin()),
                    };
                    // Read after the grant, because the previous holder may have put a snapshot.
                    let known = known(store, &of, &profile)?.or_newer(local.as_ref());
                    if is_met(&known) {
                        // If the release fails, the lease expires.
                        let _ = lease.release();
                        return Ok(LeaseOutcome::UpToDate(known));
                    }
                    Ok(LeaseOutcome::Granted(known, lease))
                }
            }
        })
        .await
    }

    /// Waits for `fetch` while renewing `lease`.
    pub(crate) async fn holding<T>(
        &self,
        lease: &mut HeldLease,
        now: impl Fn() -> Timestamp,
        fetch: impl Future<Output = T>,
    ) -> T {
        let mut fetch = pin!(fetch);
        loop {
            match timeout(LEASE / 2, &mut fetch).await {
                Ok(fetched) => return fetched,
                // If the lease was lost, the put fails.
                Err(_) => self.renew(lease, now()).await,
            }
        }
    }

    async fn renew(&self, lease: &mut HeldLease, now: Timestamp) {
        let Some(old) = lease.lease.clone() else {
            return;
        };
        let renewal = move |store: &dyn Store| store.renew(&old, now, LEASE);
        let deadline = Instant::now() + CALL_LEAST;
        if let Ok(renewed) = self.call(Some(deadline), renewal).await {
            lease.lease = Some(renewed);
        }
    }

    pub(crate) async fn take_turn(&self, request: TurnRequest) -> StoreResult<Turn> {
        let deadline = Instant::now() + TURN_MOST;
        let taken = move |store: &dyn Store| store.take_turn(&request);
        self.call(Some(deadline), taken).await
    }

    pub(crate) async fn put(
        &self,
        mut observation: Observation,
        exchanges: &[Exchange],
        mut lease: HeldLease,
        deadline: Instant,
    ) -> StoreResult<SnapshotId> {
        let body = observation.attempt.copy.as_ref().map(|copy| &copy.body);
        let cost = match body {
            Some(body) if body.len() > QUICK_BODY_BYTES => CallCost::MayWait,
            _ => self.store.call_cost(),
        };
        let keeps_facts = self.store.keeps_facts();
        let facts = exchanges.iter().filter(|_| keeps_facts);
        let facts: Vec<HopFacts> = facts.map(|exchange| exchange.facts.clone()).collect();
        self.call_at(cost, Some(deadline), move |store| {
            observation.facts = PackedFacts::from_hops(&facts);
            let Some(used) = &lease.lease else {
                return Err(StoreError::LeaseLost(Box::new(observation.authority)));
            };
            let put = store.put(&observation, used);
            if matches!(put, Ok(_) | Err(StoreError::LeaseLost(_))) {
                drop(lease.lease.take());
            }
            put
        })
        .await
    }

    pub(crate) async fn release(&self, mut lease: HeldLease, deadline: Instant) {
        // A lease that cannot be released expires.
        let _ = self.call(Some(deadline), move |_| lease.release()).await;
    }

    async fn call<T: Send + 'static>(
        &self,
        deadline: Option<Instant>,
        call: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> StoreResult<T> {
        self.call_at(self.store.call_cost(), deadline, call).await
    }

    async fn call_at<T: Send + 'static>(
        &self,
        cost: CallCost,
        deadline: Option<Instant>,
        call: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> StoreResult<T> {
        if cost == CallCost::Immediate {
            return call(&*self.store).map_err(Arc::new);
        }
        let counted = self.active.begin();
        in_time(deadline, async {
            // The semaphore is never closed.
            let permit = Arc::clone(&self.calls).acquire_owned().await;
            let store = Arc::clone(&self.store);
            let called = move || {
                // Held until the call returns, even after its deadline.
                let (_counted, _permit) = (counted, permit);
                call(&*store)
            };
            let called = tokio::task::spawn_blocking(called).await;
            let called = called.map_err(|error| StoreError::Backend(error.into()));
            called.flatten().map_err(Arc::new)
        })
        .await
    }
}

/// Waits for a call until its deadline or for [`CALL_LEAST`], whichever is later.
async fn in_time<T>(
    deadline: Option<Instant>,
    called: impl Future<Output = StoreResult<T>>,
) -> StoreResult<T> {
    let Some(deadline) = deadline else {
        return called.await;
    };
    let least = Instant::now() + CALL_LEAST;
    let in_time = timeout_at(deadline.max(least), called).await;
    in_time.unwrap_or_else(|_| Err(Arc::new(StoreError::Busy)))
}

impl HeldLease {
    /// May block.
    fn release(&mut self) -> Result<(), StoreError> {
        match self.lease.take() {
            Some(lease) => self.store.release(&lease),
            None => Ok(()),
        }
    }
}

/// Reads the knowledge, even if it was recorded under another profile.
fn known(store: &dyn Store, authority: &Authority, profile: &Profile) -> Result<Known, StoreError> {
    known_by(store, store.latest(authority)?, profile)
}

/// Works like [`known`], given the latest state. Queries the store only if that state is of another
/// profile.
fn known_by(
    store: &dyn Store,
    latest: Option<StoredState>,
    profile: &Profile,
) -> Result<Known, StoreError> {
    // No snapshot ends after this second.
    let last_second = Timestamp::from_unix_seconds(u64::MAX);
    let state = latest.map(|state| state_under(store, state, profile, last_second));
    let Some(state) = state.transpose()?.flatten() else {
        return Ok(Known::default());
    };
    let chain = RecordedChain {
        authority: &state.snapshot.authority,
        hops: &state.snapshot.hops,
        last: state.knowledge.last.unwrap_or(state.snapshot.attempt),
        locations: &[],
    };
    // The store does not record the crawler. Fetches for this client's own crawler are in
    // `LocalKnowledge`.
    if chain.asks_about_hop(profile) {
        return Ok(Known::of_another_crawler(state));
    }
    Ok(Known::from(state))
}
