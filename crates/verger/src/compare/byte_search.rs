//! Searches for bytes of a set and for needles, 32 bytes at a time.

use verger_simd::{ByteSet, Masks, kernel};

kernel! {
    #[inline]
    pub(crate) fn find_member<'o>(masks: M, bytes: &'o [u8], set: &'static ByteSet) -> Option<usize> {
        first_of(bytes, 0, |block| masks.members(block, set))
    }
}

kernel! {
    #[inline]
    pub(crate) fn find_outsider<'o>(masks: M, bytes: &'o [u8], set: &'static ByteSet) -> Option<usize> {
        first_of(bytes, 0, |block| !masks.members(block, set))
    }
}

#[inline]
pub(crate) fn find(haystack: &[u8], start: usize, needle: &[u8]) -> Option<usize> {
    find_aligned(haystack, start, needle, Alignment::Bytes)
}

kernel! {
    #[inline]
    pub(crate) fn find_aligned<'n>(
        masks: M,
        haystack: &'n [u8],
        start: usize,
        needle: &'n [u8],
        alignment: Alignment,
    ) -> Option<usize> {
        let mut room = Room::new();
        Haystack::new(haystack, &mut room).find(masks, start, needle, alignment)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Alignment {
    Bytes,
    /// A match never starts inside an escape. Every `%` begins one.
    Units,
}

/// *Idea.* A needle is searched for at 32 positions at once: a mask has the positions of its first
/// byte, then those followed by its second byte, and so on until the mask is empty. Usually two
/// bytes decide. Because a hostile needle needs nearly all its bytes at each block, long needles,
/// and all needles far into long bytes, use a linear-time search instead.
#[derive(Clone, Copy)]
pub(crate) struct Haystack<'h> {
    filled: &'h [u8],
    length: usize,
}

/// Pads short bytes, to read a block wherever it starts.
pub(crate) struct Room([u8; Room::BYTES]);

impl Room {
    const BYTES: usize = 192;

    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self([0; Self::BYTES])
    }
}

/// Length from which preparing a linear-time search for a needle pays, in bytes.
const LONG_NEEDLE: usize = 64;

/// Number of bytes searched block by block before the linear-time search takes over. It limits
/// hostile needles. Without it, 7,211 rules of 59 bytes take 3 times as long about a URL of 2 KB
/// and 9 times as long about one of 8 KB, and J5-hot takes 44 % more instructions.
const NEAR: usize = 8 * BLOCK;

impl<'h> Haystack<'h> {
    #[inline(always)]
    pub(crate) fn new(bytes: &'h [u8], room: &'h mut Room) -> Self {
        let length = bytes.len();
        let filled = if length <= Room::BYTES - 2 * BLOCK {
            room.0[..length].copy_from_slice(bytes);
            &room.0[..]
        } else {
            bytes
        };
        Self { filled, length }
    }

    #[inline(always)]
    pub(crate) fn bytes(&self) -> &'h [u8] {
        &self.filled[..self.length]
    }

    #[inline(always)]
    pub(crate) fn first_block(&self) -> Option<&'h [u8; BLOCK]> {
        self.filled.first_chunk()
    }

    #[inline(always)]
    pub(crate) fn has_byte<M: Masks>(&self, masks: M, byte: u8) -> bool {
        let mut blocks = (0..self.length).step_by(BLOCK);
        blocks.any(|at| self.equals(masks, at, byte) != 0)
    }

    #[inline(always)]
    fn equals<M: Masks>(&self, masks: M, at: usize, byte: u8) -> u32 {
        match self.filled.get(at..).and_then(<[u8]>::first_chunk) {
            Some(block) => masks.equals(block, byte),
            None => self.equals_at_end(masks, at, byte),
        }
    }

    /// Reads the last block, which starts before `at`, and shifts out the bytes before `at`.
    #[inline(never)]
    fn equals_at_end<M: Masks>(&self, masks: M, at: usize, byte: u8) -> u32 {
        let Some(last) = self.filled.last_chunk() else {
            return 0;
        };
        let early = (at + BLOCK).saturating_sub(self.filled.len()).min(BLOCK);
        let there = u64::from(masks.equals(last, byte)) >> early;
        u32::try_from(there).unwrap_or(u32::MAX)
    }

    /// Returns a mask of the bytes that do not start a unit.
    #[inline(always)]
    fn inside_escapes<M: Masks>(&self, masks: M, at: usize) -> u32 {
        let percent_at = |at: usize| self.equals(masks, at, b'%');
        match at {
            0 => (percent_at(0) << 1) | (percent_at(0) << 2),
            1 => percent_at(0) | (percent_at(0) << 1),
            _ => percent_at(at - 1) | percent_at(at - 2),
        }
    }

    /// Returns the position of `needle` at the very end, if that is not before `start`.
    #[inline]
    pub(crate) fn find_at_end(
        &self,
        start: usize,
        needle: &[u8],
        alignment: Alignment,
    ) -> Option<usize> {
        let bytes = self.bytes();
        let place = bytes.len().checked_sub(needle.len())?;
        let is_there = bytes.ends_with(needle) && is_aligned(bytes, place, alignment);
        (place >= start && is_there).then_some(place)
    }

    #[inline(always)]
    pub(crate) fn find<M: Masks>(
        &self,
        masks: M,
        start: usize,
        needle: &[u8],
        alignment: Alignment,
    ) -> Option<usize> {
        let last = self.length.checked_sub(needle.len())?;
        let [first, rest @ ..] = needle else {
            return (start <= last).then_some(start);
        };
        // Only hexadecimal digits occur both at the start of a unit and inside one.
        let must_align = alignment == Alignment::Units && first.is_ascii_hexdigit();
        let mut at = start;
        let near = if needle.len() > LONG_NEEDLE { 0 } else { NEAR };
        while at <= last {
            if at >= start + near {
                at += memchr::memmem::find(self.bytes().get(at..)?, needle)?;
                if !must_align {
                    return Some(at);
                }
            }
            let mut places = self.equals(masks, at, *first) & first_bits(last + 1 - at);
            for (nth, byte) in (1..).zip(rest) {
                if places == 0 {
                    break;
                }
                places &= self.equals(masks, at + nth, *byte);
            }
            if must_align && places != 0 {
                places &= !self.inside_escapes(masks, at);
            }
            if places != 0 {
                return Some(at + places.trailing_zeros() as usize);
            }
            at += BLOCK;
        }
        None
    }
}

