use std::array;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::ops::Range;
use std::path::Path;

use verger_access::Timestamp;
use verger_store::BodyHash;

use super::capture::Capture;
use super::capture_table::{CaptureTable, CaptureTableError, CaptureTableRow};
use super::scratch::{Scratch, ScratchWriter};
use super::sorted_entries::{Entry, EntryKey, EntrySorter, RUN_ENTRIES, ReadBlock, SortedEntries};

/// Number of bytes read at once. Enough for most captures with their body.
const READ_BYTES: usize = 4 << 10;

/// The length before a record, in bytes.
const LENGTH_BYTES: usize = 4;

/// Builds an index of captures.
#[derive(Debug)]
pub struct CaptureIndexBuilder {
    scratch: ScratchWriter,
    by_authority: EntrySorter,
    by_body: EntrySorter,
    hasher: RandomState,
    bytes: Vec<u8>,
    indexed: IndexedCaptures,
}

/// Number of captures read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexedCaptures {
    /// Captures in the index.
    pub captures: u64,
    /// Bodies among them.
    pub bodies: u64,
    /// Captures without an outcome, because a redirect leads to a URL that was not captured. Only
    /// profiles that do not follow it may have one.
    pub without_target: u64,
    /// Rows that cannot be used, because they have no authority, no time, or neither an outcome for
    /// any profile nor a redirect.
    pub unusable: u64,
}

impl CaptureIndexBuilder {
    /// Creates an empty index.
    ///
    /// # Errors
    ///
    /// Returns an error if no temporary file can be created.
    pub fn new() -> io::Result<Self> {
        Self::with_run_entries(RUN_ENTRIES)
    }

    /// Creates an empty index that sorts this many entries in memory at once.
    ///
    /// # Errors
    ///
    /// Returns an error if no temporary file can be created.
    pub fn with_run_entries(run_entries: usize) -> io::Result<Self> {
        Ok(Self {
            scratch: ScratchWriter::new()?,
            by_authority: EntrySorter::new(run_entries)?,
            by_body: EntrySorter::new(run_entries)?,
            hasher: RandomState::new(),
            bytes: Vec::new(),
            indexed: IndexedCaptures::default(),
        })
    }

    /// Returns the number of captures read so far.
    #[must_use]
    pub fn indexed(&self) -> IndexedCaptures {
        self.indexed
    }

    /// Adds the captures of a Parquet file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read or lacks the columns of captures.
    pub fn add_file(&mut self, path: &Path) -> Result<(), CaptureTableError> {
        let mut reader = CaptureTable::open(path)?;
        let mut added = Ok(());
        reader.each(|row| match row {
            CaptureTableRow::Capture(capture, body) => {
                added = self.add(&capture, body);
                added.is_ok()
            }
            CaptureTableRow::Unusable(_) => {
                self.indexed.unusable += 1;
                true
            }
        })?;
        added.map_err(|error| CaptureTableError::scratch(path, &error))
    }

    /// Adds a capture, and its body unless another capture contains it.
    ///
    /// # Errors
    ///
    /// Returns an error if the temporary file cannot be written.
    pub fn add(&mut self, capture: &Capture, body: Option<&[u8]>) -> io::Result<()> {
        let Some(key) = authority_key(&capture.authority, &self.hasher) else {
            self.indexed.unusable += 1;
            return Ok(());
        };
        let body = capture.body.as_ref().zip(body);
        let place = self.write(|bytes| {
            bytes.push(u8::from(body.is_some()));
            capture.write(bytes);
        })?;
        // Times before 1970 become 1970.
        let time = u64::try_from(capture.time_micros).unwrap_or(0);
        self.by_authority.push(Entry::new(key, time, place))?;
        self.indexed.captures += 1;
        self.indexed.without_target += u64::from(capture.outcome.is_none());
        if let Some((hash, body)) = body {
            let place = self.write(|bytes| bytes.extend_from_slice(body))?;
            self.by_body.push(Entry::new(body_key(hash), 0, place))?;
            self.indexed.bodies += 1;
        }
        Ok(())
    }

    fn write(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> io::Result<u64> {
        self.bytes.clear();
        self.bytes.extend_from_slice(&[0; LENGTH_BYTES]);
        write(&mut self.bytes);
        let length = self.bytes.len() - LENGTH_BYTES;
        let length = u32::try_from(length).map_err(io::Error::other)?;
        self.bytes[..LENGTH_BYTES].copy_from_slice(&length.to_be_bytes());
        let place = self.scratch.bytes();
        self.scratch.write(&self.bytes)?;
        Ok(place)
    }

    /// Finishes the index.
    ///
    /// # Errors
    ///
    /// Returns an error if temporary files cannot be written.
    pub fn finish(self) -> io::Result<CaptureIndex> {
        Ok(CaptureIndex {
            scratch: self.scratch.finish()?,
            by_authority: self.by_authority.finish()?,
            by_body: self.by_body.finish()?,
            hasher: self.hasher,
            #[cfg(test)]
            reads: std::sync::atomic::AtomicU64::default(),
        })
    }
}

/// Captures by authority and time, bodies by SHA-256. Everything is on disk except 24 bytes for
/// every 64 captures. Threads share the index.
///
/// Authorities with the same prefix are stored together, so queries in authority order read the
/// index sequentially.
#[derive(Debug)]
pub struct CaptureIndex {
    scratch: Scratch,
    by_authority: SortedEntries,
    by_body: SortedEntries,
    hasher: RandomState,
    #[cfg(test)]
    pub(crate) reads: std::sync::atomic::AtomicU64,
}

/// The position of an authority's captures, oldest first.
#[derive(Debug)]
pub(crate) struct CapturesOf {
    authority: String,
    entries: Range<u64>,
    block: ReadBlock,
}

#[derive(Debug)]
pub(crate) struct FoundCapture {
    pub(crate) capture: Capture,
    /// The position of its own body, and the bytes already read from there.
    body: Option<(u64, Vec<u8>)>,
}

impl CaptureIndex {
    /// Returns the number of captures.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.by_authority.len()
    }

