//! `MemoryStore`: a store that lives as long as its process, bounded by octets.

use core::ops::Range;
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::lease::{Acquisition, FencingToken, Lease};
use crate::memory::memory_authorities::MemoryAuthorities;
use crate::memory::memory_bodies::MemoryBodies;
use crate::memory::memory_history::{Arriving, MemoryHistory, Seen};
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::stat::{Stat, Swept};
use crate::store::{CallCost, Store};
use crate::store_error::StoreError;
use crate::stored_state::StoredState;

/// A store in memory.
///
/// Where it would take more octets than it may, it forgets whole authorities, those first that
/// no caller has asked for the longest time, but none that is being fetched. What is left of one
/// authority alone loses its oldest snapshots. What would not fit even then is refused, and nothing
/// is forgotten for it. Everything is counted with what the allocator adds
/// ([`verger::allocated_octets`]).
pub struct MemoryStore {
    octets_max: usize,
    inside: Mutex<Inside>,
}

#[derive(Default)]
struct Inside {
    authorities: MemoryAuthorities,
    bodies: MemoryBodies,
    /// What the authorities take without their bodies.
    octets: usize,
    last_snapshot: u64,
    last_token: u64,
}

/// What is given up to make room.
#[derive(Default)]
struct Forgetting {
    authorities: Vec<Arc<str>>,
    /// How many of the oldest snapshots of the authority for which room is made.
    oldest_of_keep: usize,
}

impl MemoryStore {
    /// A store that takes at most about that many octets.
    #[must_use]
    pub fn new(octets_max: usize) -> Self {
        Self {
            octets_max,
            inside: Mutex::default(),
        }
    }

    /// How many octets it takes.
    #[must_use]
    pub fn octets(&self) -> usize {
        self.lock().octets()
    }

    /// Nothing that is done under the lock leaves a half-done change behind when it panics, so a
    /// lock that saw a panic is as good as any.
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps one more snapshot.
    fn push(
        &self,
        inside: &mut Inside,
        arriving: Arriving<'_>,
        lease: &Lease,
    ) -> Result<SnapshotId, StoreError> {
        StoreError::unless_for(lease, arriving.authority())?;
        inside.check(lease)?;
        let name = arriving.authority().to_string();
        let id = SnapshotId(inside.last_snapshot + 1);
        // What an import appends ended long ago; who is fetching now has a lease all the same.
        let now = lease.granted_at.max(arriving.ended_at());
        inside.change(&name, |history, bodies| {
            history.push(Seen::new(id, arriving, bodies));
        });
        if inside.make_room(self.octets_max, &name, now) {
            inside.last_snapshot = id.0;
            return Ok(id);
        }
        inside.change(&name, |history, bodies| {
            if let Some(seen) = history.take_newest() {
                seen.give_back(bodies);
            }
        });
        Err(self.full())
    }

    fn full(&self) -> StoreError {
        StoreError::Full {
            octets_max: self.octets_max,
        }
    }
}

impl Inside {
    fn octets(&self) -> usize {
        self.octets + self.bodies.octets()
    }

    /// Changes one history, which is made if there is none, as the most recently used one.
    fn change<T>(
        &mut self,
        name: &str,
        change: impl FnOnce(&mut MemoryHistory, &mut MemoryBodies) -> T,
    ) -> Option<T> {
        if self.authorities.add(name) {
            self.octets += MemoryAuthorities::cost(name);
        }
        let history = self.authorities.touched(name)?;
        self.octets -= history.heap_octets();
        let changed = change(history, &mut self.bodies);
        self.octets += history.heap_octets();
        Some(changed)
    }

    /// The snapshots of an authority, which somebody asks for, oldest first.
    fn asked(&mut self, name: &str) -> &[Seen] {
        let history = self.authorities.touched(name);
        history.map_or(&[], |history| history.seen())
    }

    fn forget(&mut self, name: &str) {
        let Some(history) = self.authorities.remove(name) else {
            return;
        };
        self.octets -= MemoryAuthorities::cost(name) + history.heap_octets();
        for seen in history.seen() {
            seen.give_back(&mut self.bodies);
        }
    }

    /// Forgets an authority of which nothing is known and that is not being fetched.
    fn forget_if_empty(&mut self, name: &str) {
        let history = self.authorities.history(name);
        if history.is_some_and(MemoryHistory::is_empty) {
            self.forget(name);
        }
    }

