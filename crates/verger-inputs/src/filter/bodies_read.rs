//! `BodiesRead`: counts bodies that were read again because the cache had no room for their rules.

use std::collections::HashSet;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, PoisonError};

/// Maximum number of authorities remembered, in about 5 MB. Later ones are not counted.
const AUTHORITIES_MAX: usize = 1 << 18;

/// Counts the bodies that are read.
#[derive(Debug, Default)]
pub(super) struct BodiesRead {
    hasher: RandomState,
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    /// Hashes of the authorities whose bodies were read.
    read: HashSet<u64>,
    again: u64,
    are_all_counted: Counted,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Counted {
    #[default]
    All,
    /// Later authorities were not counted.
    Some,
}

/// The number of bodies that were read again. Displays as `3` or `at least 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodiesReadAgain {
    bodies: u64,
    counted: Counted,
}

impl BodiesRead {
    /// Counts the body of `authority`.
    pub(super) fn count(&self, authority: &str) {
        self.count_hash(self.hasher.hash_one(authority));
    }

    fn count_hash(&self, hash: u64) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.read.contains(&hash) {
            counts.again += 1;
        } else if counts.read.len() < AUTHORITIES_MAX {
            counts.read.insert(hash);
        } else {
            counts.are_all_counted = Counted::Some;
        }
    }

    /// Returns the number of bodies that were read again, or `None` if it is zero.
    pub(super) fn again(&self) -> Option<BodiesReadAgain> {
        let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        (counts.again > 0).then_some(BodiesReadAgain {
            bodies: counts.again,
            counted: counts.are_all_counted,
        })
    }
}

impl fmt::Display for BodiesReadAgain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at_least = match self.counted {
            Counted::All => "",
            Counted::Some => "at least ",
        };
        write!(f, "{at_least}{}", self.bodies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_that_are_read_again_are_counted() {
        let read = BodiesRead::default();
        read.count("a");
        read.count("b");
        assert_eq!(read.again(), None);
        read.count("a");
        assert_eq!(read.again().unwrap().to_string(), "1");
        read.count("a");
        assert_eq!(read.again().unwrap().to_string(), "2");
    }

    #[test]
    fn of_more_authorities_than_are_remembered_the_first_are_counted() {
        let read = BodiesRead::default();
        let authorities = AUTHORITIES_MAX as u64 + 10;
        for _ in 0..2 {
            (0..authorities).for_each(|hash| read.count_hash(hash));
        }
        let said = read.again().unwrap().to_string();
        assert_eq!(said, format!("at least {AUTHORITIES_MAX}"));
    }
}
