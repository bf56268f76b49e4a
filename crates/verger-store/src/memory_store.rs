//! `MemoryStore`: a store that lives as long as its process, bounded by octets.

use core::ops::{Bound, Range};
use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use verger_access::{Authority, Timestamp};

use crate::body_hash::BodyHash;
use crate::lease::{Acquisition, FencingToken, Lease};
use crate::memory_bodies::MemoryBodies;
use crate::memory_history::{MemoryHistory, Seen};
use crate::observation::Observation;
use crate::snapshot::{Snapshot, SnapshotId};
use crate::standing::Standing;
use crate::stat::{Stat, Swept};
use crate::store::{Store, StoreError};

/// A store in memory.
///
/// Where it would take more octets than it may, it forgets whole authorities, those first that
/// nobody has asked for the longest time, but none that somebody is fetching. What is left of one
/// authority alone loses its oldest snapshots. What would not fit even then is refused, and nothing
/// is forgotten for it. The count of octets is an estimate: it covers
/// bodies, URLs and headers exactly and the rest about.
pub struct MemoryStore {
    octets_max: usize,
    inside: Mutex<Inside>,
}

#[derive(Default)]
struct Inside {
    histories: BTreeMap<Authority, MemoryHistory>,
    /// The authorities by when they were last asked for.
    uses: BTreeMap<u64, Authority>,
    bodies: MemoryBodies,
    /// What the histories take without their bodies.
    octets: usize,
    last_use: u64,
    last_snapshot: u64,
    last_token: u64,
}

/// What is given up to make room.
#[derive(Default)]
struct Forgetting {
    authorities: Vec<Authority>,
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

