//! Rules out wildcard rules by bigrams that the target lacks.
//!
//! *Idea.* The fragment after a `*` must occur in the target, and so must the pairs of neighbors
//! among its first five bytes. The pairs of the target are bits in a square matrix, so testing a
//! rule takes a few loads and no branch. Letters are folded to one case. That lets a few more rules
//! pass but keeps the matrix small enough to fill for a single question.
//!
//! *Invariant.* A rule that is ruled out does not match. Bytes that may have another form, or that
//! end a fragment, always pass.

use crate::compare::plain_bytes::SINGLE_FORM;

/// The code of bytes without a code of their own: they may have other forms or end a fragment, and
/// always pass.
const ANY: u8 = 63;

static CODES: [u8; 256] = {
    let mut codes = [ANY; 256];
    let mut next = 0;
    let mut byte = 0_u8;
    while byte < 0x80 {
        let folded = byte.to_ascii_uppercase();
        if folded != byte {
            codes[byte as usize] = codes[folded as usize];
        } else if SINGLE_FORM.contains(byte) {
            codes[byte as usize] = next;
            next += 1;
        }
        byte += 1;
    }
    assert!(next < ANY, "every code has a bit");
    codes
};

/// The pairs of adjacent bytes in a target.
pub(crate) struct BigramFilter([u64; 64]);

impl BigramFilter {
    pub(crate) fn of(form: &[u8]) -> Self {
        let mut rows = [0; 64];
        rows[usize::from(ANY)] = u64::MAX;
        let code = |byte: u8| CODES[usize::from(byte)];
        for pair in form.windows(2) {
            // The end of a fragment may follow every byte of the target.
            rows[usize::from(code(pair[0]) % 64)] |= 1 << code(pair[1]) | 1 << ANY;
        }
        if let Some(&last) = form.last() {
            rows[usize::from(code(last) % 64)] |= 1 << ANY;
        }
        Self(rows)
    }

    /// Returns whether no fragment that starts with these bytes occurs in the target. The bytes may
    /// extend past the end of the fragment.
    #[inline(always)]
    pub(crate) fn lacks(&self, bytes: [u8; 5]) -> bool {
        let codes = bytes.map(|byte| CODES[usize::from(byte)]);
        let lacks = |at: usize| {
            let row = self.0[usize::from(codes[at] % 64)];
            row >> codes[at + 1] & 1 == 0
        };
        // A byte that ends the fragment passes, and so do the bytes after it. All five are looked
        // up to avoid branches.
        let goes_on = |at: usize| codes[at] != ANY;
        let lacks_last = lacks(2) | (goes_on(2) & lacks(3));
        goes_on(0) & (lacks(0) | lacks(1) | (goes_on(1) & lacks_last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_stands_in_the_target_is_never_lacking(
            target in "/[abAB1/?=%.]{0,40}",
            at in 0_usize..40,
            bytes in 0_usize..6,
            after in "[\n*$#%a/]{5}",
        ) {
            let target = target.as_bytes();
            let at = at.min(target.len());
            let fragment = &target[at..target.len().min(at + bytes)];
            let filter = BigramFilter::of(target);
            // A fragment ends with a byte that has no code.
            for end in b"\n*$#%" {
                let rule = [fragment, &[*end], after.as_bytes()].concat();
                prop_assert!(!filter.lacks(*rule.first_chunk().unwrap()));
            }
        }
    }

    #[test]
    fn a_pair_that_stands_nowhere_is_lacking() {
        let filter = BigramFilter::of(b"/ab?c");
        for bytes in [
            *b"ac\n\n\n",
            *b"aba\n\n",
            *b"abc/a",
            *b"b/***",
            *b"/ab?/",
            *b"ab?cc",
        ] {
            assert!(filter.lacks(bytes), "{}", bytes.escape_ascii());
        }
        for bytes in [
            *b"/ab?c", *b"AB?\nq", *b"?c\nqq", *b"b*qqq", *b"\nqqqq", *b"a%qqq", *b"/ab*q",
        ] {
            assert!(!filter.lacks(bytes), "{}", bytes.escape_ascii());
        }
    }
}
