//! Wildcard rules told off by what the target has nowhere.
//!
//! The fragment behind a `*` must stand in the target, so that its first three octets must, and
//! with them two pairs of neighbours. The pairs of a target are bits in a square; whether a rule
//! asks for others is told without a branch, by five loads. Letters are taken without their case,
//! which lets a few rules more pass and makes the square small enough to be filled for one question.

use crate::seen_target::PARTS;

/// The code of octets that have no code of their own: they may have other forms, or end a
/// fragment, and pass.
const ANY: u8 = 63;

/// By octet: its row and column in the square.
static CODES: [u8; 256] = {
    let mut codes = [ANY; 256];
    let mut next = 0;
    let mut octet = 0_u8;
    while octet < 0x80 {
        let folded = octet.to_ascii_uppercase();
        if folded != octet {
            codes[octet as usize] = codes[folded as usize];
        } else if PARTS.contains(octet) {
            codes[octet as usize] = next;
            next += 1;
        }
        octet += 1;
    }
    assert!(next < ANY, "every code has a bit");
    codes
};

/// The pairs of octets that stand together in a target.
pub(crate) struct PairFilter([u64; 64]);

impl PairFilter {
    pub(crate) fn of(form: &[u8]) -> Self {
        let mut rows = [1 << ANY; 64];
        rows[usize::from(ANY)] = u64::MAX;
        for pair in form.windows(2) {
            let [row, column] = [pair[0], pair[1]].map(|octet| CODES[usize::from(octet)]);
            rows[usize::from(row % 64)] |= 1 << column;
        }
        Self(rows)
    }

    /// Whether no fragment that starts with these octets stands in the target. They may reach
    /// behind the end of the fragment.
    #[expect(clippy::inline_always, reason = "it is part of kernels")]
    #[inline(always)]
    pub(crate) fn lacks(&self, octets: [u8; 3]) -> bool {
        let [first, second, third] = octets.map(|octet| CODES[usize::from(octet)]);
        let has = |row: u8, column: u8| self.0[usize::from(row % 64)] >> column & 1 == 1;
        // What ends the fragment passes, and so does what stands behind it; all are asked, so that
        // no branch is made of it.
        (first != ANY) & !(has(first, second) & has(second, third))
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
            octets in 0_usize..4,
            behind in "[\n*$#%a/]{3}",
        ) {
            let target = target.as_bytes();
            let at = at.min(target.len());
            let fragment = &target[at..target.len().min(at + octets)];
            let filter = PairFilter::of(target);
            // A fragment ends with an octet that has no code.
            for end in b"\n*$#%" {
                let rule = [fragment, &[*end], behind.as_bytes()].concat();
                prop_assert!(!filter.lacks(*rule.first_chunk().unwrap()));
            }
        }
    }

    #[test]
    fn a_pair_that_stands_nowhere_is_lacking() {
        let filter = PairFilter::of(b"/ab?c");
        for [first, second, third] in [*b"ac\n", *b"aba", *b"abc", *b"b/*"] {
            assert!(filter.lacks([first, second, third]));
        }
        for octets in [*b"/ab", *b"AB?", *b"?c\n", *b"b*a", *b"\nba", *b"a%b"] {
            assert!(!filter.lacks(octets));
        }
    }
}
