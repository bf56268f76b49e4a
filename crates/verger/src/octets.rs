//! The comparison forms of rules and targets (RFC 9309 2.2.2; protocol C4).
//!
//! *Units* (`rfc9309`, `draft2019`). RFC 9309 compares percent-encoded octets, and its tables
//! keep some reserved characters apart from their escapes and others not. The reading that
//! satisfies every row: a reserved character that delimits in its component stays as it is, and
//! every other one is data and equals its escape. In the path `/` delimits, and the first `?`,
//! which starts the query; in the query `&` and `=` delimit.
//!
//! The RFC writes data as escapes; which of two equal spellings stands for both is free, and here
//! it is the one that URLs mostly have already, so that most targets are their own form:
//!
//! | what | form |
//! |---|---|
//! | unreserved character, raw or escaped | itself |
//! | delimiter in its own component | itself |
//! | other reserved character, raw or escaped (`/` and `?` in the query, `&` and `=` in the path too) | itself |
//! | escape of a delimiter of the component | `%XX` |
//! | anything else: `%`, `#`, space, controls, non-ASCII, what no URI has | `%XX` |
//!
//! So a raw character of a rule has the same form in path and query, and only the escapes of
//! `/`, `?`, `&` and `=` depend on the component. `%` never stands for itself, so the octets of a
//! form tell its units again.
//!
//! *Decoded octets* (`koster1996`). Everything is decoded but `%2F`. Two things need a code of
//! their own, the escaped slash and the `?` that starts the query; both are written as a NUL and
//! a letter, and a NUL octet as two of them, so that no two targets share a form and a form is a
//! prefix of another exactly where the units are.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use verger_simd::OctetSet;

use crate::octet_search::find_outsider;

const HEX_DIGITS: [u8; 16] = *b"0123456789ABCDEF";

/// One octet of a rule or target, and whether it was written as an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Raw(u8),
    Escaped(u8),
}

/// Reads `%XX` as one octet and everything else, a stray `%` included, as itself.
#[derive(Clone, Debug)]
pub(crate) struct WrittenOctets<'o>(&'o [u8]);

impl<'o> WrittenOctets<'o> {
    pub(crate) fn of(octets: &'o [u8]) -> Self {
        Self(octets)
    }
}

impl Iterator for WrittenOctets<'_> {
    type Item = Written;

    fn next(&mut self) -> Option<Written> {
        let (&first, rest) = self.0.split_first()?;
        if let (b'%', Some(octet)) = (first, escaped_octet(rest)) {
            self.0 = &rest[2..];
            return Some(Written::Escaped(octet));
        }
        self.0 = rest;
        Some(Written::Raw(first))
    }
}

/// The octet that two hex digits at the start of `digits` stand for.
fn escaped_octet(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// A–Z a–z 0–9 `-` `.` `_` `~`: RFC 3986's unreserved characters.
pub(crate) fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

/// `%XX` with upper-case digits.
fn escape_of(octet: u8) -> [u8; 3] {
    let digit = |nibble: u8| HEX_DIGITS[usize::from(nibble)];
    [b'%', digit(octet >> 4), digit(octet & 0xF)]
}

fn push_escape(form: &mut Vec<u8>, octet: u8) {
    form.extend_from_slice(&escape_of(octet));
}

/// Where an octet stands, as far as the forms depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    Path,
    Query,
}

impl Component {
    /// Whether `octet` delimits here, so that its escape is something else.
    pub(crate) fn is_delimited_by(self, octet: u8) -> bool {
        match self {
            Self::Path => matches!(octet, b'/' | b'?'),
            Self::Query => matches!(octet, b'&' | b'='),
        }
    }
}

/// RFC 3986's reserved characters but `#`, which ends a target: they stand for themselves.
pub(crate) fn is_reserved(octet: u8) -> bool {
    matches!(
        octet,
        b':' | b'/' | b'?' | b'[' | b']' | b'@' | b'!' | b'$' | b'&'..=b',' | b';' | b'='
    )
}

/// Appends the form of one octet that stands in `component`.
pub(crate) fn push_unit(form: &mut Vec<u8>, written: Written, component: Component) {
    match written {
        // "If a percent-encoded ASCII octet is encountered in the URI, it MUST be unencoded prior
        //  to comparison, unless it is a reserved character"                   R9309-2.2.2-10
        Written::Raw(octet) | Written::Escaped(octet) if is_unreserved(octet) => form.push(octet),
        Written::Escaped(octet) if component.is_delimited_by(octet) => push_escape(form, octet),
        // Reserved characters that are data equal their escapes.               R9309-2.2.2-9
        Written::Raw(octet) | Written::Escaped(octet) if is_reserved(octet) => form.push(octet),
        Written::Raw(octet) | Written::Escaped(octet) => push_escape(form, octet),
    }
}

