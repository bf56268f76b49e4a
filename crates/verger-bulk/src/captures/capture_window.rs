//! `CaptureWindow`: captures that redirects are followed among, in bounded memory.

use std::collections::VecDeque;
use std::collections::hash_map::{Entry, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use url::Url;

use super::capture::Capture;

/// A redirect leads to what was captured at most so long before or after it, in microseconds: a day, as
/// long as an answer lasts.
const DISTANCE_MAX: i64 = 24 * 60 * 60 * 1_000_000;

/// The captures of a stretch of a file, in their order. A capture waits until half of the window is behind
/// it; then it leaves as a row, and stays until the window is full, since later redirects may lead to it.
pub(crate) struct CaptureWindow {
    captures: VecDeque<Capture>,
    /// The number of the first capture, counted from the beginning of the file.
    first: u64,
    /// The number of the first capture that has not left as a row.
    next: u64,
    octets: usize,
    octets_waiting: usize,
    octets_max: usize,
    /// Times and numbers of the captures of a URL, in order, by its hash.
    places: HashMap<u64, Vec<(i64, u64)>>,
}

impl CaptureWindow {
    pub(crate) fn new(octets_max: usize) -> Self {
        Self {
            captures: VecDeque::new(),
            first: 0,
            next: 0,
            octets: 0,
            octets_waiting: 0,
            octets_max,
            places: HashMap::new(),
        }
    }

    pub(crate) fn push(&mut self, capture: Capture) {
        let number = self.first + self.captures.len() as u64;
        if let Some((hash, place)) = place(&capture, number) {
            let places = self.places.entry(hash).or_default();
            let at = places.partition_point(|before| *before < place);
            places.insert(at, place);
        }
        self.octets += capture.octets();
        self.octets_waiting += capture.octets();
        self.captures.push_back(capture);
    }

    /// Returns the next capture that has waited long enough, or, at the end of the file, any.
    pub(crate) fn next_row(&mut self, is_at_end: bool) -> Option<u64> {
        if !is_at_end && self.octets_waiting <= self.octets_max / 2 {
            return None;
        }
        let number = self.next;
        let octets = self.get(number)?.octets();
        self.octets_waiting -= octets;
        self.next += 1;
        Some(number)
    }

    /// Forgets the oldest captures that have left, as far as the window is too full.
    pub(crate) fn forget(&mut self) {
        while self.octets > self.octets_max && self.first < self.next {
            let Some(capture) = self.captures.pop_front() else {
                return;
            };
            self.octets -= capture.octets();
            if let Some((hash, place)) = place(&capture, self.first)
                && let Entry::Occupied(mut entry) = self.places.entry(hash)
            {
                let places = entry.get_mut();
                places.retain(|kept| *kept != place);
                if places.is_empty() {
                    entry.remove();
                }
            }
            self.first += 1;
        }
    }

    pub(crate) fn get(&self, number: u64) -> Option<&Capture> {
        let at = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.captures.get(at)
    }

    /// Returns the capture of `url` nearest to `time`, of two the later one.
    pub(crate) fn nearest(&self, url: &Url, time: i64) -> Option<&Capture> {
        let places = self.places.get(&hash(url))?;
        let (before, after) = places.split_at(places.partition_point(|&(at, _)| at < time));
        let found = [after.first(), before.last()].into_iter().flatten();
        let near = found.filter(|(at, _)| at.abs_diff(time) <= DISTANCE_MAX.unsigned_abs());
        let &(_, number) = near.min_by_key(|(at, _)| at.abs_diff(time))?;
        let capture = self.get(number)?;
        (capture.url.as_ref() == Some(url)).then_some(capture)
    }
}

/// The hash of the URL, time and number.
fn place(capture: &Capture, number: u64) -> Option<(u64, (i64, u64))> {
    let url = capture.url.as_ref().filter(|_| capture.is_judged())?;
    Some((hash(url), (capture.time.unwrap_or(0), number)))
}

fn hash(url: &Url) -> u64 {
    let mut hasher = DefaultHasher::new();
    url.as_str().hash(&mut hasher);
    hasher.finish()
}
