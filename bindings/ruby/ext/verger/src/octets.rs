//! The octets of Ruby's strings, and strings of octets.

use magnus::value::ReprValue;
use magnus::{Error, RString, Ruby, Value};

use crate::exception::type_error;

/// The string that `value` is: no object that could be made one, as with Ruby's `Check_Type`.
///
/// # Errors
///
/// `TypeError`, where it is anything else.
pub(crate) fn string(ruby: &Ruby, value: Value) -> Result<RString, Error> {
    RString::from_value(value).ok_or_else(|| type_error(ruby, value, "String"))
}

/// Shows the octets of strings to `read`, without a copy, whatever their encodings.
///
/// `read` is `Send`, so it holds no Ruby value and no way to Ruby; it may not look for one either.
pub(crate) fn with_octets<const N: usize, R>(
    strings: [RString; N],
    read: impl FnOnce([&[u8]; N]) -> R + Send,
) -> R {
    let octets = strings.each_ref().map(|string| {
        #[expect(
            unsafe_code,
            reason = "a copy of the body would cost as much as the answer"
        )]
        // SAFETY: The strings are on the stack until `read` has returned, so they are not
        // collected; and nothing changes or moves them meanwhile, since this thread holds the
        // global lock of the Ractor that they belong to and `read` calls nothing of Ruby.
        unsafe {
            string.as_slice()
        }
    });
    read(octets)
}

/// The text of a string; octets that are not UTF-8 are replaced by what no product token, and no
/// name in the registry, holds.
pub(crate) fn text(string: RString) -> String {
    with_octets([string], |[octets]| {
        String::from_utf8_lossy(octets).into_owned()
    })
}

/// A frozen string of these octets, which says of itself that it is UTF-8.
pub(crate) fn frozen_string(ruby: &Ruby, octets: &[u8]) -> RString {
    let string = ruby.enc_str_new(octets, ruby.utf8_encoding());
    string.freeze();
    string
}
