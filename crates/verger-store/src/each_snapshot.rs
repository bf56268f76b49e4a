//! `each_authority`, `each_known`, `each_snapshot`: iterate over a store, page by page.

use core::ops::Range;
use std::collections::BTreeMap;

use verger_access::{Authority, Profile, Timestamp};

use crate::packed_facts::PackedFacts;
use crate::replay::state_under;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::store::Store;
use crate::store_error::StoreError;
use crate::stored_state::StoredState;

const PAGE_AUTHORITIES: usize = 256;

/// Calls `visit` with each authority of a store, in the order of their names. One page is in memory at a time.
///
/// # Errors
///
/// Returns the errors of the store and of `visit`.
pub fn each_authority<E: From<StoreError>>(
    store: &dyn Store,
    mut visit: impl FnMut(&Authority) -> Result<(), E>,
) -> Result<(), E> {
    let mut page = store.authorities(None, PAGE_AUTHORITIES)?;
    while let Some(last) = page.last() {
        page.iter().try_for_each(&mut visit)?;
        page = store.authorities(Some(last), PAGE_AUTHORITIES)?;
    }
    Ok(())
}

/// Number of authorities per page that are read with their bodies.
const PAGE_KNOWN: usize = 64;

/// Calls `visit` with each authority of a store, in the order of their names, and with the knowledge of `profile` at
/// a time ([`crate::knowledge_under`]). A page of 64 authorities takes two queries in a database, and holds 64 bodies
/// in memory.
///
/// # Errors
///
/// Returns the errors of the store and of `visit`.
pub fn each_known<E: From<StoreError>>(
    store: &dyn Store,
    profile: &Profile,
    at: Timestamp,
    mut visit: impl FnMut(&Authority, Option<StoredState>) -> Result<(), E>,
) -> Result<(), E> {
    let mut page = store.authorities(None, PAGE_KNOWN)?;
    while let Some(last) = page.last() {
        let states = store.states_at(&page, at)?;
        for (authority, state) in page.iter().zip(states) {
            let known = state.map(|state| state_under(store, state, profile, at));
            visit(authority, known.transpose()?.flatten())?;
        }
        page = store.authorities(Some(last), PAGE_KNOWN)?;
    }
    Ok(())
}

/// Whether to read the facts of hops ([`crate::HopFacts`]) with each snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadFacts {
    /// Read them, with one more query per page.
    Yes,
    /// Skip them.
    No,
}

impl ReadFacts {
    /// Returns the number of snapshots per page. Facts are several times as long as a snapshot.
    const fn page(self) -> usize {
        match self {
            Self::Yes => 64,
            Self::No => 256,
        }
    }
}

/// Calls `visit` with the snapshots of a time, oldest first, and with the facts of their hops if `facts` asks for
/// them and the store has them. One page is in memory at a time.
///
/// # Errors
///
/// Returns the errors of the store and of `visit`.
pub fn each_snapshot<E: From<StoreError>>(
    store: &dyn Store,
    site: &Authority,
    during: Range<Timestamp>,
    facts: ReadFacts,
    mut visit: impl FnMut(&Snapshot, Option<&PackedFacts>) -> Result<(), E>,
) -> Result<(), E> {
    let mut after = SnapshotId::BEFORE_ALL;
    loop {
        let page = store.snapshots(site, during.clone(), after, facts.page())?;
        let (Some(first), Some(last)) = (page.first(), page.last()) else {
            return Ok(());
        };
        after = last.id;
        let known: BTreeMap<SnapshotId, PackedFacts> = match facts {
            ReadFacts::Yes => store.facts(site, first.id..=last.id)?.into_iter().collect(),
            ReadFacts::No => BTreeMap::new(),
        };
        for snapshot in &page {
            visit(snapshot, known.get(&snapshot.id))?;
        }
    }
}
