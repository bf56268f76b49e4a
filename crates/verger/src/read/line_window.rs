//! The first octets of a line, however near the end of the body it stands.
//!
//! A comparison of the first octets of lines needs the same number of octets of each. Behind the last
//! octet of the body white space is seen, so that the last lines need no code of their own; bits of
//! masks behind the end of a line say nothing in any case. That a window is whole is one comparison
//! a line.

/// Octets of a line that are seen: the longest usual key, its colon and 64 octets more.
pub(crate) const OCTETS: usize = 80;

/// Windows of a body, one for each place.
pub(crate) struct LineWindows<'b> {
    body: &'b [u8],
    /// The last octets of the body, and white space behind them.
    tail: [u8; 2 * OCTETS],
    tail_start: usize,
}

impl<'b> LineWindows<'b> {
    pub(crate) fn of(body: &'b [u8]) -> Self {
        let tail_start = body.len().saturating_sub(OCTETS);
        let mut tail = [b' '; 2 * OCTETS];
        let last = &body[tail_start..];
        tail[..last.len()].copy_from_slice(last);
        Self {
            body,
            tail,
            tail_start,
        }
    }

    /// The octets from `start` on, which is within the body or its end.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn at(&self, start: u32) -> &[u8; OCTETS] {
        match whole(self.body, start as usize) {
            Some(window) => window,
            None => self.in_tail(start as usize),
        }
    }

    #[cold]
    #[inline(never)]
    fn in_tail(&self, start: usize) -> &[u8; OCTETS] {
        whole(&self.tail, start - self.tail_start).unwrap_or(&BLANK)
    }
}

static BLANK: [u8; OCTETS] = [b' '; OCTETS];

/// The window that starts there, where the body goes on for long enough.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(crate) fn whole(body: &[u8], start: usize) -> Option<&[u8; OCTETS]> {
    body.get(start..start + OCTETS)?.first_chunk()
}

/// The window that starts there, where the body ends too soon.
#[cold]
#[inline(never)]
pub(crate) fn filled_up(body: &[u8], start: usize) -> [u8; OCTETS] {
    let mut window = BLANK;
    let last = body.get(start..).unwrap_or_default();
    for (to, from) in window.iter_mut().zip(last) {
        *to = *from;
    }
    window
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn each_window_shows_what_follows_and_then_white_space() {
        for length in 0..=u8::MAX {
            let body: Vec<u8> = (0..length).collect();
            let windows = LineWindows::of(&body);
            for start in 0..=body.len() {
                let mut expected = [b' '; OCTETS];
                let there = &body[start..body.len().min(start + OCTETS)];
                expected[..there.len()].copy_from_slice(there);
                let asked = u32::try_from(start).unwrap();
                assert_eq!(windows.at(asked), &expected, "{start} of {length}");
                assert_eq!(filled_up(&body, start), expected);
                let fits = start + OCTETS <= body.len();
                assert_eq!(whole(&body, start).is_some(), fits);
            }
        }
    }
}
