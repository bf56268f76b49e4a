//! The keys of user-agent lines and rules as most lines start with them, compared at once.

use crate::verdict::Effect;

/// Bytes of a line that are looked at together.
pub(crate) const WINDOW: usize = 32;

/// `user-agent:` in lower case, of its letters the bit in which their cases differ, and all bytes of it.
const USER_AGENT: u128 = of_eleven(*b"user-agent:");
const USER_AGENT_CASES: u128 = of_eleven(*b"    \0     \0");
const USER_AGENT_MASK: u128 = of_eleven([0xFF; 11]);

/// Bytes of the key of a user-agent line and its colon.
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

/// A key at the start of a line, with its colon right after it, in any case: in every dialect the line is a record
/// of that kind, unless a control byte spoils it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UsualKey {
    /// What the rule does; `None` of a user-agent line.
    pub(crate) effect: Option<Effect>,
    /// Bytes of the key and its colon.
    pub(crate) bytes: usize,
}

impl UsualKey {
    /// Where the value starts, if no more than one space is before it.
    #[inline]
    pub(crate) fn value_in(self, window: &[u8; WINDOW]) -> usize {
        self.bytes + usize::from(window[self.bytes % WINDOW] == b' ')
    }
}

/// The key with which a line starts, if it is a usual one.
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

/// The same for user-agent lines alone.
#[inline]
pub(crate) fn user_agent_start(window: &[u8; WINDOW]) -> Option<UsualKey> {
    let (halves, _) = window.as_chunks();
    let folded = u128::from_le_bytes(halves[0]) | USER_AGENT_CASES;
    (folded & USER_AGENT_MASK == USER_AGENT).then_some(UsualKey {
        effect: None,
        bytes: USER_AGENT_BYTES,
    })
}

/// A line that starts with the key of a rule and its colon, as far as that tells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleStart {
    pub(crate) effect: Effect,
    /// Bytes of the key and its colon.
    bytes: usize,
    /// Where the value starts, if no more than one space is before it.
    pub(crate) value: usize,
}

const DISALLOW_KEY: u64 = u64::from_le_bytes(*b"disallow");
const ALLOW_KEY: u64 = u64::from_le_bytes(*b"allow\0\0\0");
const ALLOW_MASK: u64 = (1 << 40) - 1;

/// Whether a line starts with the key of a rule and its colon: either key, without a branch between them.
#[inline(always)]
pub(crate) fn rule_start(window: &[u8; WINDOW]) -> Option<RuleStart> {
    let (eights, _) = window.as_chunks::<8>();
    // A letter in lower case has no other bytes that fold to it than itself and its capital.
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