/// The target in units that starts at `start` of a URL, and where it ends: before the `#` that
/// starts a fragment. Most targets are their own form, so nothing is copied.
pub(crate) fn target_in_units(url: &[u8], start: usize) -> (Cow<'_, [u8]>, usize) {
    let mut at = start;
    let mut component = Component::Path;
    while let Some(found) = find_outsider(url, at, &OWN_FORM) {
        // Each octet is looked at once, however many escapes there are.
        if component == Component::Path && memchr::memchr(b'?', &url[at..found]).is_some() {
            component = Component::Query;
        }
        match url[found] {
            b'#' => return (Cow::Borrowed(&url[start..found]), found),
            b'%' if is_own_form(&url[found..], component) => at = found + 3,
            _ => {
                let end = memchr::memchr(b'#', &url[found..]).map_or(url.len(), |end| found + end);
                return (Cow::Owned(written_in_units(&url[start..end])), end);
            }
        }
    }
    (Cow::Borrowed(&url[start..]), url.len())
}

/// What stands for itself wherever it stands raw.
static OWN_FORM: OctetSet = OctetSet::of(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?[]@!$&'()*+,;=",
);

/// Whether `rest` starts with an escape that is written as its form in `component` is.
fn is_own_form(rest: &[u8], component: Component) -> bool {
    let Some(Written::Escaped(octet)) = WrittenOctets::of(rest).next() else {
        return false;
    };
    let stays = !is_unreserved(octet) && (component.is_delimited_by(octet) || !is_reserved(octet));
    stays && rest.starts_with(&escape_of(octet))
}

fn written_in_units(target: &[u8]) -> Vec<u8> {
    let mut octets = Vec::with_capacity(target.len() + 16);
    let mut component = Component::Path;
    for written in WrittenOctets::of(target) {
        push_unit(&mut octets, written, component);
        if written == Written::Raw(b'?') {
            component = Component::Query;
        }
    }
    octets
}

/// A rule's pattern as Google's library holds it: non-ASCII octets escaped one by one, the digits
/// of escapes in upper case, nothing else touched.
pub(crate) fn google_escaped(pattern: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(pattern.len());
    for written in WrittenOctets::of(pattern) {
        match written {
            Written::Raw(octet) if octet.is_ascii() => escaped.push(octet),
            Written::Raw(octet) | Written::Escaped(octet) => push_escape(&mut escaped, octet),
        }
    }
    escaped
}

/// A rule or target with everything decoded but `%2F`. K96-3.2.2-4.
pub(crate) fn decoded(octets: &[u8]) -> Vec<u8> {
    let mut form = Vec::with_capacity(octets.len());
    let mut in_query = false;
    for written in WrittenOctets::of(octets) {
        match written {
            Written::Escaped(b'/') => form.extend_from_slice(b"\0s"),
            Written::Raw(b'?') if !in_query => {
                in_query = true;
                form.extend_from_slice(b"\0q");
            }
            Written::Raw(0) | Written::Escaped(0) => form.extend_from_slice(b"\0\0"),
            Written::Raw(octet) | Written::Escaped(octet) => form.push(octet),
        }
    }
    form
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What is borrowed is what would be written.
        #[test]
        fn a_target_that_is_its_own_form_is_told_as_one(
            target in "/([ab/?&=,;]|%2F|%2f|%3F|%26|%3D|%C3|%c3|%61|%|%4|é| ){0,40}",
        ) {
            let (form, end) = target_in_units(target.as_bytes(), 0);
            prop_assert_eq!(end, target.len());
            let written = written_in_units(target.as_bytes());
            prop_assert_eq!(&*form, &*written);
            if matches!(form, Cow::Owned(_)) {
                prop_assert_ne!(&*form, target.as_bytes());
            }
        }
    }

    #[test]
    fn escapes_are_their_own_form_in_their_component() {
        let is_borrowed =
            |target: &str| matches!(target_in_units(target.as_bytes(), 0).0, Cow::Borrowed(_));
        assert!(is_borrowed("/%C3%2F%3F?%C3%26%3D&a=b/c?d"));
        for not_its_own in ["/%26", "/%3D", "/?%2F", "/?%3F", "/%c3", "/%61", "/%"] {
            assert!(!is_borrowed(not_its_own), "{not_its_own}");
        }
    }
}
