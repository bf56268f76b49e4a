//! `LeaseKeeper`: renews the leases of fetches that are still running.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use verger_store::{Lease, Store};

/// How long others wait for a process that was killed.
pub(crate) const LEASE: Duration = Duration::from_secs(15);
const BETWEEN_RENEWALS: Duration = Duration::from_secs(5);

/// A lease that is renewed until it is dropped, but no longer than its fetch may take.
pub(crate) struct KeptLease {
    pub(crate) lease: Lease,
    begun: Instant,
    longest: Duration,
}

impl KeptLease {
    pub(crate) fn new(lease: Lease, longest: Duration) -> Arc<Self> {
        let begun = Instant::now();
        Arc::new(Self {
            lease,
            begun,
            longest,
        })
    }

    fn renew(&self, store: &dyn Store) {
        let elapsed = self.begun.elapsed();
        if elapsed < self.longest {
            let now = self.lease.granted_at.after(elapsed);
            // If the lease was lost, the put fails.
            let _ = store.renew(&self.lease, now, LEASE);
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
    leases: Vec<Weak<KeptLease>>,
    is_running: bool,
}

impl LeaseKeeper {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Renews a lease from now on.
    pub(crate) fn keep(self: &Arc<Self>, lease: &Arc<KeptLease>, store: Arc<dyn Store>) {
        let mut kept = self.lock();
        kept.leases.push(Arc::downgrade(lease));
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
            kept.leases.retain(|lease| lease.strong_count() > 0);
            if kept.leases.is_empty() {
                kept.is_running = false;
                return;
            }
            let leases = kept.leases.clone();
            drop(kept);
            for lease in leases.iter().filter_map(Weak::upgrade) {
                lease.renew(store);
            }
        }
    }
}
