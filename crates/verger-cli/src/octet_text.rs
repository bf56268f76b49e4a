//! Octets as arguments give them, as a terminal may show them, and as JSON may hold them.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

/// The octets as text that does nothing to a terminal: what is not UTF-8 becomes U+FFFD, and
/// control characters and those that change the direction of text are written as escapes.
///
/// Bodies come from anywhere; an escape sequence in one must not reach the reader's screen.
pub(crate) fn legible(octets: &[u8]) -> String {
    let is_plain = |octet: &u8| matches!(octet, b' '..=b'~');
    if octets.iter().all(is_plain) {
        return String::from_utf8_lossy(octets).into_owned();
    }
    let mut text = String::with_capacity(octets.len());
    for character in String::from_utf8_lossy(octets).chars() {
        match character {
            '\t' => text.push(character),
            '\u{0}'..='\u{1f}' | '\u{7f}' => {
                // Writing to a string cannot fail.
                let _ = write!(text, "\\x{:02x}", u32::from(character));
            }
            '\u{80}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => text.extend(character.escape_unicode()),
            _ => text.push(character),
        }
    }
    text
}

/// How much of a text an error repeats.
const REPEATED_OCTETS_MAX: usize = 200;

/// The text, or its start and `…` where it is too long to be repeated in an error.
pub(crate) fn start_of(text: &str) -> Cow<'_, str> {
    if text.len() <= REPEATED_OCTETS_MAX {
        return Cow::Borrowed(text);
    }
    let mut ends = (0..=REPEATED_OCTETS_MAX).rev();
    let start = ends.find_map(|end| text.get(..end));
    Cow::Owned(format!("{}…", start.unwrap_or_default()))
}

/// The octets as a JSON string, with U+FFFD for what is not UTF-8, and in base64 where that lost
/// something.
pub(crate) fn json_text(octets: &[u8]) -> (Cow<'_, str>, Option<String>) {
    match String::from_utf8_lossy(octets) {
        Cow::Borrowed(text) => (Cow::Borrowed(text), None),
        lossy @ Cow::Owned(_) => (lossy, Some(BASE64_STANDARD.encode(octets))),
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_not_told_what_to_do() {
        assert_eq!(legible(b"/\x1b[31m\x07"), "/\\x1b[31m\\x07");
        assert_eq!(
            legible("/a\u{202e}b\u{9b}".as_bytes()),
            "/a\\u{202e}b\\u{9b}"
        );
        assert_eq!(legible("/\u{61c}b".as_bytes()), "/\\u{61c}b");
        assert_eq!(legible(b"/\xe9\t\xc3\xa9"), "/\u{fffd}\t\u{e9}");
    }

    #[test]
    fn an_error_repeats_only_the_start_of_a_long_text() {
        let long = "é".repeat(100);
        assert_eq!(start_of(&long), long);
        assert_eq!(start_of(&format!("{long}a")), format!("{long}…"));
        let uneven = format!("a{long}");
        assert_eq!(start_of(&uneven), format!("a{}…", "é".repeat(99)));
    }

    #[test]
    fn base64_is_given_only_where_text_loses_something() {
        assert_eq!(json_text("/é".as_bytes()), (Cow::Borrowed("/é"), None));
        let (text, base64) = json_text(b"/\xe9");
        assert_eq!((&*text, base64.as_deref()), ("/\u{fffd}", Some("L+k=")));
    }
}
