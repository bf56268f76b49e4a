//! Converts strings to bytes, and bytes to strings.

use magnus::value::ReprValue;
use magnus::{Error, RString, Ruby, Value};

use crate::exception::type_error;

/// Returns `value` if it is a string, like Ruby's `Check_Type`. Other objects are not converted.
pub(crate) fn string(ruby: &Ruby, value: Value) -> Result<RString, Error> {
    RString::from_value(value).ok_or_else(|| type_error(ruby, value, "String"))
}

/// Calls `read` with the bytes of strings, without copying, whatever their encodings.
///
/// `read` is `Send`, so it has no Ruby value and no handle to Ruby. It must not obtain one either.
pub(crate) fn with_bytes<const N: usize, R>(
    strings: [RString; N],
    read: impl FnOnce([&[u8]; N]) -> R + Send,
) -> R {
    let bytes = strings.each_ref().map(|string| {
        #[expect(
            unsafe_code,
            reason = "a copy of the body would cost as much as the answer"
        )]
        // SAFETY: the strings are on the stack until `read` returns, so they are not collected.
        // Nothing changes or moves them, because this thread holds the global lock of their Ractor
        // and `read` does not call Ruby.
        unsafe {
            string.as_slice()
        }
    });
    read(bytes)
}

/// Returns the text of a string. Bytes that are not UTF-8 are replaced by a character that occurs
/// in no product token and in no name of the registry.
pub(crate) fn text(string: RString) -> String {
    with_bytes([string], |[bytes]| {
        String::from_utf8_lossy(bytes).into_owned()
    })
}

/// Creates a frozen string from bytes, tagged as UTF-8.
pub(crate) fn frozen_string(ruby: &Ruby, bytes: &[u8]) -> RString {
    let string = ruby.enc_str_new(bytes, ruby.utf8_encoding());
    string.freeze();
    string
}
