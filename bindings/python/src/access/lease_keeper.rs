//! `LeaseKeeper`: renews the leases of fetches that are still running.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use verger_access::session::LEASE;
use verger_store::{Lease, Store};

const BETWEEN_RENEWALS: Duration = Duration::from_secs(5);

/// How long a lease is renewed, longer than a fetch takes with the default deadline. A request that
/// never ends may keep its lease.
const RENEWED_MAX: Duration = Duration::from_secs(90);

/// A lease that is renewed until it is dropped.
#[derive(Clone)]
struct RenewedLease {
    lease: Weak<Lease>,
    begun: Instant,
}

impl RenewedLease {
    fn is_needed(&self) -> bool {
        self.lease.strong_count() > 0 && self.begun.elapsed() < RENEWED_MAX
    }

    fn renew(&self, store: &dyn Store) {
        if let Some(lease) = self.lease.upgrade() {
            let now = lease.granted_at.after(self.begun.elapsed());
            // If the lease was lost, the put fails.
            let _ = store.renew(&lease, now, LEASE);
        }
    }
}

/// The leases of a store that are in use. One thread renews them, and ends with the last one.
#[derive(Default)]
pub(crate) struct LeaseKeeper {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    leases: Vec<RenewedLease>,
    is_running: bool,
}

impl LeaseKeeper {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Renews a lease that was just granted, until it is dropped.
    pub(crate) fn keep(self: &Arc<Self>, lease: &Arc<Lease>, store: Arc<dyn Store>) {
        let mut kept = self.lock();
        kept.leases.push(RenewedLease {
            lease: Arc::downgrade(lease),
            begun: Instant::now(),
        });
        if !kept.is_running {
            let keeper = Arc::clone(self);
            // Without a thread, the lease expires early.
            kept.is_running = thread::Builder::new()
                .name("verger-leases".to_owned())
                .spawn(move || keeper.run(&*store))
                .is_ok();
        }
    }

    fn run(&self, store: &dyn Store) {
        loop {
            thread::sleep(BETWEEN_RENEWALS);
            let mut kept = self.lock();
            kept.leases.retain(RenewedLease::is_needed);
            if kept.leases.is_empty() {
                kept.is_running = false;
                return;
            }
            let leases = kept.leases.clone();
            drop(kept);
            for lease in leases {
                lease.renew(store);
            }
        }
    }
}
