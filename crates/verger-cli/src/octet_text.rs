//! Octets as arguments give them; and how they are shown.

use std::borrow::Cow;
use std::ffi::OsStr;

pub(crate) use verger_answer::text::{json_text, legible, start_of};

/// The octets of an argument: as given on Unix, in UTF-8 elsewhere.
pub(crate) fn argument_octets(argument: &OsStr) -> Cow<'_, [u8]> {
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
