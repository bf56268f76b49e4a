//! The bytes of a rule that are their own comparison form.

use verger_simd::ByteSet;

use crate::compare::byte_search::find_outsider;
use crate::compare::bytes::OWN_FORM;
use crate::dialect::Comparison;

/// Bytes at which a rule that is unlike the target cannot match: they have one form, end nothing
/// and stand for nothing else. The form of a raw byte among them is the byte itself.
pub(crate) const SINGLE_FORM: ByteSet = ByteSet::new(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!&'()+,;=",
);

/// Google: everything but `%` and what is not ASCII.
static PLAIN_IN_BYTES: ByteSet = ByteSet::new(b"%").ascii_complement();

/// Whether a value is its own comparison form, wildcards and anchor apart. Where bytes are decoded, nothing is
/// special but what is decoded or has a code of its own.
pub(crate) fn is_plain(value: &[u8], comparison: Comparison) -> bool {
    match plain_bytes(comparison) {
        Some(plain) => find_outsider(value, plain).is_none(),
        None => memchr::memchr3(b'%', b'?', 0, value).is_none(),
    }
}

/// The bytes of fragments that are their own forms; `None` where more than bytes tells.
#[inline]
pub(crate) fn plain_bytes(comparison: Comparison) -> Option<&'static ByteSet> {
    match comparison {
        Comparison::Units => Some(&OWN_FORM),
        Comparison::Bytes => Some(&PLAIN_IN_BYTES),
        Comparison::DecodedBytes => None,
    }
}
