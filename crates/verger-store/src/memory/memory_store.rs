//! `MemoryStore`: a store in memory, of a bounded size.

use core::fmt;
use core::ops::{Range, RangeInclusive};
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::Arc;

use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::deliveries::Deliveries;
use crate::delivery::Delivery;
use crate::history::History;
use crate::lease::{Acquisition, FencingToken, Lease};
use crate::memory::memory_history::{MemoryHistory, MemorySnapshot, NewSnapshot};
use crate::memory::memory_state::MemoryState;
use crate::observation::Observation;
use crate::packed_facts::PackedFacts;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::stat::{Stat, Swept};
use crate::store::{CallCost, Store};
use crate::store_error::StoreError;
use crate::stored_state::StoredState;
use crate::unpoisoned_mutex::UnpoisonedMutex;

/// A store in memory, with a bound on its size.
///
/// At the bound it evicts whole authorities, least recently used first, except those with a live lease. If one
/// authority alone is too large, it deletes the oldest snapshots of that authority. A put that still does not fit is
/// refused, and nothing is evicted for it. Sizes include the overhead of the allocator
/// ([`verger::allocated_bytes`]).
///
/// The store is for crawlers that only decide, so it drops the facts of hops unless
/// [`MemoryStore::keeping_facts`] created it. Keep a history that serves as evidence in a file or a database.
pub struct MemoryStore {
    bytes_max: usize,
    /// The facts of hops, or `None` if they are dropped.
    facts: Option<UnpoisonedMutex<BTreeMap<SnapshotId, PackedFacts>>>,
    state: UnpoisonedMutex<MemoryState>,
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("MemoryStore");
        debug.field("bytes_max", &self.bytes_max);
        debug.finish_non_exhaustive()
    }
}

impl MemoryStore {
    /// Creates a store that takes at most about `bytes_max` bytes of memory.
    #[must_use]
    pub fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            facts: None,
            state: UnpoisonedMutex::new(MemoryState::default()),
        }
    }

    /// Creates a store without a bound that keeps facts of hops, to read a history from an export. The facts of deleted
    /// snapshots stay in memory.
    #[must_use]
    pub fn keeping_facts() -> Self {
        Self {
            facts: Some(UnpoisonedMutex::default()),
            ..Self::new(usize::MAX)
        }
    }

    /// Returns how many bytes of memory the store takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.state.lock().bytes()
    }

    fn push(
        &self,
        state: &mut MemoryState,
        added: NewSnapshot<'_>,
        lease: &Lease,
    ) -> Result<SnapshotId, StoreError> {
        StoreError::unless_for(lease, added.authority())?;
        state.check(lease)?;
        let name = added.authority().to_string();
        let facts = added.facts().clone();
        let id = SnapshotId(state.last_snapshot + 1);
        // An import appends attempts that ended long ago. Leases that are live now still count.
        let now = lease.granted_at.max(added.ended_at());
        state.change(&name, |history, bodies| {
            history.push(MemorySnapshot::new(id, added, bodies));
        });
        if state.make_room(self.bytes_max, &name, now) {
            state.last_snapshot = id.0;
            if facts.bytes().is_some()
                && let Some(mut kept) = self.facts.as_ref().map(UnpoisonedMutex::lock)
            {
                kept.insert(id, facts);
            }
            return Ok(id);
        }
        state.change(&name, |history, bodies| {
            if let Some(snapshot) = history.take_newest() {
                snapshot.release_bodies(bodies);
            }
        });
        Err(self.full())
    }

    fn full(&self) -> StoreError {
        StoreError::Full {
            bytes_max: self.bytes_max,
        }
    }

    /// Returns the state of an authority after the snapshot that `find` chooses.
    fn state(
        &self,
        authority: &Authority,
        find: impl FnOnce(&MemoryHistory) -> Option<&MemorySnapshot>,
    ) -> Result<Option<StoredState>, StoreError> {
        let name = authority.to_string();
        let mut state = self.state.lock();
        let MemoryState {
            authorities,
            bodies,
            ..
        } = &mut *state;
        let snapshot = authorities.touch(&name).and_then(|history| find(history));
        let found = snapshot.map(|snapshot| snapshot.stored_state(authority, bodies));
        found.transpose()
    }
}

