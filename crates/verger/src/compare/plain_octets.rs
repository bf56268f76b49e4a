//! The octets of a rule that are their own comparison form.

use verger_simd::OctetSet;

use crate::compare::octet_search::find_outsider;
use crate::compare::octets::OWN_FORM;
use crate::dialect::Comparison;

/// Octets at which a rule that is unlike the target cannot match: they have one form, end nothing
/// and stand for nothing else. The form of a raw octet among them is the octet itself.
pub(crate) const SINGLE_FORM: OctetSet = OctetSet::of(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!&'()+,;=",
);

/// Google: everything but `%` and what is not ASCII.
static PLAIN_IN_OCTETS: OctetSet = OctetSet::of(b"%").ascii_complement();

/// Whether a value is its own comparison form, wildcards and anchor apart. Where octets are decoded, nothing is
/// special but what is decoded or has a code of its own.
pub(crate) fn is_plain(value: &[u8], comparison: Comparison) -> bool {
    match plain_octets(comparison) {
        Some(plain) => find_outsider(value, plain).is_none(),
        None => memchr::memchr3(b'%', b'?', 0, value).is_none(),
    }
}

/// The octets of fragments that are their own forms; `None` where more than octets tells.
#[inline]
pub(crate) fn plain_octets(comparison: Comparison) -> Option<&'static OctetSet> {
    match comparison {
        Comparison::Units => Some(&OWN_FORM),
        Comparison::Octets => Some(&PLAIN_IN_OCTETS),
        Comparison::DecodedOctets => None,
    }
}
