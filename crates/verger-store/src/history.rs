//! `History`: a store as a whole: its sites, its size, sweeps and imports.

use core::time::Duration;

use verger_access::{Authority, Timestamp};

use crate::history_import::{HistoryImport, LeaseState};
use crate::lease::{Acquisition, Lease};
use crate::observation::Observation;
use crate::snapshot::SnapshotId;
use crate::stat::{Stat, Swept};
use crate::store::Store;
use crate::store_error::StoreError;

/// Duration of the lease that an import takes. An interrupted import blocks its authority for this long.
const IMPORT_LEASE: Duration = Duration::from_secs(15);

const IMPORT_HOLDER: &str = "an import";

const IMPORT_PAGE_SNAPSHOTS: usize = 64;

/// A store that can be read and changed as a whole.
pub trait History: Store {
    /// Deletes the snapshots of every authority before the one in force at `keep_from`, by the times of the attempts, then
    /// bodies without a snapshot, leases expired at `now`, and deliveries before `keep_from` of authorities without a
    /// later snapshot.
    ///
    /// The snapshot of an authority that was put last is always kept, and with it the last good copy, however old.
    /// [`Store::state_at`] returns the same as before for `keep_from` and later. But an authority is forgotten if each of
    /// its attempts failed before `keep_from` and no copy is known.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails. Deletions before the failure are permanent. A store in a file sweeps the
    /// other authorities before it returns the error of one.
    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError>;

    /// Returns at most `authorities_max` authorities after `after` that have a snapshot, in the order of their names.
    /// To read all, call again with the last one.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError>;

    /// Returns the size of the store.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails.
    fn stat(&self) -> Result<Stat, StoreError>;

    /// Appends the snapshots of a history from another store, oldest first. The lease stays valid. Imports use this.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Store::put`]. Then a store in a file has appended nothing. A store in memory that became
    /// full has appended the first ones.
    fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError>;

    /// Continues the histories of several authorities for [`crate::import`]: appends the snapshots that follow what the
    /// store has, and counts the others. Skips an authority that is being fetched. A store in a file uses one
    /// transaction. Other stores renew their lease by `now`, which returns the time.
    ///
    /// # Errors
    ///
    /// Returns an error if the store fails. Then a store in a file has appended nothing. Another store may have
    /// appended to some histories.
    fn append_histories(
        &self,
        histories: &mut [HistoryImport],
        now: &dyn Fn() -> Timestamp,
    ) -> Result<(), StoreError> {
        let mut each = histories.iter_mut();
        each.try_for_each(|history| append_history(self, history, now))
    }
}

/// Imports a history into a store without transactions, under a lease.
fn append_history<S: History + ?Sized>(
    store: &S,
    history: &mut HistoryImport,
    now: &dyn Fn() -> Timestamp,
) -> Result<(), StoreError> {
    let authority = history.authority().clone();
    match store.acquire(&authority, IMPORT_HOLDER, now(), IMPORT_LEASE)? {
        Acquisition::HeldUntil { .. } => {
            load_stored(store, history, &|| Ok(()))?;
            history.resolve(LeaseState::Held);
            Ok(())
        }
        Acquisition::Granted(lease) => {
            let renew = || store.renew(&lease, now(), IMPORT_LEASE).map(drop);
            let appended = load_stored(store, history, &renew).and_then(|()| {
                let resolved = history.resolve(LeaseState::Free);
                store.append(&resolved, &lease)
            });
            let released = store.release(&lease);
            if let Some(last) = appended?.last() {
                history.note_appended(*last);
            }
            released
        }
    }
}

fn load_stored<S: History + ?Sized>(
    store: &S,
    history: &mut HistoryImport,
    renew: &dyn Fn() -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let newest = store.snapshots_before(history.authority(), SnapshotId::AFTER_ALL, 1)?;
    let newest = newest.first().map(|snapshot| snapshot.id);
    history.load_stored(newest, |authority, after| {
        let ever = Timestamp::default()..Timestamp::from_unix_seconds(u64::MAX);
        let page = store.snapshots(authority, ever, after, IMPORT_PAGE_SNAPSHOTS)?;
        // A long history may take longer than a lease.
        if page.len() == IMPORT_PAGE_SNAPSHOTS {
            renew()?;
        }
        Ok(page)
    })
}
