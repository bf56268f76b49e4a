//! Finds out which bytes of a rule are already in comparison form.

use verger_simd::ByteSet;

use crate::compare::byte_search::find_outsider;
use crate::compare::bytes::OWN_FORM;
use crate::dialect::Comparison;

/// Bytes that have one form, do not end a value and have no special meaning. A match is ruled out
/// if the target differs there.
pub(crate) const SINGLE_FORM: ByteSet = ByteSet::new(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!&'()+,;=",
);

/// The plain bytes in `google`.
static PLAIN_IN_BYTES: ByteSet = ByteSet::new(b"%").ascii_complement();

/// Returns whether a value is already in comparison form, except for wildcards and an anchor. In
/// `koster1996` only bytes that are decoded or that have a code of their own are not.
pub(crate) fn is_plain(value: &[u8], comparison: Comparison) -> bool {
    match plain_bytes(comparison) {
        Some(plain) => find_outsider(value, plain).is_none(),
        None => memchr::memchr3(b'%', b'?', 0, value).is_none(),
    }
}

/// Returns `None` if single bytes do not tell.
#[inline]
pub(crate) fn plain_bytes(comparison: Comparison) -> Option<&'static ByteSet> {
    match comparison {
        Comparison::Units => Some(&OWN_FORM),
        Comparison::Bytes => Some(&PLAIN_IN_BYTES),
        Comparison::DecodedBytes => None,
    }
}
