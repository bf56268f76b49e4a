//! `MemoryAuthorities`: the authorities of a store in memory, by name and in the order of last use.
//!
//! Entries are elements of one vector, linked by index into a list in the order of last use (LRU), so the order costs
//! eight bytes per authority. Each name is allocated once.

use core::mem::size_of;
use core::ops::Bound;
use std::collections::BTreeMap;
use std::sync::Arc;

use verger::allocated_bytes;

use crate::memory::memory_history::MemoryHistory;

/// Bytes that a name takes in the tree. Measured with names inserted in order, which fills the nodes worst.
const TREE_BYTES: usize = 56;

/// Bytes of the reference counts of an `Arc<str>`.
const COUNTERS_BYTES: usize = 16;

type EntryIndex = u32;

/// The index that refers to no entry.
const NO_ENTRY: EntryIndex = EntryIndex::MAX;

struct Entry {
    name: Arc<str>,
    used_before: EntryIndex,
    used_after: EntryIndex,
    history: MemoryHistory,
}

pub(crate) struct MemoryAuthorities {
    indices: BTreeMap<Arc<str>, EntryIndex>,
    entries: Vec<Entry>,
    oldest: EntryIndex,
    newest: EntryIndex,
}

impl Default for MemoryAuthorities {
    fn default() -> Self {
        Self {
            indices: BTreeMap::new(),
            entries: Vec::new(),
            oldest: NO_ENTRY,
            newest: NO_ENTRY,
        }
    }
}

impl MemoryAuthorities {
    /// Bytes that an authority takes without the heap of its history.
    pub(crate) fn cost(name: &str) -> usize {
        size_of::<Entry>() + TREE_BYTES + allocated_bytes(COUNTERS_BYTES + name.len())
    }

    pub(crate) fn history(&self, name: &str) -> Option<&MemoryHistory> {
        let index = self.indices.get(name)?;
        Some(&self.entry(*index)?.history)
    }

    pub(crate) fn touch(&mut self, name: &str) -> Option<&mut MemoryHistory> {
        let index = *self.indices.get(name)?;
        self.unlink(index);
        self.link_newest(index);
        Some(&mut self.entry_mut(index)?.history)
    }

    /// Adds an authority with an empty history, as the most recently used one. Returns `false` if it exists already.
    pub(crate) fn add(&mut self, name: &str) -> bool {
        if self.indices.contains_key(name) {
            return false;
        }
        // Memory ends before the index does.
        let index = EntryIndex::try_from(self.entries.len()).unwrap_or(NO_ENTRY);
        let name: Arc<str> = name.into();
        self.indices.insert(Arc::clone(&name), index);
        self.entries.push(Entry {
            name,
            used_before: NO_ENTRY,
            used_after: NO_ENTRY,
            history: MemoryHistory::default(),
        });
        self.link_newest(index);
        true
    }

    pub(crate) fn remove(&mut self, name: &str) -> Option<MemoryHistory> {
        let index = self.indices.remove(name)?;
        self.unlink(index);
        let removed = self.entries.swap_remove(index as usize);
        self.moved_to(index);
        if self.entries.len() < self.entries.capacity() / 4 {
            self.entries.shrink_to(self.entries.len() * 2);
        }
        Some(removed.history)
    }

    /// Corrects all references to the entry that was moved to `index`.
    fn moved_to(&mut self, index: EntryIndex) {
        let Some(moved) = self.entry(index) else {
            return;
        };
        let (name, before, after) = (Arc::clone(&moved.name), moved.used_before, moved.used_after);
        if let Some(known) = self.indices.get_mut(&name) {
            *known = index;
        }
        self.set_after(before, index);
        self.set_before(after, index);
    }

    /// Returns names and histories, least recently used first.
    pub(crate) fn by_use(&self) -> impl Iterator<Item = (&Arc<str>, &MemoryHistory)> {
        let first = self.entry(self.oldest);
        let entries = core::iter::successors(first, |entry| self.entry(entry.used_after));
        entries.map(|entry| (&entry.name, &entry.history))
    }

