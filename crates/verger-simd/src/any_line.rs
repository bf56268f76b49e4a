//! `any_line`: tests whether a body may have a line of some kind, without reading its other lines.

use crate::dispatch::dispatch;
use crate::first_byte_set::FirstByteSet;
use crate::masks::{Kernel, Masks};

const BLOCK: usize = 64;

/// Returns whether `is_sought` is true for any line that starts with a byte of the set. It receives
/// the bytes from the start of the line to the end of `bytes`, and should only examine its own
/// line.
///
/// A line starts at the first byte and after each CR and LF.
pub fn any_line(
    bytes: &[u8],
    first_bytes: &FirstByteSet,
    is_sought: impl FnMut(&[u8]) -> bool,
) -> bool {
    dispatch(AnyLine {
        bytes,
        first_bytes,
        is_sought,
    })
}

struct AnyLine<'b, F> {
    bytes: &'b [u8],
    first_bytes: &'b FirstByteSet,
    is_sought: F,
}

impl<F: FnMut(&[u8]) -> bool> Kernel for AnyLine<'_, F> {
    type Output = bool;

    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> bool {
        let Self {
            bytes,
            first_bytes,
            mut is_sought,
        } = self;
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        let mut last = [0; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        let mut starts_next = 1;
        for (nth, block) in blocks.iter().chain([&last]).enumerate() {
            let ends = masks.line_ends(block);
            let starts = ends << 1 | starts_next;
            starts_next = ends >> (BLOCK - 1);
            if starts == 0 {
                continue;
            }
            let mut found = masks.starting_with(block, starts, first_bytes);
            while found != 0 {
                let at = nth * BLOCK + found.trailing_zeros() as usize;
                found &= found - 1;
                if bytes.get(at..).is_some_and(&mut is_sought) {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places a line at every distance from block borders, after each kind of line end.
    #[test]
    fn a_line_is_found_wherever_it_starts() {
        let set = FirstByteSet::new(b"ab");
        let is_sought = |line: &[u8]| line.starts_with(b"Ax");
        for start in 0..200 {
            let mut bytes = [b'-'; 202];
            bytes[start] = b'A';
            bytes[start + 1] = b'x';
            assert_eq!(any_line(&bytes, &set, is_sought), start == 0, "{start}");
            for end in *b"\r\n" {
                if let Some(before) = start.checked_sub(1) {
                    bytes[before] = end;
                    assert!(any_line(&bytes, &set, is_sought), "{start}");
                    assert!(any_line(&bytes[..start + 2], &set, is_sought), "{start}");
                    assert!(!any_line(&bytes[..=start], &set, is_sought), "{start}");
                }
            }
        }
    }

    #[test]
    fn lines_that_start_otherwise_are_passed_over() {
        let set = FirstByteSet::new(b"a");
        assert!(!any_line(b"xa\nya\r\n\n", &set, |_| true));
        assert!(!any_line(b"", &set, |line| !line.is_empty()));
    }
}
