//! `Visits`: the lists that a question visits, each once.

use alloc::vec::Vec;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct List {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl List {
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// There are usually few, which are stored in an array.
#[derive(Default)]
pub(crate) struct Visits {
    row: [List; ROW],
    in_row: usize,
    /// Further lists. One may occur several times.
    more: Vec<List>,
}

const ROW: usize = 16;

impl Visits {
    #[inline]
    pub(crate) fn note(&mut self, list: List) {
        if self.row[..self.in_row].contains(&list) {
            return;
        }
        if let Some(free) = self.row.get_mut(self.in_row) {
            *free = list;
            self.in_row += 1;
        } else {
            self.more.push(list);
        }
    }

    #[inline]
    pub(crate) fn finish(&mut self) {
        if !self.more.is_empty() {
            self.more.sort_unstable();
            self.more.dedup();
        }
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.in_row == 0
    }

    /// Returns each list once if [`Visits::finish`] was called.
    #[inline]
    pub(crate) fn lists(&self) -> impl Iterator<Item = List> {
        self.row[..self.in_row].iter().chain(&self.more).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_is_visited_once() {
        let list = |start| List {
            start,
            end: start + 1,
        };
        let mut visits = Visits::default();
        assert!(visits.is_empty());
        for start in (0..60).chain((0..60).rev()) {
            visits.note(list(start));
        }
        visits.finish();
        assert!(visits.lists().eq((0..60).map(list)));
    }
}
