//! Looking for octets of a set, 32 at a time.

use core::ops::Range;

use verger_simd::{Kernel, Masks, OctetSet, dispatch};

/// Where the first octet stands that belongs to `set`.
#[inline]
pub(crate) fn find_member(octets: &[u8], set: &'static OctetSet) -> Option<usize> {
    dispatch(Search {
        octets,
        set,
        wanted: Wanted::Members,
    })
}

/// Where the first octet stands that does not belong to `set`.
#[inline]
pub(crate) fn find_outsider(octets: &[u8], set: &'static OctetSet) -> Option<usize> {
    dispatch(Search {
        octets,
        set,
        wanted: Wanted::Outsiders,
    })
}

/// Whether an octet of `body[range]` belongs to `set`.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(crate) fn has_member<M: Masks>(
    masks: M,
    body: &[u8],
    range: Range<usize>,
    set: &OctetSet,
) -> bool {
    let mut start = range.start;
    while start < range.end {
        let mask = masks.members(&block_at(body, start), set);
        if mask & first_bits(range.end - start) != 0 {
            return true;
        }
        start += BLOCK;
    }
    false
}

const BLOCK: usize = 32;

/// The octets from `start` on; zero behind the end.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
fn block_at(octets: &[u8], start: usize) -> [u8; BLOCK] {
    let from_start = octets.get(start..).unwrap_or_default();
    if let Some(block) = from_start.first_chunk() {
        return *block;
    }
    let mut block = [0; BLOCK];
    block[..from_start.len()].copy_from_slice(from_start);
    block
}

/// A mask of the first `count` bits, or of all where there are no more.
fn first_bits(count: usize) -> u32 {
    if count < BLOCK {
        (1 << count) - 1
    } else {
        u32::MAX
    }
}

#[derive(Clone, Copy)]
enum Wanted {
    Members,
    Outsiders,
}

struct Search<'o> {
    octets: &'o [u8],
    set: &'static OctetSet,
    wanted: Wanted,
}

impl Kernel for Search<'_> {
    type Output = Option<usize>;

    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the processor it runs on"
    )]
    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> Option<usize> {
        let mut start = 0;
        while start < self.octets.len() {
            let members = masks.members(&block_at(self.octets, start), self.set);
            let found = match self.wanted {
                Wanted::Members => members,
                Wanted::Outsiders => !members,
            } & first_bits(self.octets.len() - start);
            if found != 0 {
                return Some(start + found.trailing_zeros() as usize);
            }
            start += BLOCK;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    static SET: OctetSet = OctetSet::of(b"/?#");

    #[test]
    fn the_first_one_is_found_wherever_it_stands() {
        for length in 0..100 {
            assert_eq!(find_member(&vec![b'a'; length], &SET), None);
            assert_eq!(find_outsider(&vec![b'/'; length], &SET), None);
            for at in 0..length {
                let mut octets = vec![b'a'; length];
                octets[at..].fill(b'#');
                assert_eq!(find_member(&octets, &SET), Some(at), "{length}");
                octets[..at].fill(b'?');
                octets[at..].fill(0xE9);
                assert_eq!(find_outsider(&octets, &SET), Some(at), "{length}");
            }
        }
    }

    struct HasMember<'o>(&'o [u8], Range<usize>);

    impl Kernel for HasMember<'_> {
        type Output = bool;

        fn run<M: Masks>(self, masks: M) -> bool {
            has_member(masks, self.0, self.1, &SET)
        }
    }

    #[test]
    fn only_the_range_is_looked_at() {
        let mut octets = [b'a'; 100];
        for at in [0, 31, 32, 63, 64, 99] {
            octets[at] = b'?';
            for start in 0..100 {
                for end in start..=100 {
                    let expected = (start..end).contains(&at);
                    assert_eq!(dispatch(HasMember(&octets, start..end)), expected);
                }
            }
            octets[at] = b'a';
        }
    }
}
