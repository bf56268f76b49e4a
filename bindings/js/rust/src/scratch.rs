//! The texts that come in.

use std::cell::RefCell;

/// A scratch buffer that is larger is not kept.
const KEPT_OCTETS_MAX: usize = 4 << 20;

thread_local! {
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The scratch buffer, of that many octets at least. Its place changes in this function only.
#[unsafe(no_mangle)]
pub extern "C" fn scratch(octets: usize) -> *mut u8 {
    SCRATCH.with_borrow_mut(|scratch| {
        if octets <= KEPT_OCTETS_MAX && scratch.len() > KEPT_OCTETS_MAX {
            *scratch = Vec::new();
        }
        if scratch.len() < octets {
            // The old octets are not copied.
            *scratch = Vec::new();
            *scratch = vec![0; octets.max(1 << 16)];
        }
        scratch.as_mut_ptr()
    })
}

/// Writes the UTF-8 of UTF-16 to the octet `to` of the scratch buffer, and returns its length: V8 copies the units of a
/// string in a sixth of the time that it takes for UTF-8. They begin at `from`, so many octets behind `to` as there are
/// units, or more: so no unit is overwritten before it is read. U+FFFD stands for a lone surrogate.
#[unsafe(no_mangle)]
pub extern "C" fn utf8(to: usize, from: usize, units: usize) -> usize {
    const NOT_ASCII: u64 = 0xff80_ff80_ff80_ff80;
    SCRATCH.with_borrow_mut(|scratch| {
        let (mut at, mut written, end) = (from, to, from + 2 * units);
        while at < end {
            let four = scratch[at..end].first_chunk();
            let four = four.map(|four| u64::from_le_bytes(*four));
            if let Some(four) = four.filter(|four| four & NOT_ASCII == 0) {
                let pairs = (four | four >> 8) & 0x0000_ffff_0000_ffff;
                let [a, b, _, _, c, d, ..] = pairs.to_le_bytes();
                scratch[written..written + 4].copy_from_slice(&[a, b, c, d]);
                (at, written) = (at + 8, written + 4);
                continue;
            }
            let two = scratch[at..end].as_chunks().0.iter().take(2);
            let first = char::decode_utf16(two.map(|unit| u16::from_le_bytes(*unit))).next();
            let character = first.map_or(Ok(char::REPLACEMENT_CHARACTER), |it| it);
            at += character.as_ref().map_or(2, |it| 2 * it.len_utf16());
            let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
            written += character.encode_utf8(&mut scratch[written..]).len();
        }
        written - to
    })
}

/// The texts of a call, by their lengths: the first begins where the scratch buffer does.
pub(crate) fn with_texts<const N: usize, R>(
    lengths: [usize; N],
    ask: impl FnOnce([&[u8]; N]) -> R,
) -> R {
    SCRATCH.with_borrow(|scratch| {
        let mut rest = scratch.as_slice();
        ask(lengths.map(|length| {
            let (text, after) = rest.split_at(length);
            rest = after;
            text
        }))
    })
}
