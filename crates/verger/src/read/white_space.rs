//! White space, and octets without it at either end.

use crate::dialect::WhiteSpace;

/// The octets without white space at either end.
pub(crate) fn trimmed(octets: &[u8], white_space: WhiteSpace) -> &[u8] {
    let (start, end) = trimmed_range(octets, white_space);
    &octets[start..end]
}

/// Where the octets start and end without white space at either end; the end of all twice where there
/// is nothing else.
pub(crate) fn trimmed_range(octets: &[u8], white_space: WhiteSpace) -> (usize, usize) {
    let is_black = |octet: &u8| !is_white_space(*octet, white_space);
    match octets.iter().position(is_black) {
        Some(first) => {
            let last = octets.iter().rposition(is_black).unwrap_or(first);
            (first, last + 1)
        }
        None => (octets.len(), octets.len()),
    }
}

pub(crate) fn is_white_space(octet: u8, white_space: WhiteSpace) -> bool {
    match white_space {
        WhiteSpace::SpaceTab => is_space_or_tab(octet),
        WhiteSpace::AsciiSix => matches!(octet, b' ' | b'\t'..=b'\r'),
    }
}

/// `WS` of the grammar, inside a line. R9309-2.2-2.
#[inline]
pub(crate) fn is_space_or_tab(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}
