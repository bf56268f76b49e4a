//! The first bytes of many texts, side by side, so that those of 32 are compared at once.
//!
//! *Idea.* Most rules differ from a target in the bytes after the first slash. Laid out byte by byte,
//! the rules that do not are found by a few vector comparisons for 32 of them, and the texts of the others are
//! never read.
//!
//! *Invariant.* A rule that is left out does not match by the reference (`path_match`). From the first
//! byte on that may have another form, ends the text or is a wildcard, a plane has zeros, which are always
//! left in.
//!
//! *Measured*: see `scan/rows_scan.rs`.

use alloc::boxed::Box;

use verger_simd::Masks;

use crate::allocated_bytes::allocated_bytes;
use crate::compare::plain_bytes::SINGLE_FORM;

/// Bytes that can be read wherever a text starts.
pub(crate) const TEXT_WINDOW: usize = 64;

/// Texts whose bytes lie side by side.
pub(crate) const TEXTS: usize = 32;

/// Bytes of each text that are compared, from the second on.
const BYTES: usize = 4;

/// Bytes of [`TEXTS`] texts: the second of each, the third of each, and so on.
type Planes = [[u8; TEXTS]; BYTES];

/// The first bytes of texts.
#[derive(Clone, Debug)]
pub(crate) struct HeadPlanes(Box<[Planes]>);

impl HeadPlanes {
    /// Whether they pay for so many texts.
    #[inline]
    pub(crate) fn pay_for(texts: usize) -> bool {
        texts >= TEXTS
    }

    /// Those of so many texts.
    pub(crate) fn of<'t>(count: usize, texts: impl Iterator<Item = &'t [u8; TEXT_WINDOW]>) -> Self {
        let mut planes = alloc::vec![[[0; TEXTS]; BYTES]; count.div_ceil(TEXTS)];
        for (nth, text) in texts.enumerate() {
            if text[0] != b'/' {
                continue;
            }
            let planes = &mut planes[nth / TEXTS];
            for (plane, byte) in planes.iter_mut().zip(&text[1..]) {
                if !SINGLE_FORM.contains(*byte) {
                    break;
                }
                plane[nth % TEXTS] = *byte;
            }
        }
        Self(planes.into_boxed_slice())
    }

    /// What those of so many texts take on the heap.
    pub(crate) fn heap_bytes(texts: usize) -> usize {
        allocated_bytes(texts.div_ceil(TEXTS) * size_of::<Planes>())
    }

    /// Of the `nth` texts, [`TEXTS`] at once, those that may match: a bit each. All where nothing is known.
    #[inline(always)]
    pub(crate) fn left_in<M: Masks>(&self, masks: M, nth: usize, head: &TargetHead) -> u32 {
        let Some(planes) = self.0.get(nth) else {
            return u32::MAX;
        };
        let mut left = u32::MAX;
        for (plane, byte) in planes[..head.count].iter().zip(head.bytes) {
            left &= masks.equals(plane, byte) | masks.equals(plane, 0);
        }
        left
    }
}

/// What of a target is compared with planes.
pub(crate) struct TargetHead {
    bytes: [u8; BYTES],
    /// So many of them decide.
    count: usize,
}

impl TargetHead {
    /// That of a target of which so many bytes, from the second on, rule a rule out that has another one
    /// there ([`SINGLE_FORM`]) and is longer.
    #[inline]
    pub(crate) fn of(form: &[u8], deciding: impl Fn(usize) -> bool) -> Self {
        let mut bytes = [END; BYTES];
        let mut count = 0;
        for byte in &mut bytes {
            let at = count + 1;
            if !deciding(at) {
                break;
            }
            *byte = form.get(at).copied().unwrap_or(END);
            count = at;
        }
        Self { bytes, count }
    }
}

/// Of no plane.
const END: u8 = 0xFF;