    /// Returns names and histories after `after`, ordered by name.
    pub(crate) fn by_name(
        &self,
        after: Option<&str>,
    ) -> impl Iterator<Item = (&str, &MemoryHistory)> {
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let indices = self.indices.range::<str, _>((start, Bound::Unbounded));
        indices.filter_map(|(name, index)| Some((&**name, &self.entry(*index)?.history)))
    }

    pub(crate) fn histories(&self) -> impl Iterator<Item = &MemoryHistory> {
        self.entries.iter().map(|entry| &entry.history)
    }

    fn entry(&self, index: EntryIndex) -> Option<&Entry> {
        self.entries.get(index as usize)
    }

    fn entry_mut(&mut self, index: EntryIndex) -> Option<&mut Entry> {
        self.entries.get_mut(index as usize)
    }

    fn unlink(&mut self, index: EntryIndex) {
        let Some(entry) = self.entry(index) else {
            return;
        };
        let (before, after) = (entry.used_before, entry.used_after);
        self.set_after(before, after);
        self.set_before(after, before);
    }

    fn link_newest(&mut self, index: EntryIndex) {
        let before = self.newest;
        if let Some(entry) = self.entry_mut(index) {
            (entry.used_before, entry.used_after) = (before, NO_ENTRY);
        }
        self.set_after(before, index);
        self.newest = index;
    }

    /// Sets the successor of the entry at `index`. The successor of [`NO_ENTRY`] is the oldest entry.
    fn set_after(&mut self, index: EntryIndex, after: EntryIndex) {
        match self.entry_mut(index) {
            Some(entry) => entry.used_after = after,
            None => self.oldest = after,
        }
    }

    /// Sets the predecessor of the entry at `index`. The predecessor of [`NO_ENTRY`] is the newest entry.
    fn set_before(&mut self, index: EntryIndex, before: EntryIndex) {
        match self.entry_mut(index) {
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
    fn a_use_moves_an_entry_to_the_end_and_a_removal_keeps_the_order() {
        let mut authorities = MemoryAuthorities::default();
        for name in ["c", "a", "d", "b"] {
            assert!(authorities.add(name));
            assert!(!authorities.add(name));
        }
        assert_eq!(by_use(&authorities), ["c", "a", "d", "b"]);
        assert!(authorities.touch("a").is_some());
        assert!(authorities.touch("a").is_some());
        assert!(authorities.touch("e").is_none());
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
    fn removals_free_the_memory_of_the_entries() {
        let mut authorities = MemoryAuthorities::default();
        for name in 0..1000 {
            authorities.add(&name.to_string());
        }
        for name in 0..1000 {
            authorities.remove(&name.to_string());
            let (entries, capacity) = (&authorities.entries, authorities.entries.capacity());
            assert!(capacity / 4 <= entries.len(), "{capacity}");
        }
    }

    #[test]
    fn an_authority_costs_its_entry_its_place_in_the_tree_and_its_name() {
        for name in ["", "https://h.example", &"a".repeat(300)] {
            let least = size_of::<Entry>() + TREE_BYTES + COUNTERS_BYTES + name.len();
            let cost = MemoryAuthorities::cost(name);
            assert!((least..least + 32).contains(&cost), "{cost}");
        }
    }

    #[test]
    fn many_uses_and_removals_agree_with_a_list() {
        let mut authorities = MemoryAuthorities::default();
        let mut list: Vec<String> = Vec::new();
        let mut random: u32 = 1;
        for _ in 0..5000 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let name = (random >> 16 & 63).to_string();
            let at = list.iter().position(|it| *it == name);
            match random >> 28 & 3 {
                0 => {
                    assert_eq!(authorities.remove(&name).is_some(), at.is_some());
                    at.map(|at| list.remove(at));
                }
                1 => {
                    assert_eq!(authorities.touch(&name).is_some(), at.is_some());
                    if let Some(at) = at {
                        let name = list.remove(at);
                        list.push(name);
                    }
                }
                _ => {
                    assert_eq!(authorities.add(&name), at.is_none());
                    if at.is_none() {
                        list.push(name);
                    }
                }
            }
            assert_eq!(by_use(&authorities), list);
        }
        list.sort();
        let names = authorities.by_name(None).map(|(name, _)| name.to_owned());
        assert_eq!(names.collect::<Vec<_>>(), list);
    }
}
