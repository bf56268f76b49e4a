//! The comparison forms of rules and targets (R9309-2.2.2-9, R9309-2.2.2-10, V-28).
//!
//! *Units* (`rfc9309`, `draft2019`). RFC 9309's tables distinguish some reserved characters from
//! their escapes, but not others. One reading satisfies every row: a reserved character that
//! delimits in its component stays as it is, and every other one is data and equals its escape. In
//! the path, `/` delimits, and so does the first `?`, which starts the query. In the query, `&` and
//! `=` delimit.
//!
//! The RFC writes data as escapes, but either of two equal spellings may serve as the form of both.
//! Verger uses the common spelling, so most targets are already in comparison form:
//!
//! | what | form |
//! |---|---|
//! | unreserved character, raw or escaped | itself |
//! | delimiter in its own component | itself |
//! | other reserved character, raw or escaped (`/` and `?` in the query, also `&` and `=` in the
//! path) | itself |
//! | escape of a delimiter of the component | `%XX` |
//! | anything else: `%`, `#`, space, controls, non-ASCII, characters not allowed in a URI | `%XX` |
//!
//! Only the escapes of `/`, `?`, `&` and `=` depend on the component. `%` is never its own form, so
//! a form can be split into units again.
//!
//! *Decoded bytes* (`koster1996`). Everything but `%2F` is decoded. The escaped slash and the `?`
//! that starts the query are written as a NUL and a letter, and a NUL byte as two NULs. So no two
//! targets share a form, and a form is a prefix of another exactly if its units are.

use alloc::vec::Vec;

use verger_simd::{ByteSet, Masks};

use crate::compare::byte_search::first_of;

const HEX_DIGITS: [u8; 16] = *b"0123456789ABCDEF";

/// One byte of a rule or target, raw or from an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Raw(u8),
    Escaped(u8),
}

/// Reads `%XX` as one byte. Every other byte, including a stray `%`, stands for itself.
#[derive(Clone, Debug)]
pub(crate) struct WrittenBytes<'o>(&'o [u8]);

impl<'o> WrittenBytes<'o> {
    pub(crate) fn of(bytes: &'o [u8]) -> Self {
        Self(bytes)
    }

    /// Takes the leading raw bytes in the set, which never contains `%`.
    pub(crate) fn raw_run(&mut self, set: &ByteSet) -> &'o [u8] {
        let run = self.0.iter().position(|byte| !set.contains(*byte));
        let (run, rest) = self.0.split_at(run.unwrap_or(self.0.len()));
        self.0 = rest;
        run
    }

    pub(crate) fn rest(&self) -> &'o [u8] {
        self.0
    }
}

impl Iterator for WrittenBytes<'_> {
    type Item = Written;

    fn next(&mut self) -> Option<Written> {
        let (&first, rest) = self.0.split_first()?;
        if let (b'%', Some(byte)) = (first, escaped_byte(rest)) {
            self.0 = &rest[2..];
            return Some(Written::Escaped(byte));
        }
        self.0 = rest;
        Some(Written::Raw(first))
    }
}

fn escaped_byte(digits: &[u8]) -> Option<u8> {
    let digit = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    };
    let [high, low] = *digits.first_chunk()?;
    Some(digit(high)? << 4 | digit(low)?)
}

pub(crate) const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

pub(crate) static UNRESERVED: ByteSet =
    ByteSet::new(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~");

/// Clients escape all other bytes first.
pub(crate) fn is_sent(byte: u8) -> bool {
    byte.is_ascii_graphic()
}

fn escape_of(byte: u8) -> [u8; 3] {
    let digit = |nibble: u8| HEX_DIGITS[usize::from(nibble)];
    [b'%', digit(byte >> 4), digit(byte & 0xF)]
}

pub(super) fn push_escape(form: &mut Vec<u8>, byte: u8) {
    form.extend_from_slice(&escape_of(byte));
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    Path,
    Query,
}

impl Component {
    /// Returns whether `byte` delimits here, so that its escape differs from it.
    pub(crate) const fn is_delimited_by(self, byte: u8) -> bool {
        match self {
            Self::Path => matches!(byte, b'/' | b'?'),
            Self::Query => matches!(byte, b'&' | b'='),
        }
    }
}

/// Returns whether the byte is reserved in RFC 3986. `#` is left out because it ends a target.
pub(crate) fn is_reserved(byte: u8) -> bool {
    matches!(
        byte,
        b':' | b'/' | b'?' | b'[' | b']' | b'@' | b'!' | b'$' | b'&'..=b',' | b';' | b'='
    )
}

pub(crate) fn push_unit(form: &mut Vec<u8>, written: Written, component: Component) {
    match written {
        // "If a percent-encoded ASCII byte is encountered in the URI, it MUST be unencoded prior
        //  to comparison, unless it is a reserved character"                   R9309-2.2.2-10
        Written::Raw(byte) | Written::Escaped(byte) if is_unreserved(byte) => form.push(byte),
        Written::Escaped(byte) if component.is_delimited_by(byte) => push_escape(form, byte),
        // Reserved characters that are data equal their escapes.               R9309-2.2.2-9
        Written::Raw(byte) | Written::Escaped(byte) if is_reserved(byte) => form.push(byte),
        Written::Raw(byte) | Written::Escaped(byte) => push_escape(form, byte),
    }
}

/// A target in comparison form and as written. Both have the same units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComparedTarget<'t> {
    pub(crate) form: &'t [u8],
    pub(crate) written: &'t [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TargetExtent {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) form: TargetForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TargetForm {
    AsWritten,
    Other,
}

