//! Recognizes the usual keys of user-agent lines and rules, at the start of a line, in one
//! comparison.
//!
//! *Idea.* Most lines start with `User-agent:`, `Allow:` or `Disallow:` in some case. Setting the
//! bit in which the two cases of a letter differ folds them, so one integer comparison replaces a
//! loop.
//!
//! *Invariant.* A line recognized here is a record of this kind in every dialect, unless a control
//! byte makes it invalid. `record.rs` reads all other lines.

use crate::verdict::Effect;

/// Number of bytes examined together.
pub(crate) const WINDOW: usize = 32;

/// `user-agent:` in lower case, the case bit of each of its letters, and a mask of its bytes.
const USER_AGENT: u128 = of_eleven(*b"user-agent:");
const USER_AGENT_CASES: u128 = of_eleven(*b"    \0     \0");
const USER_AGENT_MASK: u128 = of_eleven([0xFF; 11]);

const USER_AGENT_BYTES: usize = 11;

const fn of_eleven(bytes: [u8; 11]) -> u128 {
    let mut filled = [0; 16];
    let mut at = 0;
    while at < bytes.len() {
        filled[at] = bytes[at];
        at += 1;
    }
    u128::from_le_bytes(filled)
}

/// A key at the start of a line, in any case, with its colon right after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UsualKey {
    /// The effect of the rule, or `None` for a user-agent line.
    pub(crate) effect: Option<Effect>,
    pub(crate) bytes: usize,
}

impl UsualKey {
    #[inline]
    pub(crate) fn value_in(self, window: &[u8; WINDOW]) -> usize {
        self.bytes + usize::from(window[self.bytes % WINDOW] == b' ')
    }
}

#[inline(always)]
pub(crate) fn usual_key(window: &[u8; WINDOW]) -> Option<UsualKey> {
    let Some(RuleStart { effect, bytes, .. }) = rule_start(window) else {
        return user_agent_start(window);
    };
    Some(UsualKey {
        effect: Some(effect),
        bytes,
    })
}

#[inline]
pub(crate) fn user_agent_start(window: &[u8; WINDOW]) -> Option<UsualKey> {
    let (halves, _) = window.as_chunks();
    let folded = u128::from_le_bytes(halves[0]) | USER_AGENT_CASES;
    (folded & USER_AGENT_MASK == USER_AGENT).then_some(UsualKey {
        effect: None,
        bytes: USER_AGENT_BYTES,
    })
}

/// A line that starts with the key and colon of a rule. The rest of the line is not examined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleStart {
    pub(crate) effect: Effect,
    bytes: usize,
    /// Start of the value, if at most one space precedes it.
    pub(crate) value: usize,
}

const DISALLOW_KEY: u64 = u64::from_le_bytes(*b"disallow");
const ALLOW_KEY: u64 = u64::from_le_bytes(*b"allow\0\0\0");
const ALLOW_MASK: u64 = (1 << 40) - 1;

/// Recognizes the key and colon of a rule, without a branch between the two keys.
#[inline(always)]
pub(crate) fn rule_start(window: &[u8; WINDOW]) -> Option<RuleStart> {
    let (eights, _) = window.as_chunks::<8>();
    // Only a letter and its capital fold to the letter in lower case.
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
        bytes: colon + 1,
        value: colon + 1 + usize::from(window[colon + 1] == b' '),
    })
}
