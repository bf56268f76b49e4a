//! Eight octets of a text as a number that sorts as they do.

use core::hint::select_unpredictable;

/// The octets that a key holds.
pub(super) const KEY_OCTETS: usize = 8;

/// The octets from `depth` on; zero where there are none.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(super) fn key_at(text: &[u8], depth: usize) -> u64 {
    let behind = text.get(depth..).unwrap_or_default();
    if let Some(octets) = behind.first_chunk() {
        return u64::from_be_bytes(*octets);
    }
    let mut octets = [0; KEY_OCTETS];
    for (to, from) in octets.iter_mut().zip(behind) {
        *to = *from;
    }
    u64::from_be_bytes(octets)
}

/// So few keys are compared one by one, without a branch.
const FEW_KEYS: usize = 12;

/// How many of the keys, which ascend, are not greater than `key`.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(super) fn keys_up_to(keys: &[u64], key: u64) -> usize {
    let (mut start, mut count) = (0, keys.len());
    while count > FEW_KEYS {
        let half = count / 2;
        let is_behind = keys[start + half] <= key;
        start = select_unpredictable(is_behind, start + half, start);
        count -= half;
    }
    let rest = &keys[start..start + count];
    let not_greater = rest.iter().filter(|&&other| other <= key);
    start + not_greater.count()
}

/// How many octets two keys that differ have in common at their start.
#[inline]
pub(super) fn common_octets_of_keys(left: u64, right: u64) -> usize {
    (left ^ right).leading_zeros() as usize / 8
}

/// How many octets two texts have in common at their start, eight compared at a time.
#[inline]
pub(super) fn common_octets(left: &[u8], right: &[u8]) -> usize {
    let (left_words, _) = left.as_chunks::<8>();
    let (right_words, _) = right.as_chunks::<8>();
    for (nth, (left, right)) in left_words.iter().zip(right_words).enumerate() {
        let differing = u64::from_le_bytes(*left) ^ u64::from_le_bytes(*right);
        if differing != 0 {
            return nth * 8 + differing.trailing_zeros() as usize / 8;
        }
    }
    let compared = 8 * left_words.len().min(right_words.len());
    let of_rest = left[compared..].iter().zip(&right[compared..]);
    compared + of_rest.take_while(|(left, right)| left == right).count()
}