fn authority_of(name: &str) -> Result<Authority, StoreError> {
    let damaged = |_| StoreError::Damaged(format!("the name {name} in memory"));
    Authority::from_url(name).map_err(damaged)
}

impl Store for MemoryStore {
    fn call_cost(&self) -> CallCost {
        CallCost::Immediate
    }

    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError> {
        let name = authority.to_string();
        let mut state = self.state.lock();
        let history = state.authorities.history(&name);
        let newest = history.and_then(MemoryHistory::lease);
        if let Some(lease) = newest.filter(|lease| lease.is_live(now)) {
            return Ok(Acquisition::HeldUntil {
                holder: lease.holder.clone(),
                until: lease.until,
            });
        }
        state.last_token += 1;
        let lease = Lease {
            authority: authority.clone(),
            holder: holder.to_owned(),
            token: FencingToken(state.last_token),
            granted_at: now,
            until: now.after(duration),
        };
        let granted = lease.clone();
        let expired = state.change(&name, |history, _| history.replace_lease(Some(lease)));
        if state.make_room(self.bytes_max, &name, now) {
            return Ok(Acquisition::Granted(granted));
        }
        state.change(&name, |history, _| history.replace_lease(expired.flatten()));
        state.remove_if_empty(&name);
        Err(self.full())
    }

    fn renew(
        &self,
        lease: &Lease,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Lease, StoreError> {
        let mut state = self.state.lock();
        state.check(lease)?;
        let renewed = lease.renewed(now, duration);
        let kept = Some(renewed.clone());
        let name = lease.authority.to_string();
        state.change(&name, |history, _| history.replace_lease(kept));
        Ok(renewed)
    }

    fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        let mut state = self.state.lock();
        if state.check(lease).is_err() {
            return Ok(());
        }
        let name = lease.authority.to_string();
        state.change(&name, |history, _| history.replace_lease(None));
        state.remove_if_empty(&name);
        Ok(())
    }

    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError> {
        let added = NewSnapshot::new(observation);
        let mut state = self.state.lock();
        let id = self.push(&mut state, added, lease)?;
        let name = lease.authority.to_string();
        state.change(&name, |history, _| history.replace_lease(None));
        Ok(id)
    }

    fn latest(&self, authority: &Authority) -> Result<Option<StoredState>, StoreError> {
        self.state(authority, |history| history.snapshots().last())
    }

    fn state_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError> {
        self.state(authority, |history| history.in_force(at))
    }

    fn snapshots(
        &self,
        authority: &Authority,
        during: Range<Timestamp>,
        after: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let name = authority.to_string();
        let mut state = self.state.lock();
        let found = state.snapshots(&name).iter();
        let found = found.filter(|it| it.id > after && during.contains(&it.ended_at));
        let found = found.take(snapshots_max);
        found.map(|snapshot| snapshot.snapshot(authority)).collect()
    }

    fn snapshots_before(
        &self,
        authority: &Authority,
        before: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let name = authority.to_string();
        let mut state = self.state.lock();
        let found = state.snapshots(&name).iter().rev();
        let found = found.filter(|it| it.id < before).take(snapshots_max);
        found.map(|snapshot| snapshot.snapshot(authority)).collect()
    }

    fn keeps_facts(&self) -> bool {
        self.facts.is_some()
    }

