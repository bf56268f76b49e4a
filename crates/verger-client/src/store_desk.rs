//! `StoreDesk`: the store, asked from where nothing may block.

use core::time::Duration;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use verger_access::{Authority, Profile, Timestamp};
use verger_store::{
    Acquisition, CallCost, Lease, Observation, SnapshotId, Store, StoreError, knowledge_under,
};

use crate::client_error::ClientError;
use crate::known::{Known, Wanted};

/// How many calls of the store are under way at once. A call that waits for a disk holds a thread;
/// so many at once let a store put them together.
const CALLS_MAX: usize = 64;

/// A body of more octets takes long enough to hash that it is put on a thread that may wait, also
/// where the store does not.
const QUICK_BODY_OCTETS: usize = 64 * 1024;

/// Asks a store on threads that may wait, where its calls do.
pub(crate) struct StoreDesk {
    store: Arc<dyn Store>,
    calls: Semaphore,
}

/// What is to be done about an authority.
pub(crate) enum Errand {
    /// Nothing: this is known.
    None(Known),
    /// Fetch, with what is known so far.
    Fetch(Known, HeldLease),
    /// Wait: somebody else fetches.
    Wait {
        /// Who does.
        holder: String,
    },
}

/// The right to fetch; it is given back when it is dropped unused, as when a fetch is given up.
pub(crate) struct HeldLease {
    lease: Option<Lease>,
    store: Arc<dyn Store>,
}

impl Drop for HeldLease {
    fn drop(&mut self) {
        let Some(lease) = self.lease.take() else {
            return;
        };
        // Where it cannot be given back, it expires.
        if self.store.call_cost() == CallCost::Immediate {
            let _ = self.store.release(&lease);
        } else if let Ok(runtime) = Handle::try_current() {
            let store = Arc::clone(&self.store);
            runtime.spawn_blocking(move || store.release(&lease));
        }
    }
}

/// The right to fetch, as it is asked for.
#[derive(Clone)]
pub(crate) struct LeaseRequest {
    pub(crate) holder: Arc<str>,
    pub(crate) duration: Duration,
}

impl StoreDesk {
    pub(crate) fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            calls: Semaphore::new(CALLS_MAX),
        }
    }

    /// What is known, as `profile` counts it.
    pub(crate) async fn known(
        &self,
        authority: &Authority,
        profile: &Arc<Profile>,
    ) -> Result<Known, ClientError> {
        let (of, profile) = (authority.clone(), Arc::clone(profile));
        self.call(authority, move |store| known(store, &of, &profile))
            .await
    }

    /// Finds out whether a fetch is needed, and asks for the right to it.
    pub(crate) async fn errand(
        &self,
        authority: &Authority,
        profile: &Arc<Profile>,
        wanted: Wanted,
        now: Timestamp,
        lease: LeaseRequest,
    ) -> Result<Errand, ClientError> {
        let (of, profile) = (authority.clone(), Arc::clone(profile));
        let held = Arc::clone(&self.store);
        self.call(authority, move |store| {
            match store.acquire(&of, &lease.holder, now, lease.duration)? {
                Acquisition::HeldUntil { holder, .. } => Ok(Errand::Wait { holder }),
                Acquisition::Granted(lease) => {
                    // Looked at behind the lease: whoever had it before has put what he saw.
                    let known = known(store, &of, &profile)?;
                    if wanted.is_met(&known, &profile, now) {
                        store.release(&lease)?;
                        return Ok(Errand::None(known));
                    }
                    let lease = HeldLease {
                        lease: Some(lease),
                        store: held,
                    };
                    Ok(Errand::Fetch(known, lease))
                }
            }
        })
        .await
    }

    /// Waits for `fetch`, and holds `lease`, which lasts for `duration`, on.
    pub(crate) async fn holding<T>(
        &self,
        lease: &mut HeldLease,
        duration: Duration,
        now: impl Fn() -> Timestamp,
        fetch: impl Future<Output = T>,
    ) -> T {
        let mut fetch = pin!(fetch);
        loop {
            match timeout(duration / 2, &mut fetch).await {
                Ok(fetched) => return fetched,
                // Whether it is lost meanwhile, who puts is told.
                Err(_) => self.renew(lease, now(), duration).await,
            }
        }
    }

    async fn renew(&self, lease: &mut HeldLease, now: Timestamp, duration: Duration) {
        let Some(old) = lease.lease.clone() else {
            return;
        };
        let authority = old.authority.clone();
        let renewal = move |store: &dyn Store| store.renew(&old, now, duration);
        if let Ok(renewed) = self.call(&authority, renewal).await {
            lease.lease = Some(renewed);
        }
    }

    /// Puts what was seen. The inner error is the store's.
    pub(crate) async fn put(
        &self,
        observation: Observation,
        mut lease: HeldLease,
    ) -> Result<Result<SnapshotId, StoreError>, ClientError> {
        let authority = observation.authority.clone();
        let body = observation.attempt.copy.as_ref().map(|copy| &copy.body);
        let cost = match body {
            Some(body) if body.len() > QUICK_BODY_OCTETS => CallCost::MayWait,
            _ => self.store.call_cost(),
        };
        self.call_at(cost, &authority, move |store| {
            let Some(used) = &lease.lease else {
                return Ok(Err(StoreError::LeaseLost(Box::new(observation.authority))));
            };
            let put = store.put(&observation, used);
            if matches!(put, Ok(_) | Err(StoreError::LeaseLost(_))) {
                drop(lease.lease.take());
            }
            Ok(put)
        })
        .await
    }

    async fn call<T: Send + 'static>(
        &self,
        authority: &Authority,
        call: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, ClientError> {
        self.call_at(self.store.call_cost(), authority, call).await
    }

    async fn call_at<T: Send + 'static>(
        &self,
        cost: CallCost,
        authority: &Authority,
        call: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, ClientError> {
        if cost == CallCost::Immediate {
            return Ok(call(&*self.store)?);
        }
        // Nobody closes the semaphore.
        let _call = self.calls.acquire().await;
        let store = Arc::clone(&self.store);
        let called = tokio::task::spawn_blocking(move || call(&*store)).await;
        let given_up = |_| ClientError::GivenUp(Box::new(authority.clone()));
        Ok(called.map_err(given_up)??)
    }
}

/// What is known, also where it was recorded under another profile.
fn known(store: &dyn Store, authority: &Authority, profile: &Profile) -> Result<Known, StoreError> {
    // No snapshot ends after the last second there is.
    let ever = Timestamp::from_unix_seconds(u64::MAX);
    let standing = knowledge_under(store, authority, profile, ever)?;
    Ok(standing.into())
}
