//! `each_authority`, `each_snapshot`: the contents of a store, page by page.

use core::ops::Range;

use verger_access::{Authority, Timestamp};

use crate::snapshot::{Snapshot, SnapshotId};
use crate::store::Store;
use crate::store_error::StoreError;

/// How many authorities are read at once.
const PAGE_AUTHORITIES: usize = 256;

/// Calls `visit` with each authority of a store, in the order of their names; a page of them is in memory.
///
/// # Errors
///
/// Where the store fails, or `visit` does.
pub fn each_authority<E: From<StoreError>>(
    store: &dyn Store,
    mut visit: impl FnMut(&Authority) -> Result<(), E>,
) -> Result<(), E> {
    let mut last = None;
    loop {
        let page = store.authorities(last.as_ref(), PAGE_AUTHORITIES)?;
        page.iter().try_for_each(&mut visit)?;
        last = page.into_iter().next_back();
        if last.is_none() {
            return Ok(());
        }
    }
}

/// How many snapshots are read at once.
const PAGE_SNAPSHOTS: usize = 256;

/// Calls `visit` with the snapshots of a time, oldest first; some pages of them are in memory.
///
/// # Errors
///
/// Where the store fails, or `visit` does.
pub fn each_snapshot<E: From<StoreError>>(
    store: &dyn Store,
    site: &Authority,
    during: Range<Timestamp>,
    mut visit: impl FnMut(&Snapshot) -> Result<(), E>,
) -> Result<(), E> {
    let mut after = SnapshotId::BEFORE_ALL;
    loop {
        let page = store.snapshots(site, during.clone(), after, PAGE_SNAPSHOTS)?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = last.id;
        page.iter().try_for_each(&mut visit)?;
    }
}
