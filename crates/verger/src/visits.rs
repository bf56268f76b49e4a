//! `Visits`: the lists that a question visits, each once.

use alloc::vec::Vec;

/// A run of listed rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct List {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Lists to visit: few as a rule, and then kept in a row.
pub(crate) struct Visits {
    /// Where they start, which tells them apart.
    row: [u32; ROW],
    ends: [u32; ROW],
    in_row: usize,
    /// Beyond the row, sorted.
    more: Vec<List>,
}

const ROW: usize = 32;

impl Default for Visits {
    #[inline]
    fn default() -> Self {
        Self {
            row: [u32::MAX; ROW],
            ends: [0; ROW],
            in_row: 0,
            more: Vec::new(),
        }
    }
}

impl Visits {
    /// Notes a list, unless it has been noted.
    #[inline]
    pub(crate) fn note(&mut self, list: List) {
        if self.row[..self.in_row].contains(&list.start) {
            return;
        }
        if let (Some(start), Some(end)) = (
            self.row.get_mut(self.in_row),
            self.ends.get_mut(self.in_row),
        ) {
            *start = list.start;
            *end = list.end;
            self.in_row += 1;
        } else {
            self.note_more(list);
        }
    }

    #[cold]
    fn note_more(&mut self, list: List) {
        if let Err(at) = self.more.binary_search(&list) {
            self.more.insert(at, list);
        }
    }

    /// The lists that were noted.
    #[inline]
    pub(crate) fn lists(&self) -> impl Iterator<Item = List> {
        let in_row = self.row[..self.in_row].iter().zip(&self.ends);
        let in_row = in_row.map(|(&start, &end)| List { start, end });
        in_row.chain(self.more.iter().copied())
    }
}
