//! `SortedEntries`: fixed-size entries, sorted on disk. The key of every 64th entry is in memory.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::ops::Range;

use super::scratch::{Scratch, ScratchWriter};

/// Keys with the same prefix are stored together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EntryKey {
    pub(super) start: [u8; 16],
    pub(super) hash: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) key: EntryKey,
    /// Microseconds since 1970. Arbitrary for entries without a time.
    pub(super) time: u64,
    pub(super) place: u64,
}

/// Size on disk, in bytes.
const ENTRY_BYTES: usize = 40;

/// Number of entries read at once. The first key of each such block is in memory.
const BLOCK_ENTRIES: usize = 64;

/// Number of entries sorted in memory at once, 40 MiB.
pub(super) const RUN_ENTRIES: usize = 1 << 20;

/// Number of bytes of each run that a merge keeps in memory.
const MERGE_BYTES: usize = ENTRY_BYTES << 9;

impl Entry {
    fn bytes(&self) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        bytes[..16].copy_from_slice(&self.key.start);
        let numbers = [self.key.hash, self.time, self.place];
        for (bytes, number) in bytes[16..].chunks_exact_mut(8).zip(numbers) {
            bytes.copy_from_slice(&number.to_be_bytes());
        }
        bytes
    }

    fn of_bytes(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let (start, numbers) = bytes.split_at(16);
        let mut numbers = numbers.chunks_exact(8).map(|bytes| {
            let bytes: [u8; 8] = bytes.try_into().unwrap_or_default();
            u64::from_be_bytes(bytes)
        });
        let mut next = || numbers.next().unwrap_or_default();
        Self {
            key: EntryKey {
                start: start.try_into().unwrap_or_default(),
                hash: next(),
            },
            time: next(),
            place: next(),
        }
    }
}

#[derive(Debug)]
pub(super) struct EntrySorter {
    run_entries: usize,
    run: Vec<Entry>,
    file: Option<ScratchWriter>,
    runs: Vec<Range<u64>>,
}

impl EntrySorter {
    pub(super) fn new(run_entries: usize) -> Self {
        Self {
            run_entries: run_entries.max(1),
            run: Vec::new(),
            file: None,
            runs: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, entry: Entry) -> io::Result<()> {
        if self.run.len() == self.run_entries {
            self.write_run()?;
        }
        self.run.push(entry);
        Ok(())
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.run.sort_unstable();
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(ScratchWriter::new()?),
        };
        let start = file.bytes();
        for entry in self.run.drain(..) {
            file.write(&entry.bytes())?;
        }
        self.runs.push(start..file.bytes());
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<SortedEntries> {
        let mut merged = SortedWriter {
            file: ScratchWriter::new()?,
            fence: Vec::new(),
            entries: 0,
        };
        if self.file.is_none() {
            self.run.sort_unstable();
            for entry in self.run {
                merged.push(&entry)?;
            }
            return merged.finish();
        }
        self.write_run()?;
        self.run = Vec::new();
        let Some(file) = self.file.take() else {
            return merged.finish();
        };
        let file = file.finish()?;
        let runs = self.runs.into_iter();
        let mut runs: Vec<Run> = runs.map(Run::of).collect();
        let mut heads = BinaryHeap::new();
        for (nth, run) in runs.iter_mut().enumerate() {
            heads.extend(run.next(&file)?.map(|entry| Reverse((entry, nth))));
        }
        while let Some(Reverse((entry, nth))) = heads.pop() {
            merged.push(&entry)?;
            if let Some(run) = runs.get_mut(nth) {
                heads.extend(run.next(&file)?.map(|entry| Reverse((entry, nth))));
            }
        }
        merged.finish()
    }
}

struct Run {
    rest: Range<u64>,
    bytes: Vec<u8>,
    at: usize,
}

impl Run {
    fn of(rest: Range<u64>) -> Self {
        Self {
            rest,
            bytes: Vec::new(),
            at: 0,
        }
    }

    fn next(&mut self, file: &Scratch) -> io::Result<Option<Entry>> {
        if self.at == self.bytes.len() {
            let there = usize::try_from(self.rest.end - self.rest.start).unwrap_or(usize::MAX);
            self.bytes.resize(MERGE_BYTES.min(there), 0);
            let read = file.read_at(self.rest.start, &mut self.bytes)?;
            self.rest.start += read as u64;
            self.at = 0;
        }
        let bytes = self.bytes.get(self.at..);
        let bytes = bytes.and_then(<[u8]>::first_chunk::<ENTRY_BYTES>);
        self.at += bytes.map_or(0, |bytes| bytes.len());
        Ok(bytes.map(Entry::of_bytes))
    }
}

struct SortedWriter {
    file: ScratchWriter,
    fence: Vec<EntryKey>,
    entries: u64,
}

impl SortedWriter {
    fn push(&mut self, entry: &Entry) -> io::Result<()> {
        if self.entries.is_multiple_of(BLOCK_ENTRIES as u64) {
            self.fence.push(entry.key);
        }
        self.entries += 1;
        self.file.write(&entry.bytes())
    }

