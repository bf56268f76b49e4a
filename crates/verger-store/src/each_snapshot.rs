//! `each_authority`, `each_known`, `each_snapshot`, `each_change`: iterate over a store, page by page.

use core::ops::Range;
use std::collections::BTreeMap;

use verger_access::{Authority, Profile, Timestamp};

use crate::history::History;
use crate::in_force::InForce;
use crate::kept_copy::BodyDigest;
use crate::packed_facts::PackedFacts;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::store::Store;
use crate::store_error::StoreError;

const PAGE_AUTHORITIES: usize = 256;

/// Calls `visit` with each authority of a store, in the order of their names. One page is in memory at a time.
///
/// # Errors
///
/// Returns the errors of the store and of `visit`.
pub fn each_authority<E: From<StoreError>>(
    store: &dyn History,
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

/// Calls `visit` with each authority of a store, in the order of their names, and with what was in force under `profile`
/// at a time ([`crate::in_force_at`]). A page of 64 authorities takes two queries in a database, and holds 64 bodies
/// in memory.
///
/// # Errors
///
/// Returns the errors of the store and of `visit`.
pub fn each_known<E: From<StoreError>>(
    store: &dyn History,
    profile: &Profile,
    at: Timestamp,
    mut visit: impl FnMut(&Authority, Option<InForce>) -> Result<(), E>,
) -> Result<(), E> {
    let mut page = store.authorities(None, PAGE_KNOWN)?;
    while let Some(last) = page.last() {
        let states = store.states_at(&page, at)?;
        for (authority, state) in page.iter().zip(states) {
            let known = state.map(|state| InForce::of_state(store, state, profile, at));
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

/// The snapshot before another one in a history, and the last body that was known with it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Before {
    /// The snapshot.
    pub snapshot: Snapshot,
    /// The last known body.
    pub body: Option<BodyDigest>,
}

/// Calls `visit` like [`each_snapshot`], and with what came before each snapshot. Before the first one, that is the
/// snapshot in force just before the time.
///
/// # Errors
///
/// Returns the errors of the store and of `visit`.
pub fn each_change<E: From<StoreError>>(
    store: &dyn Store,
    site: &Authority,
    during: Range<Timestamp>,
    facts: ReadFacts,
    mut visit: impl FnMut(&Snapshot, Option<&Before>, Option<&PackedFacts>) -> Result<(), E>,
) -> Result<(), E> {
    let in_force = snapshot_before(store, site, during.start)?;
    let mut before = in_force.map(|snapshot| Before {
        body: (snapshot.body).or(snapshot.copy.as_ref().map(|copy| copy.body)),
        snapshot,
    });
    each_snapshot(store, site, during, facts, |snapshot, facts| {
        visit(snapshot, before.as_ref(), facts)?;
        let known = before.take().and_then(|before| before.body);
        before = Some(Before {
            snapshot: snapshot.clone(),
            body: snapshot.body.or(known),
        });
        Ok(())
    })
}

/// Returns the snapshot in force just before a time.
pub(crate) fn snapshot_before(
    store: &dyn Store,
    site: &Authority,
    time: Timestamp,
) -> Result<Option<Snapshot>, StoreError> {
    let Some(second) = time.unix_seconds().checked_sub(1) else {
        return Ok(None);
    };
    let state = store.state_at(site, Timestamp::from_unix_seconds(second))?;
    Ok(state.map(|state| state.snapshot))
}
