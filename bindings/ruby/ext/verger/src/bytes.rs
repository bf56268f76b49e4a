//! The bytes of Ruby's strings, and strings of bytes.

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

/// Shows the bytes of strings to `read`, without a copy, whatever their encodings.
///
/// `read` is `Send`, so it holds no Ruby value and no way to Ruby; it may not look for one either.
pub(crate) fn with_bytes<const N: usize, R>(
    strings: [RString; N],
    read: impl FnOnce([&[u8]; N]) -> R + Send,
) -> R {
    let bytes = strings.each_ref().map(|string| {
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
    read(bytes)
}

/// The text of a string; bytes that are not UTF-8 are replaced by what no product token, and no
/// name in the registry, holds.
pub(crate) fn text(string: RString) -> String {
    with_bytes([string], |[bytes]| {
        String::from_utf8_lossy(bytes).into_owned()
    })
}

/// A frozen string of these bytes, which says of itself that it is UTF-8.
pub(crate) fn frozen_string(ruby: &Ruby, bytes: &[u8]) -> RString {
    let string = ruby.enc_str_new(bytes, ruby.utf8_encoding());
    string.freeze();
    string
}