    /// Forgets until the bound is kept; `false` where it cannot be, and then nothing is forgotten.
    fn make_room(&mut self, octets_max: usize, keep: &str, now: Timestamp) -> bool {
        let Some(forgetting) = self.to_forget(octets_max, keep, now) else {
            return false;
        };
        for name in &forgetting.authorities {
            self.forget(name);
        }
        if forgetting.oldest_of_keep > 0 {
            self.drop_oldest(keep, forgetting.oldest_of_keep);
        }
        true
    }

    /// What is to be forgotten so that the bound is kept.
    fn to_forget(&self, octets_max: usize, keep: &str, now: Timestamp) -> Option<Forgetting> {
        let mut left = self.octets();
        let mut forgetting = Forgetting::default();
        let mut given_back = BTreeMap::new();
        let mut bodies_of = |seen: &Seen| {
            let freed = seen.bodies();
            let freed = freed.map(|hash| self.bodies.would_free(hash, &mut given_back));
            freed.sum::<usize>()
        };
        for (name, history) in self.authorities.by_use() {
            if left <= octets_max {
                return Some(forgetting);
            }
            let is_fetched = history.lease().is_some_and(|lease| lease.is_live(now));
            if **name == *keep || is_fetched {
                continue;
            }
            left -= MemoryAuthorities::cost(name) + history.heap_octets();
            left -= history.seen().iter().map(&mut bodies_of).sum::<usize>();
            forgetting.authorities.push(Arc::clone(name));
        }
        let own = self.authorities.history(keep).map(MemoryHistory::seen);
        for pair in own.unwrap_or_default().windows(2) {
            if left <= octets_max {
                break;
            }
            // The newest one is never the first of a pair.
            if let [oldest, _] = pair {
                left -= oldest.cost() + bodies_of(oldest);
                forgetting.oldest_of_keep += 1;
            }
        }
        (left <= octets_max).then_some(forgetting)
    }

    fn drop_oldest(&mut self, name: &str, count: usize) {
        self.change(name, |history, bodies| {
            for seen in history.take_oldest(count) {
                seen.give_back(bodies);
            }
        });
    }