/// Copies nothing, because most targets are in comparison form already.
#[inline(always)]
pub(crate) fn extent_in_units<M: Masks>(masks: M, url: &[u8], start: usize) -> TargetExtent {
    let extent = |end, form| TargetExtent { start, end, form };
    let mut at = start;
    let mut component = Component::Path;
    let has_other_form = |block: &_| !masks.members(block, &OWN_FORM);
    while let Some(found) = first_of(url, at, has_other_form) {
        match url[found] {
            b'#' => return extent(found, TargetForm::AsWritten),
            b'%' => {
                // Each byte is examined once, however many escapes there are.
                if component == Component::Path && memchr::memchr(b'?', &url[at..found]).is_some() {
                    component = Component::Query;
                }
                if !is_own_form(&url[found..], component) {
                    return extent(target_end(url, found), TargetForm::Other);
                }
                at = found + 3;
            }
            _ => return extent(target_end(url, found), TargetForm::Other),
        }
    }
    extent(url.len(), TargetForm::AsWritten)
}

pub(crate) fn target_end(url: &[u8], from: usize) -> usize {
    memchr::memchr(b'#', &url[from..]).map_or(url.len(), |end| from + end)
}

/// Raw bytes that are their own form in every component. In a rule they are plain bytes, wildcards
/// and anchors.
pub(crate) static OWN_FORM: ByteSet = ByteSet::new(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!$&'()*+,;=",
);

/// Returns whether `rest` starts with an escape that is already in its form in `component`.
fn is_own_form(rest: &[u8], component: Component) -> bool {
    let Some(Written::Escaped(byte)) = WrittenBytes::of(rest).next() else {
        return false;
    };
    // Forms have upper-case digits.
    if rest[1..3].iter().any(u8::is_ascii_lowercase) {
        return false;
    }
    !is_unreserved(byte) && (component.is_delimited_by(byte) || !is_reserved(byte))
}

pub(crate) fn written_in_units(target: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(target.len() + 16);
    let mut component = Component::Path;
    let mut rest = WrittenBytes::of(target);
    loop {
        let run = rest.raw_run(&OWN_FORM);
        bytes.extend_from_slice(run);
        if component == Component::Path && memchr::memchr(b'?', run).is_some() {
            component = Component::Query;
        }
        let Some(written) = rest.next() else {
            return bytes;
        };
        push_unit(&mut bytes, written, component);
    }
}

/// Escapes the pattern of a rule as Google's library does: non-ASCII bytes are escaped one by one,
/// and digits of escapes become upper case. Other bytes are unchanged.
pub(crate) fn google_escaped(pattern: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(pattern.len());
    for written in WrittenBytes::of(pattern) {
        match written {
            Written::Raw(byte) if byte.is_ascii() => escaped.push(byte),
            Written::Raw(byte) | Written::Escaped(byte) => push_escape(&mut escaped, byte),
        }
    }
    escaped
}

/// Returns `None` if a NUL is followed by something that [`decoded`] never writes.
pub(crate) fn written_of_decoded(form: &[u8]) -> Option<Vec<u8>> {
    let mut written = Vec::with_capacity(form.len() * 3);
    let mut in_query = false;
    let mut bytes = form.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            0 => match bytes.next()? {
                b's' => push_escape(&mut written, b'/'),
                b'q' => {
                    in_query = true;
                    written.push(b'?');
                }
                0 => push_escape(&mut written, 0),
                _ => return None,
            },
            b'?' if !in_query => push_escape(&mut written, byte),
            byte if OWN_FORM.contains(byte) => written.push(byte),
            byte => push_escape(&mut written, byte),
        }
    }
    Some(written)
}

/// Decodes everything in a rule or target but `%2F`. K96-3.2.2-4.
pub(crate) fn decoded(bytes: &[u8]) -> Vec<u8> {
    let mut form = Vec::with_capacity(bytes.len());
    let mut in_query = false;
    for written in WrittenBytes::of(bytes) {
        match written {
            Written::Escaped(b'/') => form.extend_from_slice(b"\0s"),
            Written::Raw(b'?') if !in_query => {
                in_query = true;
                form.extend_from_slice(b"\0q");
            }
            Written::Raw(0) | Written::Escaped(0) => form.extend_from_slice(b"\0\0"),
            Written::Raw(byte) | Written::Escaped(byte) => form.push(byte),
        }
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use verger_simd::kernel;

    kernel! {
        fn in_units<'u>(masks: M, url: &'u [u8]) -> TargetExtent {
            extent_in_units(masks, url, 0)
        }
    }

    proptest! {
        // Bytes in their own form are not rewritten.
        #[test]
        fn a_target_that_is_its_own_form_is_told_as_one(
            target in "/([ab/?&=,;]|%2F|%2f|%3F|%26|%3D|%C3|%c3|%61|%|%4|é| ){0,40}",
            fragment in "(#[ab#%]{0,3})?",
        ) {
            let mut url = target.clone();
            url.push_str(&fragment);
            let extent = in_units(url.as_bytes());
            prop_assert_eq!((extent.start, extent.end), (0, target.len()));
            let written = written_in_units(target.as_bytes());
            let is_own = written == target.as_bytes();
            prop_assert_eq!(extent.form == TargetForm::AsWritten, is_own);
        }
    }

    #[test]
    fn escapes_are_their_own_form_in_their_component() {
        let form = |target: &str| in_units(target.as_bytes()).form;
        assert_eq!(form("/%C3%2F%3F?%C3%26%3D&a=b/c?d"), TargetForm::AsWritten);
        for not_its_own in ["/%26", "/%3D", "/?%2F", "/?%3F", "/%c3", "/%61", "/%"] {
            assert_eq!(form(not_its_own), TargetForm::Other, "{not_its_own}");
        }
    }
}
