//! `MemoryAuthorities`: the authorities of a store in memory, by name and by use.
//!
//! A name is kept once. Entries lie side by side in one list, where each says which was used before
//! it and which after it; so the order of use costs eight octets an authority.

use core::mem::size_of;
use core::ops::Bound;
use std::collections::BTreeMap;
use std::sync::Arc;

use verger::allocated_octets;

use crate::memory::memory_history::MemoryHistory;

/// What a name takes in the tree, as measured with names in order, which fill its nodes worst.
const TREE_OCTETS: usize = 56;

/// The counters before the octets of a shared text.
const COUNTERS_OCTETS: usize = 16;

/// Where an entry lies in the list.
type Place = u32;

/// The place of no entry.
const NOWHERE: Place = Place::MAX;

struct Entry {
    name: Arc<str>,
    used_before: Place,
    used_after: Place,
    history: MemoryHistory,
}

/// Authorities by name, and by when they were last asked for.
pub(crate) struct MemoryAuthorities {
    places: BTreeMap<Arc<str>, Place>,
    entries: Vec<Entry>,
    oldest: Place,
    newest: Place,
}

impl Default for MemoryAuthorities {
    fn default() -> Self {
        Self {
            places: BTreeMap::new(),
            entries: Vec::new(),
            oldest: NOWHERE,
            newest: NOWHERE,
        }
    }
}

impl MemoryAuthorities {
    /// What an authority takes whose history takes nothing but itself.
    pub(crate) fn cost(name: &str) -> usize {
        size_of::<Entry>() + TREE_OCTETS + allocated_octets(COUNTERS_OCTETS + name.len())
    }

    pub(crate) fn history(&self, name: &str) -> Option<&MemoryHistory> {
        let place = self.places.get(name)?;
        Some(&self.entry(*place)?.history)
    }

    /// The history of an authority, which is the most recently used one now.
    pub(crate) fn touched(&mut self, name: &str) -> Option<&mut MemoryHistory> {
        let place = *self.places.get(name)?;
        self.unlink(place);
        self.link_newest(place);
        Some(&mut self.entry_mut(place)?.history)
    }

    /// Makes an empty history, the most recently used one, unless there is one; says whether it did.
    pub(crate) fn add(&mut self, name: &str) -> bool {
        if self.places.contains_key(name) {
            return false;
        }
        // Memory ends long before the numbers do.
        let place = Place::try_from(self.entries.len()).unwrap_or(NOWHERE);
        let name: Arc<str> = name.into();
        self.places.insert(Arc::clone(&name), place);
        self.entries.push(Entry {
            name,
            used_before: NOWHERE,
            used_after: NOWHERE,
            history: MemoryHistory::default(),
        });
        self.link_newest(place);
        true
    }

    pub(crate) fn remove(&mut self, name: &str) -> Option<MemoryHistory> {
        let place = self.places.remove(name)?;
        self.unlink(place);
        let removed = self.entries.swap_remove(place as usize);
        self.moved_to(place);
        if self.entries.len() < self.entries.capacity() / 4 {
            self.entries.shrink_to(self.entries.len() * 2);
        }
        Some(removed.history)
    }

    /// Has everything that named the last entry name `place`, where it lies now.
    fn moved_to(&mut self, place: Place) {
        let Some(moved) = self.entry(place) else {
            return;
        };
        let (name, before, after) = (Arc::clone(&moved.name), moved.used_before, moved.used_after);
        if let Some(known) = self.places.get_mut(&name) {
            *known = place;
        }
        self.set_after(before, place);
        self.set_before(after, place);
    }

    /// Names and histories, the least recently used one first.
    pub(crate) fn by_use(&self) -> impl Iterator<Item = (&Arc<str>, &MemoryHistory)> {
        let first = self.entry(self.oldest);
        let entries = core::iter::successors(first, |entry| self.entry(entry.used_after));
        entries.map(|entry| (&entry.name, &entry.history))
    }

