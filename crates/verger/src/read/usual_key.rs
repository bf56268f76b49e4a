//! The keys of user-agent lines and rules as most lines start with them, compared at once.

use crate::verdict::Effect;

/// Octets of a line that are looked at together.
pub(crate) const WINDOW: usize = 32;

/// A key and its colon at the start of a line, compared at once and without regard to case.
pub(crate) struct KeyAndColon {
    folded: u128,
    /// The bit in which the two cases of a letter differ, for each letter.
    cases: u128,
    mask: u128,
    length: usize,
}

pub(crate) const USER_AGENT: KeyAndColon = KeyAndColon::of(b"user-agent:");
pub(crate) const ALLOW: KeyAndColon = KeyAndColon::of(b"allow:");
pub(crate) const DISALLOW: KeyAndColon = KeyAndColon::of(b"disallow:");

impl KeyAndColon {
    const fn of(lower_case: &[u8]) -> Self {
        let mut key = Self {
            folded: 0,
            cases: 0,
            mask: 0,
            length: lower_case.len(),
        };
        let mut at = 0;
        while at < lower_case.len() {
            let shift = 8 * at;
            key.folded |= (lower_case[at] as u128) << shift;
            key.mask |= 0xFF << shift;
            if lower_case[at].is_ascii_lowercase() {
                key.cases |= 0x20 << shift;
            }
            at += 1;
        }
        key
    }

    /// Octets of the key and its colon.
    pub(crate) fn octets(&self) -> usize {
        self.length
    }

    #[inline]
    pub(crate) fn starts(&self, window: &[u8; WINDOW]) -> bool {
        let (halves, _) = window.as_chunks::<16>();
        (u128::from_le_bytes(halves[0]) | self.cases) & self.mask == self.folded
    }

    /// Where the value starts, if no more than one space stands before it.
    #[inline]
    pub(crate) fn value_in(&self, window: &[u8; WINDOW]) -> usize {
        self.length + usize::from(window[self.length] == b' ')
    }
}

/// A line that starts with the key of a rule and its colon, as far as that tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleStart {
    pub(crate) effect: Effect,
    /// Where the value starts, if no more than one space stands before it.
    pub(crate) value: usize,
}

const DISALLOW_KEY: u64 = u64::from_le_bytes(*b"disallow");
const ALLOW_KEY: u64 = u64::from_le_bytes(*b"allow\0\0\0");
const ALLOW_MASK: u64 = (1 << 40) - 1;

/// Whether a line starts with the key of a rule and its colon: [`KeyAndColon::starts`] for both
/// keys at once, without a branch between them.
#[expect(clippy::inline_always, reason = "it is part of kernels")]
#[inline(always)]
pub(crate) fn rule_start(window: &[u8; WINDOW]) -> Option<RuleStart> {
    let (eights, _) = window.as_chunks::<8>();
    // A letter in lower case has no other octets that fold to it than itself and its capital.
    let folded = u64::from_le_bytes(eights[0]) | u64::from_le_bytes([0x20; 8]);
    let disallows = folded == DISALLOW_KEY;
    let allows = folded & ALLOW_MASK == ALLOW_KEY;
    let (effect, colon) = if disallows {
        (Effect::Disallow, 8)
    } else {
        (Effect::Allow, 5)
    };
    let starts_so = (disallows || allows) && window[colon] == b':';
    starts_so.then(|| RuleStart {
        effect,
        value: colon + 1 + usize::from(window[colon + 1] == b' '),
    })
}