    /// Nothing that is done under the lock leaves a half-done change behind when it panics, so a
    /// lock that saw a panic is as good as any.
    fn lock(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps one more snapshot.
    fn push(
        &self,
        inside: &mut Inside,
        observation: &Observation,
        lease: &Lease,
    ) -> Result<SnapshotId, StoreError> {
        let authority = &observation.authority;
        StoreError::unless_for(lease, authority)?;
        inside.check(lease)?;
        let id = SnapshotId(inside.last_snapshot + 1);
        inside.change(authority, |history, bodies| {
            history.push(Seen::new(id, observation, bodies));
        });
        // What an import appends ended long ago; who is fetching now has a lease all the same.
        let now = lease.granted_at.max(observation.attempt.last.at);
        if inside.make_room(self.octets_max, authority, now) {
            inside.last_snapshot = id.0;
            return Ok(id);
        }
        inside.change(authority, |history, bodies| {
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
        authority: &Authority,
        change: impl FnOnce(&mut MemoryHistory, &mut MemoryBodies) -> T,
    ) -> T {
        self.last_use += 1;
        let used = self.last_use;
        let history = match self.histories.get_mut(authority) {
            Some(history) => {
                self.octets -= history.cost(authority);
                self.uses.remove(&history.used);
                history
            }
            None => (self.histories.entry(authority.clone()))
                .or_insert_with(|| MemoryHistory::new(used)),
        };
        history.used = used;
        self.uses.insert(used, authority.clone());
        let changed = change(history, &mut self.bodies);
        self.octets += history.cost(authority);
        changed
    }

    /// Notes that somebody asks for an authority.
    fn touch(&mut self, authority: &Authority) {
        let Some(history) = self.histories.get_mut(authority) else {
            return;
        };
        self.last_use += 1;
        if let Some(key) = self.uses.remove(&history.used) {
            history.used = self.last_use;
            self.uses.insert(self.last_use, key);
        }
    }

    /// The snapshots of an authority, which somebody asks for, oldest first.
    fn asked(&mut self, authority: &Authority) -> &[Seen] {
        self.touch(authority);
        let history = self.histories.get(authority);
        history.map(MemoryHistory::seen).unwrap_or_default()
    }

    fn forget(&mut self, authority: &Authority) {
        let Some(history) = self.histories.remove(authority) else {
            return;
        };
        self.octets -= history.cost(authority);
        self.uses.remove(&history.used);
        for seen in history.seen() {
            seen.give_back(&mut self.bodies);
        }
    }

    /// Forgets until the bound is kept; `false` where it cannot be, and then nothing is forgotten.
    fn make_room(&mut self, octets_max: usize, keep: &Authority, now: Timestamp) -> bool {
        let Some(forgetting) = self.to_forget(octets_max, keep, now) else {
            return false;
        };
        for authority in &forgetting.authorities {
            self.forget(authority);
        }
        if forgetting.oldest_of_keep > 0 {
            self.drop_oldest(keep, forgetting.oldest_of_keep);
        }
        true
    }

    /// What is to be forgotten so that the bound is kept.
    fn to_forget(&self, octets_max: usize, keep: &Authority, now: Timestamp) -> Option<Forgetting> {
        let mut left = self.octets();
        let mut forgetting = Forgetting::default();
        let mut given_back = BTreeMap::new();
        let mut bodies_of = |seen: &Seen| {
            let freed = seen.bodies();
            let freed = freed.map(|hash| self.bodies.would_free(hash, &mut given_back));
            freed.sum::<usize>()
        };
        for authority in self.uses.values() {
            if left <= octets_max {
                return Some(forgetting);
            }
            let Some(history) = self.histories.get(authority) else {
                continue;
            };
            let lease = history.lease.as_ref();
            if authority == keep || lease.is_some_and(|lease| lease.is_live(now)) {
                continue;
            }
            left -= history.cost(authority);
            left -= history.seen().iter().map(&mut bodies_of).sum::<usize>();
            forgetting.authorities.push(authority.clone());
        }
        let own = self.histories.get(keep).map(MemoryHistory::seen);
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

    fn drop_oldest(&mut self, authority: &Authority, count: usize) {
        self.change(authority, |history, bodies| {
            for seen in history.take_oldest(count) {
                seen.give_back(bodies);
            }
        });
    }

    fn lease(&self, authority: &Authority) -> Option<&Lease> {
        self.histories.get(authority)?.lease.as_ref()
    }

    fn check(&self, lease: &Lease) -> Result<(), StoreError> {
        match self.lease(&lease.authority) {
            Some(newest) if newest.token == lease.token => Ok(()),
            _ => Err(StoreError::lost(lease)),
        }
    }
}

impl Store for MemoryStore {
    fn acquire(
        &self,
        authority: &Authority,
        holder: &str,
        now: Timestamp,
        duration: Duration,
    ) -> Result<Acquisition, StoreError> {
        let mut inside = self.lock();
        if let Some(lease) = inside.lease(authority).filter(|lease| lease.is_live(now)) {
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
        let expired = inside.change(authority, |history, _| history.lease.replace(lease));
        if inside.make_room(self.octets_max, authority, now) {
            return Ok(Acquisition::Granted(granted));
        }
        inside.change(authority, |history, _| history.lease = expired);
        let history = inside.histories.get(authority);
        if history.is_some_and(|it| it.seen().is_empty() && it.lease.is_none()) {
            inside.forget(authority);
        }
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
        let kept = renewed.clone();
        inside.change(&lease.authority, |history, _| history.lease = Some(kept));
        Ok(renewed)
    }

    fn release(&self, lease: &Lease) -> Result<(), StoreError> {
        let mut inside = self.lock();
        if inside.check(lease).is_err() {
            return Ok(());
        }
        inside.change(&lease.authority, |history, _| history.lease = None);
        if (inside.histories.get(&lease.authority)).is_some_and(|it| it.seen().is_empty()) {
            inside.forget(&lease.authority);
        }
        Ok(())
    }

    fn put(&self, observation: &Observation, lease: &Lease) -> Result<SnapshotId, StoreError> {
        let mut inside = self.lock();
        let id = self.push(&mut inside, observation, lease)?;
        inside.change(&lease.authority, |history, _| history.lease = None);
        Ok(id)
    }

    fn append(
        &self,
        observations: &[Observation],
        lease: &Lease,
    ) -> Result<Vec<SnapshotId>, StoreError> {
        let mut inside = self.lock();
        let push = |seen| self.push(&mut inside, seen, lease);
        observations.iter().map(push).collect()
    }

    fn latest(&self, authority: &Authority) -> Result<Option<Standing>, StoreError> {
        let mut inside = self.lock();
        inside.touch(authority);
        let history = inside.histories.get(authority);
        let seen = history.and_then(|history| history.seen().last());
        Ok(seen.map(|seen| seen.standing(&inside.bodies)))
    }

    fn standing_at(
        &self,
        authority: &Authority,
        at: Timestamp,
    ) -> Result<Option<Standing>, StoreError> {
        let mut inside = self.lock();
        inside.touch(authority);
        let standing = inside.histories.get(authority).and_then(|history| {
            let place = history.place_in_force(at)?;
            Some(history.seen().get(place)?.standing(&inside.bodies))
        });
        Ok(standing)
    }

    fn snapshots(
        &self,
        authority: &Authority,
        during: Range<Timestamp>,
        after: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let mut inside = self.lock();
        let snapshots = inside.asked(authority).iter().map(Seen::snapshot);
        let asked = snapshots.filter(|it| it.id > after && during.contains(&it.attempt.at));
        Ok(asked.take(snapshots_max).cloned().collect())
    }

    fn snapshots_before(
        &self,
        authority: &Authority,
        before: SnapshotId,
        snapshots_max: usize,
    ) -> Result<Vec<Snapshot>, StoreError> {
        let mut inside = self.lock();
        let snapshots = inside.asked(authority).iter().rev().map(Seen::snapshot);
        let asked = snapshots.filter(|it| it.id < before);
        Ok(asked.take(snapshots_max).cloned().collect())
    }

    fn body(&self, hash: BodyHash) -> Result<Option<Arc<[u8]>>, StoreError> {
        Ok(self.lock().bodies.octets_of(hash).cloned())
    }

    fn sweep(&self, keep_from: Timestamp, now: Timestamp) -> Result<Swept, StoreError> {
        let mut inside = self.lock();
        let bodies = inside.bodies.count();
        let mut swept = Swept::default();
        let authorities: Vec<Authority> = inside.uses.values().cloned().collect();
        for authority in authorities {
            let Some(history) = inside.histories.get(&authority) else {
                continue;
            };
            let out_of_force = history.place_in_force(keep_from).unwrap_or(0);
            let lease = history.lease.as_ref();
            let has_expired = lease.is_some_and(|lease| !lease.is_live(now));
            swept.snapshots += out_of_force as u64;
            swept.leases += u64::from(has_expired);
            inside.drop_oldest(&authority, out_of_force);
            if has_expired {
                inside.change(&authority, |history, _| history.lease = None);
            }
            let history = inside.histories.get(&authority);
            if history.is_some_and(|it| it.seen().is_empty() && it.lease.is_none()) {
                inside.forget(&authority);
            }
        }
        swept.bodies = (bodies - inside.bodies.count()) as u64;
        Ok(swept)
    }

    fn authorities(
        &self,
        after: Option<&Authority>,
        authorities_max: usize,
    ) -> Result<Vec<Authority>, StoreError> {
        let inside = self.lock();
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let histories = inside.histories.range((start, Bound::Unbounded));
        let seen = histories.filter(|(_, history)| !history.seen().is_empty());
        let names = seen.map(|(authority, _)| authority.clone());
        Ok(names.take(authorities_max).collect())
    }

    fn stat(&self) -> Result<Stat, StoreError> {
        let inside = self.lock();
        let histories = inside.histories.values();
        let mut stat = Stat {
            bodies: inside.bodies.count() as u64,
            body_octets: inside.bodies.body_octets() as u64,
            octets: inside.octets() as u64,
            ..Stat::default()
        };
        let ends = |history: &MemoryHistory| {
            let (first, last) = (history.seen().first()?, history.seen().last()?);
            Some([first, last].map(|seen| (seen.snapshot().id, seen.snapshot().attempt.at)))
        };
        let ends: Vec<_> = histories.clone().filter_map(ends).collect();
        stat.first_ended_at = ends.iter().map(|it| it[0]).min().map(|(_, at)| at);
        stat.last_ended_at = ends.iter().map(|it| it[1]).max().map(|(_, at)| at);
        for history in histories {
            stat.authorities += u64::from(!history.seen().is_empty());
            stat.snapshots += history.seen().len() as u64;
            stat.leases += u64::from(history.lease.is_some());
        }
        Ok(stat)
    }
}