/// In units `%` always begins an escape of three bytes.
pub(crate) fn is_aligned(target: &[u8], start: usize, alignment: Alignment) -> bool {
    match alignment {
        Alignment::Bytes => true,
        Alignment::Units => !target[start.saturating_sub(2)..start].contains(&b'%'),
    }
}

pub(crate) const BLOCK: usize = 32;

#[inline(always)]
pub(crate) fn first_bytes<const BYTES: usize>(bytes: &[u8]) -> [u8; BYTES] {
    bytes.first_chunk().copied().unwrap_or_else(|| {
        let mut filled = [0; BYTES];
        for (to, from) in filled.iter_mut().zip(bytes) {
            *to = *from;
        }
        filled
    })
}

pub(crate) fn first_bits(count: usize) -> u32 {
    if count < BLOCK {
        (1 << count) - 1
    } else {
        u32::MAX
    }
}

/// Reads bytes before `start` only to fill a block.
#[inline(always)]
pub(crate) fn first_of(
    bytes: &[u8],
    start: usize,
    mask: impl Fn(&[u8; BLOCK]) -> u32,
) -> Option<usize> {
    let mut at = start;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let found = if let Some(block) = rest.first_chunk() {
            mask(block)
        } else if let Some(block) = bytes.last_chunk() {
            // The block overlaps bytes that were examined before. Shift them out.
            mask(block) >> (BLOCK - rest.len())
        } else {
            mask(&first_bytes(rest)) & first_bits(rest.len())
        };
        if found != 0 {
            return Some(at + found.trailing_zeros() as usize);
        }
        at += BLOCK;
    }
    None
}

/// Finds the `?` that starts the query. A `?` that is data in the path is escaped.
pub(crate) fn question_mark_of(target: &[u8]) -> Option<usize> {
    memchr::memchr(b'?', target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    static SET: ByteSet = ByteSet::new(b"/?#");

    #[test]
    fn the_first_one_is_found_wherever_it_stands() {
        for length in 0..100 {
            assert_eq!(find_member(&vec![b'a'; length], &SET), None);
            assert_eq!(find_outsider(&vec![b'/'; length], &SET), None);
            for at in 0..length {
                let mut bytes = vec![b'a'; length];
                bytes[at..].fill(b'#');
                assert_eq!(find_member(&bytes, &SET), Some(at), "{length}");
                bytes[..at].fill(b'?');
                bytes[at..].fill(0xE9);
                for start in [0, at / 2, at] {
                    let found = outsider_from(&bytes, start);
                    assert_eq!(found, Some(at), "{length} from {start}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn a_needle_is_found_where_it_first_stands(
            haystack in "[ab]{0,120}|a{60,80}[ab]{0,200}|a{300,400}[ab]{0,200}",
            needle in "[ab]{0,20}|a{60,70}",
            start in prop_oneof![0_usize..130, 0_usize..600],
        ) {
            let (haystack, needle) = (haystack.as_bytes(), needle.as_bytes());
            let expected = (start..=haystack.len()).find(|&at| haystack[at..].starts_with(needle));
            prop_assert_eq!(find(haystack, start, needle), expected);
        }

        #[test]
        fn a_unit_is_found_where_it_first_starts(
            haystack in "([ab0\0]|%AA|%0B){0,50}|([0A]|%AA|%0A){100,200}",
            needle in "[A0b\0]{0,4}|%AA[A0]?|[A0]%A|[A0]{6,12}",
            start in prop_oneof![0_usize..3, 0_usize..100],
        ) {
            let (haystack, needle) = (haystack.as_bytes(), needle.as_bytes());
            let starts_unit = |at: usize| !haystack[at.saturating_sub(2)..at].contains(&b'%');
            let expected = (start..=haystack.len())
                .filter(|&at| needle.is_empty() || starts_unit(at))
                .find(|&at| haystack[at..].starts_with(needle));
            prop_assert_eq!(find_aligned(haystack, start, needle, Alignment::Units), expected);
        }
    }

    kernel! {
        fn outsider_from<'o>(masks: M, bytes: &'o [u8], start: usize) -> Option<usize> {
            first_of(bytes, start, |block| !masks.members(block, &SET))
        }
    }
}