    /// Returns whether the index is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn captures_of(&self, authority: &str) -> io::Result<CapturesOf> {
        let mut block = ReadBlock::default();
        let entries = match authority_key(authority, &self.hasher) {
            Some(key) => self.by_authority.with_key(&key, &mut block)?,
            None => 0..0,
        };
        Ok(CapturesOf {
            authority: authority.to_owned(),
            entries,
            block,
        })
    }

    /// Returns the numbers of captures made at or before `at`.
    pub(crate) fn until(
        &self,
        of: &mut CapturesOf,
        at: Option<Timestamp>,
    ) -> io::Result<Range<u64>> {
        let all = of.entries.clone();
        let Some(at) = at else { return Ok(all) };
        let end = self
            .by_authority
            .until(all.clone(), end_of_second(at), &mut of.block)?;
        Ok(all.start..end)
    }

    /// Returns `None` after the last capture.
    pub(crate) fn time(&self, of: &mut CapturesOf, nth: u64) -> io::Result<Option<Timestamp>> {
        if !of.entries.contains(&nth) {
            return Ok(None);
        }
        let entry = self.by_authority.entry(nth, &mut of.block)?;
        Ok(Some(Timestamp::from_unix_seconds(entry.time() / 1_000_000)))
    }

    /// Returns `None` if the capture belongs to another authority with the same key.
    pub(crate) fn capture(
        &self,
        of: &mut CapturesOf,
        nth: u64,
    ) -> io::Result<Option<FoundCapture>> {
        #[cfg(test)]
        self.reads
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let entry = self.by_authority.entry(nth, &mut of.block)?;
        let (record, after) = self.record(entry.place(), Vec::new())?;
        let Some((&brings_body, written)) = record.split_first() else {
            return Ok(None);
        };
        let capture = Capture::read(written);
        let capture = capture.filter(|capture| capture.authority == of.authority);
        let body_place = entry.place() + (LENGTH_BYTES + record.len()) as u64;
        Ok(capture.map(|capture| FoundCapture {
            capture,
            body: (brings_body != 0).then_some((body_place, after)),
        }))
    }

    /// Returns `None` if no capture contains the body.
    pub(crate) fn body_of(&self, found: &FoundCapture) -> io::Result<Option<Vec<u8>>> {
        match (&found.body, &found.capture.body) {
            (Some((place, read)), _) => Ok(Some(self.record(*place, read.clone())?.0)),
            (None, Some(hash)) => self.body(hash),
            (None, None) => Ok(None),
        }
    }

    /// Returns the body with this hash, or `None` if no capture contains it.
    ///
    /// # Errors
    ///
    /// Returns an error if the temporary file cannot be read.
    pub fn body(&self, hash: &BodyHash) -> io::Result<Option<Vec<u8>>> {
        let mut block = ReadBlock::default();
        let found = self.by_body.with_key(&body_key(hash), &mut block)?;
        if found.is_empty() {
            return Ok(None);
        }
        let entry = self.by_body.entry(found.start, &mut block)?;
        Ok(Some(self.record(entry.place(), Vec::new())?.0))
    }

    /// Uses bytes already in `read`, and returns those read after the record.
    fn record(&self, place: u64, mut read: Vec<u8>) -> io::Result<(Vec<u8>, Vec<u8>)> {
        if read.len() < LENGTH_BYTES {
            read.resize(READ_BYTES, 0);
            let bytes = self.scratch.read_at(place, &mut read)?;
            read.truncate(bytes);
        }
        let length = read.first_chunk::<LENGTH_BYTES>();
        let length = length.ok_or(io::ErrorKind::UnexpectedEof)?;
        let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let end = length.saturating_add(LENGTH_BYTES);
        let mut after = Vec::new();
        let there = read.len();
        if end <= there {
            after = read.split_off(end);
        } else {
            read.resize(end, 0);
            let rest = &mut read[there..];
            if self.scratch.read_at(place + there as u64, rest)? < end - there {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        read.drain(..LENGTH_BYTES);
        Ok((read, after))
    }
}

/// Returns the last microsecond of a second.
fn end_of_second(at: Timestamp) -> u64 {
    at.unix_seconds()
        .saturating_mul(1_000_000)
        .saturating_add(999_999)
}

/// Combines a prefix, which keeps sorted queries in index order, with a hash.
fn authority_key(authority: &str, hasher: &RandomState) -> Option<EntryKey> {
    let (scheme, host) = authority.split_once("://")?;
    let mut prefix = [0; 16];
    prefix[0] = match scheme {
        "ftp" => 0,
        "http" => 1,
        _ => 2,
    };
    for (byte, of_host) in prefix[1..].iter_mut().zip(host.bytes()) {
        *byte = of_host;
    }
    let [start, more] = u64s(&prefix);
    Some([start, more, hasher.hash_one(authority)])
}

fn body_key(hash: &BodyHash) -> EntryKey {
    u64s(hash.bytes())
}

/// Reads big-endian numbers, which compare as their bytes do.
fn u64s<const N: usize>(bytes: &[u8]) -> [u64; N] {
    let numbers = bytes.as_chunks().0;
    array::from_fn(|nth| u64::from_be_bytes(numbers[nth]))
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger_access::{Outcome, RedirectEnd, Reply};

    fn capture(bytes: usize) -> (Capture, Vec<u8>) {
        let body: Vec<u8> = (bytes..2 * bytes).map(|nth| nth.to_le_bytes()[0]).collect();
        let ends = [
            None,
            Some(Outcome::Successful(Reply::Http(200))),
            Some(Outcome::Redirect(RedirectEnd::TooMany)),
            Some(Outcome::Redirect(RedirectEnd::OtherHost)),
        ];
        let capture = Capture {
            authority: format!("https://host-{bytes}.example"),
            time_micros: 1_700_000_000_000_000,
            outcome: Some(Outcome::Successful(Reply::Http(200))),
            outcomes: std::array::from_fn(|profile| ends[profile % ends.len()]),
            final_url: None,
            body: Some(BodyHash::new(&body)),
            file: "a.warc.gz".to_owned(),
            offset: 7,
        };
        (capture, body)
    }

    fn body_in(index: &CaptureIndex, of: &Capture) -> Option<Vec<u8>> {
        let mut captures = index.captures_of(&of.authority).unwrap();
        let all = index.until(&mut captures, None).unwrap();
        assert_eq!(all.end - all.start, 1);
        let found = index.capture(&mut captures, all.start).unwrap();
        let found = found.unwrap();
        assert_eq!(found.capture, *of);
        index.body_of(&found).unwrap()
    }

    /// A capture and its body are read at once if both fit into one read.
    #[test]
    fn a_body_is_found_wherever_it_ends_and_whichever_capture_brings_it() {
        let mut index = CaptureIndexBuilder::with_run_entries(100).unwrap();
        let lengths = (0..10).chain(READ_BYTES - 200..READ_BYTES + 20);
        let captures: Vec<_> = lengths.map(capture).collect();
        for (capture, body) in &captures {
            index.add(capture, Some(body)).unwrap();
        }
        // Names so long that the first read ends within the length of the body, or before it.
        let long_names: Vec<_> = (READ_BYTES - 200..READ_BYTES)
            .map(|length| {
                let (mut capture, body) = capture(length);
                capture.authority = format!("http://{length}.example");
                capture.file = "f".repeat(length);
                (capture, body)
            })
            .collect();
        for (capture, body) in &long_names {
            index.add(capture, Some(body)).unwrap();
        }
        let mut without_its_own = captures[3].0.clone();
        without_its_own.authority = "https://other.example".to_owned();
        index.add(&without_its_own, None).unwrap();
        let (absent, _) = capture(77);
        index.add(&absent, None).unwrap();
        let index = index.finish().unwrap();
        for (capture, body) in captures.iter().chain(&long_names) {
            assert_eq!(body_in(&index, capture).as_ref(), Some(body));
        }
        assert_eq!(
            body_in(&index, &without_its_own).as_ref(),
            Some(&captures[3].1)
        );
        assert_eq!(body_in(&index, &absent), None);
    }
    #[test]
    fn captures_of_one_second_have_the_order_of_their_fractions() {
        let mut index = CaptureIndexBuilder::with_run_entries(2).unwrap();
        let (mut one, _) = capture(1);
        let start = one.time_micros;
        for micros in [900_000, 100_000, 500_000, 1_000_000, -1] {
            one.time_micros = start + micros;
            index.add(&one, None).unwrap();
        }
        let index = index.finish().unwrap();
        let mut captures = index.captures_of(&one.authority).unwrap();
        let at = Timestamp::from_unix_seconds(1_700_000_000);
        let until = index.until(&mut captures, Some(at)).unwrap();
        let times = until.clone().map(|nth| {
            let found = index.capture(&mut captures, nth).unwrap();
            found.unwrap().capture.time_micros - start
        });
        assert_eq!(times.collect::<Vec<_>>(), [-1, 100_000, 500_000, 900_000]);
        let next = index.time(&mut captures, until.end).unwrap();
        assert_eq!(next, Some(Timestamp::from_unix_seconds(1_700_000_001)));
    }
}
