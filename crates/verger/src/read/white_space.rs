//! White space, and how to trim it.

use crate::dialect::WhiteSpace;

pub(crate) fn trimmed(bytes: &[u8], white_space: WhiteSpace) -> &[u8] {
    let (start, end) = trimmed_range(bytes, white_space);
    &bytes[start..end]
}

/// Returns the range that remains after trimming. If nothing remains, it is empty and at the end.
pub(crate) fn trimmed_range(bytes: &[u8], white_space: WhiteSpace) -> (usize, usize) {
    let is_black = |byte: &u8| !is_white_space(*byte, white_space);
    match bytes.iter().position(is_black) {
        Some(first) => {
            let last = bytes.iter().rposition(is_black).unwrap_or(first);
            (first, last + 1)
        }
        None => (bytes.len(), bytes.len()),
    }
}

pub(crate) fn is_white_space(byte: u8, white_space: WhiteSpace) -> bool {
    match white_space {
        WhiteSpace::SpaceTab => is_space_or_tab(byte),
        WhiteSpace::AsciiSix => matches!(byte, b' ' | b'\t'..=b'\r'),
    }
}

/// Returns whether the byte is `WS` of the grammar, inside a line. R9309-2.2-2.
#[inline]
pub(crate) fn is_space_or_tab(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