    fn finish(self) -> io::Result<SortedEntries> {
        Ok(SortedEntries {
            file: self.file.finish()?,
            fence: self.fence,
            entries: self.entries,
        })
    }
}

/// Threads share them.
#[derive(Debug)]
pub(super) struct SortedEntries {
    file: Scratch,
    fence: Vec<EntryKey>,
    entries: u64,
}

#[derive(Debug, Default)]
pub(super) struct ReadBlock {
    number: Option<usize>,
    bytes: Vec<u8>,
}

impl ReadBlock {
    /// Returns the disk form, because only a few entries are examined.
    fn entries(&self) -> &[[u8; ENTRY_BYTES]] {
        self.bytes.as_chunks().0
    }
}

impl SortedEntries {
    pub(super) fn len(&self) -> u64 {
        self.entries
    }

    /// Requires a number below [`SortedEntries::len`].
    pub(super) fn entry(&self, nth: u64, block: &mut ReadBlock) -> io::Result<Entry> {
        let number = usize::try_from(nth / BLOCK_ENTRIES as u64).unwrap_or(usize::MAX);
        self.read_block(number, block)?;
        let within = usize::try_from(nth % BLOCK_ENTRIES as u64).unwrap_or(0);
        let entry = block.entries().get(within).map(Entry::of_bytes);
        entry.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))
    }

    pub(super) fn with_key(&self, key: &EntryKey, block: &mut ReadBlock) -> io::Result<Range<u64>> {
        let start = self.first_where(|entry| entry >= key, block)?;
        let end = self.first_where(|entry| entry > key, block)?;
        Ok(start..end)
    }

    /// Requires that all keys after the first that satisfies `is` do so.
    fn first_where(
        &self,
        is: impl Fn(&EntryKey) -> bool,
        block: &mut ReadBlock,
    ) -> io::Result<u64> {
        let after = self.fence.partition_point(|key| !is(key));
        let Some(number) = after.checked_sub(1) else {
            return Ok(0);
        };
        self.read_block(number, block)?;
        let entries = block.entries();
        let within = entries.partition_point(|entry| !is(&Entry::of_bytes(entry).key));
        Ok((number * BLOCK_ENTRIES + within) as u64)
    }

    /// Returns the number after the last entry of a key no later than `time`.
    pub(super) fn until(
        &self,
        of_key: Range<u64>,
        time: u64,
        block: &mut ReadBlock,
    ) -> io::Result<u64> {
        let Range { mut start, mut end } = of_key;
        while start < end {
            let middle = start + (end - start) / 2;
            if self.entry(middle, block)?.time <= time {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        Ok(start)
    }

    fn read_block(&self, number: usize, block: &mut ReadBlock) -> io::Result<()> {
        if block.number == Some(number) {
            return Ok(());
        }
        // If reading fails, no block is loaded.
        block.number = None;
        let bytes = BLOCK_ENTRIES * ENTRY_BYTES;
        block.bytes.resize(bytes, 0);
        let place = (number * bytes) as u64;
        let read = self.file.read_at(place, &mut block.bytes)?;
        block.bytes.truncate(read);
        block.number = Some(number);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u64) -> Entry {
        // A third of the keys have several times.
        let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % 300;
        let mut start = [0; 16];
        start[0] = u8::try_from(mixed / 100).unwrap();
        Entry {
            key: EntryKey { start, hash: mixed },
            time: number % 7,
            place: number,
        }
    }

    fn sorted(entries: u64, run_entries: usize) -> (SortedEntries, Vec<Entry>) {
        let mut sorter = EntrySorter::new(run_entries);
        let mut expected = Vec::new();
        for number in 0..entries {
            sorter.push(entry(number)).unwrap();
            assert!(sorter.run.capacity() <= run_entries.next_power_of_two().max(4));
            expected.push(entry(number));
        }
        expected.sort_unstable();
        (sorter.finish().unwrap(), expected)
    }

    #[test]
    fn runs_are_merged_into_the_order_of_all_and_one_of_64_is_in_memory() {
        for (entries, run_entries) in [
            (0, 8),
            (1, 8),
            (64, 64),
            (1000, 7),
            (1000, 1000),
            (1000, 5000),
        ] {
            let (sorted, expected) = sorted(entries, run_entries);
            assert_eq!(sorted.len(), entries);
            assert_eq!(sorted.fence.len() as u64, entries.div_ceil(64));
            let mut block = ReadBlock::default();
            let all = (0..entries).map(|nth| sorted.entry(nth, &mut block).unwrap());
            assert_eq!(all.collect::<Vec<_>>(), expected);
            assert!(sorted.entry(entries, &mut block).is_err());
        }
    }

    #[test]
    fn keys_and_times_are_found_where_a_linear_search_finds_them() {
        let (sorted, expected) = sorted(1000, 100);
        let mut block = ReadBlock::default();
        for hash in 0..301 {
            for first in 0..4 {
                let mut key = EntryKey {
                    start: [0; 16],
                    hash,
                };
                key.start[0] = first;
                let count =
                    |is: &dyn Fn(&&Entry) -> bool| expected.iter().filter(is).count() as u64;
                let start = count(&|it| it.key < key);
                let end = count(&|it| it.key <= key);
                let found = sorted.with_key(&key, &mut block).unwrap();
                assert_eq!(found, start..end);
                for time in 0..8 {
                    let until = sorted.until(found.clone(), time, &mut block).unwrap();
                    let not_later = count(&|it| it.key == key && it.time <= time);
                    assert_eq!(until, start + not_later);
                }
            }
        }
    }
}
