//! `RequestIds`: an id for each request, used in its response and in logs.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use http::HeaderValue;

/// Maximum size of a client's id in bytes. Longer ids are replaced.
const ID_BYTES_MAX: usize = 64;

#[derive(Debug)]
pub(crate) struct RequestIds {
    start: String,
    next: AtomicU64,
}

impl RequestIds {
    pub(crate) fn new() -> Self {
        Self {
            start: format!("{:016x}-", RandomState::new().hash_one(std::process::id())),
            next: AtomicU64::new(0),
        }
    }

    /// Returns the client's id if it is a short word, or else a new id.
    pub(crate) fn of(&self, given: Option<&HeaderValue>) -> HeaderValue {
        let is_word = |value: &&HeaderValue| {
            let bytes = value.as_bytes();
            (1..=ID_BYTES_MAX).contains(&bytes.len()) && bytes.iter().all(u8::is_ascii_graphic)
        };
        if let Some(given) = given.filter(is_word) {
            return given.clone();
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let mut bytes = Vec::with_capacity(self.start.len() + 16);
        bytes.extend_from_slice(self.start.as_bytes());
        // Written by hand because `format` takes 4 % of the instructions of a cached check.
        let digits = (u64::BITS - number.leading_zeros()).div_ceil(4).max(1);
        let pairs = number.to_le_bytes();
        let digit = |nth: u32| {
            let half = pairs[nth as usize / 2] >> (4 * (nth % 2)) & 15;
            b"0123456789abcdef"[usize::from(half)]
        };
        bytes.extend((0..digits).rev().map(digit));
        HeaderValue::from_maybe_shared(Bytes::from(bytes)).unwrap_or(HeaderValue::from_static("-"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_taken_over_where_it_is_a_short_word() {
        let ids = RequestIds::new();
        let given = HeaderValue::from_static("abc-1");
        assert_eq!(ids.of(Some(&given)), given);
        for number in [0, 15, 16, 0xff, u64::MAX] {
            ids.next.store(number, Ordering::Relaxed);
            let made = ids.of(None);
            let digits = made.to_str().unwrap().rsplit('-').next().unwrap();
            assert_eq!(digits, format!("{number:x}"));
        }
        let long = HeaderValue::try_from("x".repeat(65)).unwrap();
        for other in [None, Some(&HeaderValue::from_static("a b")), Some(&long)] {
            let made = ids.of(other);
            assert_ne!(Some(&made), other);
            assert_ne!(made, ids.of(None));
        }
    }
}
