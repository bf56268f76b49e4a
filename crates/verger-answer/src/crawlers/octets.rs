//! How many octets a crawler and its rules take in memory.

use verger::{Crawler, Policy, allocated_octets};

/// The octets of the heap that a crawler and its rules take, beside their own sizes.
pub(crate) fn octets_of(crawler: &Crawler, policy: &Policy) -> usize {
    let tokens = crawler.tokens();
    let texts = tokens
        .iter()
        .map(|token| allocated_octets(token.as_str().len()));
    allocated_octets(size_of_val(tokens)) + texts.sum::<usize>() + policy.heap_octets_max()
}