    fn facts(
        &self,
        authority: &Authority,
        ids: RangeInclusive<SnapshotId>,
    ) -> Result<Vec<(SnapshotId, PackedFacts)>, StoreError> {
        let mut state = self.state.lock();
        let Some(kept) = self.facts.as_ref().map(UnpoisonedMutex::lock) else {
            return Ok(Vec::new());
        };
        let found = state.snapshots(&authority.to_string()).iter();
        let found = found.map(|it| it.id).filter(|id| ids.contains(id));
        let facts = found.filter_map(|id| Some((id, kept.get(&id)?.clone())));
        Ok(facts.collect())
    }

    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        Ok(self.state.lock().bodies.bytes_of(hash).cloned())
    }
}

impl History for MemoryStore {
    fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError> {
        let added: Vec<_> = observations.iter().map(NewSnapshot::new).collect();
        let mut state = self.state.lock();
        let push = |snapshot| self.push(&mut state, snapshot, lease);
        added.into_iter().map(push).collect()
    }

    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError> {
        let mut state = self.state.lock();
        let bodies = state.bodies.count();
        let mut swept = Swept::default();
        let names = state.authorities.by_use().map(|(name, _)| Arc::clone(name));
        let names: Vec<Arc<str>> = names.collect();
        for name in names {
            let Some(history) = state.authorities.history(&name) else {
                continue;
            };
            let has_expired = history.lease().is_some_and(|lease| !lease.is_live(now));
            swept.leases += u64::from(has_expired);
            let authority = authority_of(&name)?;
            let gone = |it: &mut MemoryHistory| it.take_out_of_force(keep_from, &authority);
            swept.snapshots += state.drop_from(&name, gone);
            if has_expired {
                state.change(&name, |history, _| history.replace_lease(None));
            }
            let gone = state.change(&name, |history, _| history.drop_deliveries(keep_from));
            swept.deliveries += gone.unwrap_or(0) as u64;
            state.remove_if_empty(&name);
        }
        swept.bodies = (bodies - state.bodies.count()) as u64;
        Ok(swept)
    }

    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError> {
        let after = after.map(Authority::to_string);
        let state = self.state.lock();
        let histories = state.authorities.by_name(after.as_deref());
        let with_snapshots = histories.filter(|(_, history)| !history.snapshots().is_empty());
        let names = with_snapshots.take(authorities_max).map(|(name, _)| name);
        names.map(authority_of).collect()
    }

    fn stat(&self) -> Result<Stat, StoreError> {
        let state = self.state.lock();
        let mut stat = Stat {
            bodies: state.bodies.count() as u64,
            body_bytes: state.bodies.body_bytes() as u64,
            bytes: state.bytes() as u64,
            ..Stat::default()
        };
        let histories = || state.authorities.histories();
        let first = histories().filter_map(|it| it.snapshots().first());
        let last = histories().filter_map(|it| it.snapshots().last());
        stat.first_ended_at = first.min_by_key(|it| it.id).map(|it| it.ended_at);
        stat.last_ended_at = last.max_by_key(|it| it.id).map(|it| it.ended_at);
        for history in histories() {
            stat.authorities += u64::from(!history.snapshots().is_empty());
            stat.snapshots += history.snapshots().len() as u64;
            stat.leases += u64::from(history.lease().is_some());
        }
        Ok(stat)
    }
}

impl Deliveries for MemoryStore {
    fn delivery(
        &self,
        authority: &Authority,
        receiver: &str,
    ) -> Result<Option<Delivery>, StoreError> {
        let mut state = self.state.lock();
        let history = state.authorities.touch(&authority.to_string());
        Ok(history.and_then(|it| it.delivery(receiver)).cloned())
    }

    fn put_delivery(
        &self,
        authority: &Authority,
        receiver: &str,
        delivery: &Delivery,
    ) -> Result<(), StoreError> {
        let name = authority.to_string();
        let mut state = self.state.lock();
        let new = Some(delivery.clone());
        let before = state.change(&name, |it, _| it.replace_delivery(receiver, new));
        if state.make_room(self.bytes_max, &name, delivery.at) {
            return Ok(());
        }
        state.change(&name, |it, _| {
            it.replace_delivery(receiver, before.flatten())
        });
        state.remove_if_empty(&name);
        Err(self.full())
    }
}