    /// Names and histories behind `after`, in the order of the names.
    pub(crate) fn by_name(
        &self,
        after: Option<&str>,
    ) -> impl Iterator<Item = (&str, &MemoryHistory)> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let places = self.places.range::<str, _>((start, Bound::Unbounded));
        places.filter_map(|(name, place)| Some((&**name, &self.entry(*place)?.history)))
    }

    pub(crate) fn histories(&self) -> impl Iterator<Item = &MemoryHistory> {
        self.entries.iter().map(|entry| &entry.history)
    }

    fn entry(&self, place: Place) -> Option<&Entry> {
        self.entries.get(place as usize)
    }

    fn entry_mut(&mut self, place: Place) -> Option<&mut Entry> {
        self.entries.get_mut(place as usize)
    }

    /// Takes an entry out of the order of use.
    fn unlink(&mut self, place: Place) {
        let Some(entry) = self.entry(place) else {
            return;
        };
        let (before, after) = (entry.used_before, entry.used_after);
        self.set_after(before, after);
        self.set_before(after, before);
    }

    fn link_newest(&mut self, place: Place) {
        let before = self.newest;
        if let Some(entry) = self.entry_mut(place) {
            (entry.used_before, entry.used_after) = (before, NOWHERE);
        }
        self.set_after(before, place);
        self.newest = place;
    }

    /// Says what was used after the entry at `place`; nowhere means before all.
    fn set_after(&mut self, place: Place, after: Place) {
        match self.entry_mut(place) {
            Some(entry) => entry.used_after = after,
            None => self.oldest = after,
        }
    }

    /// Says what was used before the entry at `place`; nowhere means after all.
    fn set_before(&mut self, place: Place, before: Place) {
        match self.entry_mut(place) {
            Some(entry) => entry.used_before = before,
            None => self.newest = before,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_use(authorities: &MemoryAuthorities) -> Vec<String> {
        let names = authorities.by_use().map(|(name, _)| name.to_string());
        names.collect()
    }

    #[test]
    fn uses_reorder_and_removals_leave_the_rest_in_order() {
        let mut authorities = MemoryAuthorities::default();
        for name in ["c", "a", "d", "b"] {
            assert!(authorities.add(name));
            assert!(!authorities.add(name));
        }
        assert_eq!(by_use(&authorities), ["c", "a", "d", "b"]);
        assert!(authorities.touched("a").is_some());
        assert!(authorities.touched("a").is_some());
        assert!(authorities.touched("e").is_none());
        assert_eq!(by_use(&authorities), ["c", "d", "b", "a"]);
        assert!(authorities.remove("c").is_some());
        assert!(authorities.remove("c").is_none());
        assert_eq!(by_use(&authorities), ["d", "b", "a"]);
        let names = |after| {
            let named = authorities.by_name(after).map(|(name, _)| name.to_owned());
            named.collect::<Vec<_>>()
        };
        assert_eq!(names(None), ["a", "b", "d"]);
        assert_eq!(names(Some("a")), ["b", "d"]);
        assert_eq!(names(Some("c")), ["d"]);
        for name in ["b", "a", "d"] {
            assert!(authorities.remove(name).is_some());
        }
        assert!(by_use(&authorities).is_empty());
        assert!(authorities.add("x"));
        assert_eq!(by_use(&authorities), ["x"]);
    }

    #[test]
    fn many_uses_and_removals_agree_with_a_plain_list() {
        let mut authorities = MemoryAuthorities::default();
        let mut plain: Vec<String> = Vec::new();
        let mut chance: u32 = 1;
        for _ in 0..5000 {
            chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let name = (chance >> 16 & 63).to_string();
            let at = plain.iter().position(|it| *it == name);
            match chance >> 28 & 3 {
                0 => {
                    assert_eq!(authorities.remove(&name).is_some(), at.is_some());
                    at.map(|at| plain.remove(at));
                }
                1 => {
                    assert_eq!(authorities.touched(&name).is_some(), at.is_some());
                    if let Some(at) = at {
                        let name = plain.remove(at);
                        plain.push(name);
                    }
                }
                _ => {
                    assert_eq!(authorities.add(&name), at.is_none());
                    if at.is_none() {
                        plain.push(name);
                    }
                }
            }
            assert_eq!(by_use(&authorities), plain);
        }
        plain.sort();
        let names = authorities.by_name(None).map(|(name, _)| name.to_owned());
        assert_eq!(names.collect::<Vec<_>>(), plain);
    }
}
