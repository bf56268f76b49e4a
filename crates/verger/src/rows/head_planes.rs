//! The first bytes of many texts, transposed to compare 32 texts at once.
//!
//! *Idea.* Most rules differ from a target in the first bytes after the slash. Stored plane by
//! plane, a few vector comparisons find the rules that do not, among 32 rules at a time. The texts
//! of the others are never read.
//!
//! *Invariant.* A rule that is left out does not match by the reference (`path_match`). From the
//! first byte on that may have another form, ends the text or is a wildcard, the planes have zeros,
//! which match everything.
//!
//! *Measured*: see `scan/rows_scan.rs`.

use alloc::boxed::Box;

use verger_simd::Masks;

use crate::allocated_bytes::allocated_bytes;
use crate::compare::plain_bytes::SINGLE_FORM;

/// Readable bytes wherever a text starts.
pub(crate) const TEXT_WINDOW: usize = 64;

/// Number of texts whose bytes are stored side by side.
pub(crate) const TEXTS: usize = 32;

/// Number of bytes of each text that are compared, from the second on.
const BYTES: usize = 4;

/// The second byte of each text, then the third byte of each, and so on.
type Planes = [[u8; TEXTS]; BYTES];

#[derive(Clone, Debug)]
pub(crate) struct HeadPlanes(Box<[Planes]>);

impl HeadPlanes {
    #[inline]
    pub(crate) fn pay_for(texts: usize) -> bool {
        texts >= TEXTS
    }

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

    pub(crate) fn heap_bytes(texts: usize) -> usize {
        allocated_bytes(texts.div_ceil(TEXTS) * size_of::<Planes>())
    }

    /// Returns a mask of the texts that may match among the `nth` [`TEXTS`] texts. If nothing is
    /// known, all bits are set.
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

pub(crate) struct TargetHead {
    bytes: [u8; BYTES],
    /// Number of bytes that can rule a text out.
    count: usize,
}

impl TargetHead {
    /// Creates the head of a target. `deciding` returns whether a different byte ([`SINGLE_FORM`])
    /// at an offset rules a rule out.
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

const END: u8 = 0xFF;
