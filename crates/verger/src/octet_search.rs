//! Looking for octets of a set, 32 at a time.

use verger_simd::{Kernel, Masks, OctetSet, dispatch};

/// Where the first octet stands that belongs to `set`.
#[inline]
pub(crate) fn find_member(octets: &[u8], set: &'static OctetSet) -> Option<usize> {
    let wanted = Wanted::Members;
    dispatch(Search {
        octets,
        set,
        wanted,
    })
}

/// Where the first octet stands that does not belong to `set`.
#[inline]
pub(crate) fn find_outsider(octets: &[u8], set: &'static OctetSet) -> Option<usize> {
    let wanted = Wanted::Outsiders;
    dispatch(Search {
        octets,
        set,
        wanted,
    })
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
        let found = |block: &[u8; 32]| {
            let members = masks.members(block, self.set);
            match self.wanted {
                Wanted::Members => members,
                Wanted::Outsiders => !members,
            }
        };
        let (blocks, rest) = self.octets.as_chunks::<32>();
        for (nth, block) in blocks.iter().enumerate() {
            let mask = found(block);
            if mask != 0 {
                return Some(nth * 32 + mask.trailing_zeros() as usize);
            }
        }
        let mut last = [0; 32];
        last[..rest.len()].copy_from_slice(rest);
        let there = (1_u64 << rest.len()) - 1;
        let mask = u64::from(found(&last)) & there;
        (mask != 0).then(|| blocks.len() * 32 + mask.trailing_zeros() as usize)
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
}
