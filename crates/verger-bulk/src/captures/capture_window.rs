//! `CaptureWindow`: the captures that redirects and revisits refer to, in bounded memory.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use url::Url;

use super::captured_record::{CapturedRecord, Revisit};

/// Maximum time between a redirect and the capture of its target, in microseconds: a day, the
/// lifetime of an answer.
const DISTANCE_MAX: i64 = 24 * 60 * 60 * 1_000_000;

/// Maximum number of captures of a URL examined for a revisit, newest first.
const CANDIDATES_MAX: usize = 64;

/// A stretch of captures in file order. A capture becomes a row once half of the window is filled
/// after it. It stays until the window is full, because later redirects may lead to it.
pub(crate) struct CaptureWindow {
    captures: VecDeque<CapturedRecord>,
    /// The number of the first capture, from the start of the file.
    first: u64,
    /// The first capture that is not a row yet.
    next: u64,
    bytes: usize,
    bytes_waiting: usize,
    bytes_max: usize,
    /// Sorted times and numbers, by hash of the URL.
    places: HashMap<u64, VecDeque<(i64, u64)>>,
}

impl CaptureWindow {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self {
            captures: VecDeque::new(),
            first: 0,
            next: 0,
            bytes: 0,
            bytes_waiting: 0,
            bytes_max,
            places: HashMap::new(),
        }
    }

    pub(crate) fn push(&mut self, capture: CapturedRecord) {
        let number = self.first + self.captures.len() as u64;
        if let Some((hash, place)) = place(&capture, number) {
            let places = self.places.entry(hash).or_default();
            let at = places.partition_point(|before| *before < place);
            places.insert(at, place);
        }
        self.bytes += capture.bytes();
        self.bytes_waiting += capture.bytes();
        self.captures.push_back(capture);
    }

    /// Returns the next capture that has waited long enough, or any at the end of the file.
    pub(crate) fn next_row(&mut self, is_at_end: bool) -> Option<u64> {
        if !is_at_end && self.bytes_waiting <= self.bytes_max / 2 {
            return None;
        }
        let number = self.next;
        let bytes = self.get(number)?.bytes();
        self.bytes_waiting -= bytes;
        self.next += 1;
        Some(number)
    }

    /// Drops captures that are rows already, while the window is too full.
    pub(crate) fn forget(&mut self) {
        while self.bytes > self.bytes_max && self.first < self.next {
            let Some(capture) = self.captures.pop_front() else {
                return;
            };
            self.bytes -= capture.bytes();
            if let Some((hash, place)) = place(&capture, self.first)
                && let Entry::Occupied(mut entry) = self.places.entry(hash)
            {
                let places = entry.get_mut();
                if let Ok(at) = places.binary_search(&place) {
                    places.remove(at);
                }
                if places.is_empty() {
                    entry.remove();
                }
            }
            self.first += 1;
        }
    }

    pub(crate) fn get(&self, number: u64) -> Option<&CapturedRecord> {
        let at = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.captures.get(at)
    }

    /// Returns the capture of `url` nearest to `time`, or the later of two equally near.
    pub(crate) fn nearest(&self, url: &Url, time: i64) -> Option<&CapturedRecord> {
        let places = self.places.get(&hash(url))?;
        let after = places.partition_point(|&(at, _)| at < time);
        let before = after.checked_sub(1).and_then(|before| places.get(before));
        let found = [places.get(after), before].into_iter().flatten();
        let near = found.filter(|(at, _)| at.abs_diff(time) <= DISTANCE_MAX.unsigned_abs());
        let &(_, number) = near.min_by_key(|(at, _)| at.abs_diff(time))?;
        let capture = self.get(number)?;
        (capture.url.as_ref() == Some(url)).then_some(capture)
    }

    /// Returns the capture from the stated time, or else the newest earlier one with the same
    /// payload digest.
    pub(crate) fn revisited(&self, revisit: &Revisit, time: i64) -> Option<&CapturedRecord> {
        let places = self.places.get(&hash(&revisit.url))?;
        let until = revisit.refers_to.unwrap_or(time);
        let after = places.partition_point(|&(at, _)| at <= until);
        let candidates = places.range(..after).rev().take(CANDIDATES_MAX);
        let mut candidates = candidates.filter_map(|&(_, number)| self.get(number));
        candidates.find(|capture| {
            let is_at_time = revisit.refers_to.is_some_and(|of| capture.time == Some(of));
            let digests = (revisit.payload_digest, capture.payload_digest);
            let is_same = match digests {
                (Some(one), Some(other)) => one == other,
                _ => is_at_time,
            };
            let is_known = revisit.refers_to.is_none() || is_at_time;
            is_same && is_known && capture.url.as_ref() == Some(&revisit.url)
        })
    }
}

fn place(capture: &CapturedRecord, number: u64) -> Option<(u64, (i64, u64))> {
    let url = capture.url.as_ref().filter(|_| capture.is_judged())?;
    Some((hash(url), (capture.time.unwrap_or(0), number)))
}

fn hash(url: &Url) -> u64 {
    let mut hasher = DefaultHasher::new();
    url.as_str().hash(&mut hasher);
    hasher.finish()
}
