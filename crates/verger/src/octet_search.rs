//! Looking for octets of a set, 32 at a time.

use verger_simd::{Kernel, Masks, OctetSet, dispatch};

/// Where the first octet stands that belongs to `set`.
#[inline]
pub(crate) fn find_member(octets: &[u8], set: &'static OctetSet) -> Option<usize> {
    dispatch(Search {
        octets,
        start: 0,
        set,
        wanted: Wanted::Members,
    })
}

/// Where the first octet from `start` on stands that does not belong to `set`. What stands before
/// `start` only helps to fill a block.
#[inline]
pub(crate) fn find_outsider(octets: &[u8], start: usize, set: &'static OctetSet) -> Option<usize> {
    dispatch(Search {
        octets,
        start,
        set,
        wanted: Wanted::Outsiders,
    })
}

/// Where the first place of `needle` from `start` on stands. Work is linear in the octets looked
/// at, however the needle is chosen.
#[inline]
pub(crate) fn find(haystack: &[u8], start: usize, needle: &[u8]) -> Option<usize> {
    let rest = haystack.get(start..)?;
    let found = match *needle {
        [] => Some(0),
        [octet] => memchr::memchr(octet, rest),
        [first, second, ..] if needle.len() <= SHORT_NEEDLE => dispatch(Find {
            haystack: rest,
            needle,
            first,
            second,
        }),
        _ => memchr::memmem::find(rest, needle),
    };
    found.map(|at| start + at)
}

/// A needle so short that comparing it wherever its first two octets stand is sooner done than
/// preparing a search.
const SHORT_NEEDLE: usize = 16;

/// Looks for two octets that stand together, and for the whole needle where they do.
struct Find<'n> {
    haystack: &'n [u8],
    needle: &'n [u8],
    first: u8,
    second: u8,
}

impl Kernel for Find<'_> {
    type Output = Option<usize>;

    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the processor it runs on"
    )]
    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> Option<usize> {
        let Self {
            haystack, needle, ..
        } = self;
        let mut at = 0;
        while let Some(last) = haystack.len().checked_sub(at + needle.len()) {
            // The last block starts earlier; what it meets again is shifted out.
            let early = (at + BLOCK + 1).saturating_sub(haystack.len()).min(at);
            let block = &haystack[at - early..];
            let (Some(firsts), Some(seconds)) = (block.first_chunk(), block[1..].first_chunk())
            else {
                let mut places = haystack[at..].windows(needle.len());
                return Some(at + places.position(|place| place == needle)?);
            };
            let both = masks.equals(firsts, self.first) & masks.equals(seconds, self.second);
            let mut places = both >> early;
            while places != 0 {
                let place = places.trailing_zeros() as usize;
                places &= places - 1;
                let is_whole = || needle.len() == 2 || haystack[at + place..].starts_with(needle);
                if place <= last && is_whole() {
                    return Some(at + place);
                }
            }
            at += BLOCK - early;
        }
        None
    }
}

const BLOCK: usize = 32;

/// Fewer octets than a block, and zeros behind them.
fn filled_up(octets: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    for (to, from) in block.iter_mut().zip(octets) {
        *to = *from;
    }
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
    start: usize,
    set: &'static OctetSet,
    wanted: Wanted,
}

impl Search<'_> {
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    fn found<M: Masks>(&self, masks: M, block: &[u8; BLOCK]) -> u32 {
        let members = masks.members(block, self.set);
        match self.wanted {
            Wanted::Members => members,
            Wanted::Outsiders => !members,
        }
    }
}

impl Kernel for Search<'_> {
    type Output = Option<usize>;

    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the processor it runs on"
    )]
    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> Option<usize> {
        let mut at = self.start;
        while at < self.octets.len() {
            let rest = &self.octets[at..];
            let found = if let Some(block) = rest.first_chunk() {
                self.found(masks, block)
            } else if let Some(block) = self.octets.last_chunk() {
                // It overlaps what was looked at or is not asked about, which is shifted out.
                self.found(masks, block) >> (BLOCK - rest.len())
            } else {
                self.found(masks, &filled_up(rest)) & first_bits(rest.len())
            };
            if found != 0 {
                return Some(at + found.trailing_zeros() as usize);
            }
            at += BLOCK;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    static SET: OctetSet = OctetSet::of(b"/?#");

    #[test]
    fn the_first_one_is_found_wherever_it_stands() {
        for length in 0..100 {
            assert_eq!(find_member(&vec![b'a'; length], &SET), None);
            assert_eq!(find_outsider(&vec![b'/'; length], length / 3, &SET), None);
            for at in 0..length {
                let mut octets = vec![b'a'; length];
                octets[at..].fill(b'#');
                assert_eq!(find_member(&octets, &SET), Some(at), "{length}");
                octets[..at].fill(b'?');
                octets[at..].fill(0xE9);
                for start in [0, at / 2, at] {
                    let found = find_outsider(&octets, start, &SET);
                    assert_eq!(found, Some(at), "{length} from {start}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_needle_is_found_where_it_first_stands(
            haystack in "[ab]{0,120}",
            needle in "[ab]{0,20}",
            start in 0_usize..130,
        ) {
            let (haystack, needle) = (haystack.as_bytes(), needle.as_bytes());
            let expected = (start..=haystack.len()).find(|&at| haystack[at..].starts_with(needle));
            prop_assert_eq!(find(haystack, start, needle), expected);
        }
    }
}
