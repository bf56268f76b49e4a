//! File names and other arguments, as bytes and as text.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use verger_answer::text::legible;

/// Returns the bytes of an argument: unchanged on Unix, as UTF-8 elsewhere.
#[must_use]
pub fn argument_bytes(argument: &OsStr) -> Cow<'_, [u8]> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Cow::Borrowed(argument.as_bytes())
    }
    #[cfg(not(unix))]
    {
        match argument.to_string_lossy() {
            Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
            Cow::Owned(text) => Cow::Owned(text.into_bytes()),
        }
    }
}

/// Returns a path as text that is safe to print.
#[must_use]
pub fn legible_path(path: &(impl AsRef<Path> + ?Sized)) -> String {
    legible(&argument_bytes(path.as_ref().as_os_str()))
}