    fn check(&self, lease: &Lease) -> Result<(), StoreError> {
        let history = self.authorities.history(&lease.authority.to_string());
        match history.and_then(MemoryHistory::lease) {
            Some(newest) if newest.token == lease.token => Ok(()),
            _ => Err(StoreError::lost(lease)),
        }
    }
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
        let mut inside = self.lock();
        let history = inside.authorities.history(&name);
        let newest = history.and_then(MemoryHistory::lease);
        if let Some(lease) = newest.filter(|lease| lease.is_live(now)) {
            return Ok(Acquisition::HeldUntil {
                holder: lease.holder.clone(),
                until: lease.until,
            });
        }
        inside.last_token += 1;
        let lease = Lease {
            authority: authority.clone(),
            holder: holder.to_owned(),
            token: FencingToken(inside.last_token),
            granted_at: now,
            until: now.after(duration),
        };
        let granted = lease.clone();
        let expired = inside.change(&name, |history, _| history.replace_lease(Some(lease)));
        if inside.make_room(self.octets_max, &name, now) {
            return Ok(Acquisition::Granted(granted));
        }
        inside.change(&name, |history, _| history.replace_lease(expired.flatten()));
        inside.forget_if_empty(&name);
        Err(self.full())
    }

    fn renew(
        &self,
        lease: &Lease,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Lease, StoreError> {
        let mut inside = self.lock();
        inside.check(lease)?;
        let renewed = lease.renewed(now, duration);
        let kept = Some(renewed.clone());
        let name = lease.authority.to_string();
        inside.change(&name, |history, _| history.replace_lease(kept));
        Ok(renewed)
    }

    fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        let mut inside = self.lock();
        if inside.check(lease).is_err() {
            return Ok(());
        }
        let name = lease.authority.to_string();
        inside.change(&name, |history, _| history.replace_lease(None));
        inside.forget_if_empty(&name);
        Ok(())
    }

    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError> {
        let arriving = Arriving::new(observation);
        let mut inside = self.lock();
        let id = self.push(&mut inside, arriving, lease)?;
        let name = lease.authority.to_string();
        inside.change(&name, |history, _| history.replace_lease(None));
        Ok(id)
    }

    fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError> {
        let arriving: Vec<_> = observations.iter().map(Arriving::new).collect();
        let mut inside = self.lock();
        let push = |seen| self.push(&mut inside, seen, lease);
        arriving.into_iter().map(push).collect()
    }

    fn latest(&self, authority: &Authority) -> Result<Option<StoredState>, StoreError> {
        let name = authority.to_string();
        let mut inside = self.lock();
        let Inside {
            authorities,
            bodies,
            ..
        } = &mut *inside;
        let seen = authorities.touched(&name).and_then(|it| it.seen().last());
        seen.map(|seen| seen.standing(authority, bodies))
            .transpose()
    }

    fn standing_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<StoredState>, StoreError> {
        let name = authority.to_string();
        let mut inside = self.lock();
        let Inside {
            authorities,
            bodies,
            ..
        } = &mut *inside;
        let seen = authorities.touched(&name).and_then(|history| {
            let place = history.place_in_force(at)?;
            history.seen().get(place)
        });
        seen.map(|seen| seen.standing(authority, bodies))
            .transpose()
    }

    fn snapshots(
        &self,
        authority: &Authority,
        during: Range<Timestamp>,
        after: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let name = authority.to_string();
        let mut inside = self.lock();
        let asked = inside.asked(&name).iter();
        let asked = asked.filter(|it| it.id > after && during.contains(&it.ended_at));
        let asked = asked.take(snapshots_max);
        asked.map(|seen| seen.snapshot(authority)).collect()
    }

    fn snapshots_before(
        &self,
        authority: &Authority,
        before: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let name = authority.to_string();
        let mut inside = self.lock();
        let asked = inside.asked(&name).iter().rev();
        let asked = asked.filter(|it| it.id < before).take(snapshots_max);
        asked.map(|seen| seen.snapshot(authority)).collect()
    }

    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        Ok(self.lock().bodies.octets_of(hash).cloned())
    }

    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError> {
        let mut inside = self.lock();
        let bodies = inside.bodies.count();
        let mut swept = Swept::default();
        let names = inside
            .authorities
            .by_use()
            .map(|(name, _)| Arc::clone(name));
        let names: Vec<Arc<str>> = names.collect();
        for name in names {
            let Some(history) = inside.authorities.history(&name) else {
                continue;
            };
            let out_of_force = history.place_in_force(keep_from).unwrap_or(0);
            let has_expired = history.lease().is_some_and(|lease| !lease.is_live(now));
            swept.snapshots += out_of_force as u64;
            swept.leases += u64::from(has_expired);
            inside.drop_oldest(&name, out_of_force);
            if has_expired {
                inside.change(&name, |history, _| history.replace_lease(None));
            }
            inside.forget_if_empty(&name);
        }
        swept.bodies = (bodies - inside.bodies.count()) as u64;
        Ok(swept)
    }

    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError> {
        let after = after.map(Authority::to_string);
        let inside = self.lock();
        let histories = inside.authorities.by_name(after.as_deref());
        let seen = histories.filter(|(_, history)| !history.seen().is_empty());
        let read = |(name, _)| {
            let damaged = |_| StoreError::Damaged(format!("the name {name} in memory"));
            Authority::of(name).map_err(damaged)
        };
        seen.take(authorities_max).map(read).collect()
    }

    fn stat(&self) -> Result<Stat, StoreError> {
        let inside = self.lock();
        let mut stat = Stat {
            bodies: inside.bodies.count() as u64,
            body_octets: inside.bodies.body_octets() as u64,
            octets: inside.octets() as u64,
            ..Stat::default()
        };
        let histories = || inside.authorities.histories();
        let first = histories().filter_map(|it| it.seen().first());
        let last = histories().filter_map(|it| it.seen().last());
        stat.first_ended_at = first.min_by_key(|it| it.id).map(|it| it.ended_at);
        stat.last_ended_at = last.max_by_key(|it| it.id).map(|it| it.ended_at);
        for history in histories() {
            stat.authorities += u64::from(!history.seen().is_empty());
            stat.snapshots += history.seen().len() as u64;
            stat.leases += u64::from(history.lease().is_some());
        }
        Ok(stat)
    }
}
