//! `TargetPath`: the part of a URL that rules are compared with (RFC 9309 2.2.2;
//! google/robotstxt's URL-to-path extraction for `google`).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use verger_simd::OctetSet;

use crate::dialect::{Comparison, Reading};
use crate::octet_search::find_member;
use crate::octets;
use crate::shortened::Shortened;

/// Path and query of a URL, never its fragment, ready to be compared in one dialect.
///
/// Nothing is normalised beyond the comparison: dot segments, `//` and `\` stay as they are, so
/// ask about the URL that will be requested. Scheme, userinfo, host and port have no part in a
/// verdict.
///
/// It borrows from the URL, and copies only where the comparison form differs from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetPath<'u> {
    written: Cow<'u, [u8]>,
    comparison: Comparison,
    form: Form<'u>,
}

/// The comparison form of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Form<'u> {
    /// The target as written.
    Written,
    Other(Cow<'u, [u8]>),
}

impl<'u> TargetPath<'u> {
    /// The target of a URL, or of a request target that starts with `/`.
    ///
    /// In `google` any octets have a target, found as Google's library finds it. In the other
    /// dialects `url` is absolute (`scheme://authority…`) or starts with `/`; an empty path is
    /// `/`, and `?q` after the authority is `/?q`. Contract 3.
    ///
    /// # Errors
    ///
    /// Outside `google`, where `url` is neither, or where an http, https or ftp URL has no host.
    pub fn new<U: AsRef<[u8]> + ?Sized>(
        url: &'u U,
        reading: impl Into<Reading>,
    ) -> Result<Self, TargetPathError> {
        Self::of(url.as_ref(), reading.into().comparison)
    }

    fn of(url: &'u [u8], comparison: Comparison) -> Result<Self, TargetPathError> {
        match comparison {
            Comparison::Octets => Ok(Self {
                written: google_target(url),
                comparison,
                form: Form::Written,
            }),
            Comparison::Units | Comparison::DecodedOctets => {
                let start = request_target(url)?;
                Ok(match &url[start..] {
                    [b'/', ..] => Self::of_borrowed(url, start, comparison),
                    behind_authority => {
                        let target = with_leading_slash(behind_authority);
                        TargetPath::of_borrowed(&target, 0, comparison).into_owned()
                    }
                })
            }
        }
    }

    /// The target that starts with the slash at `start`, up to the fragment.
    fn of_borrowed(url: &'u [u8], start: usize, comparison: Comparison) -> Self {
        let (form, end) = form_of(url, start, comparison);
        let form = match form {
            Cow::Borrowed(_) => Form::Written,
            Cow::Owned(form) => Form::Other(Cow::Owned(form)),
        };
        Self {
            written: Cow::Borrowed(&url[start..end]),
            comparison,
            form,
        }
    }

    /// The same target, which borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> TargetPath<'static> {
        TargetPath {
            written: Cow::Owned(self.written.into_owned()),
            comparison: self.comparison,
            form: match self.form {
                Form::Written => Form::Written,
                Form::Other(form) => Form::Other(Cow::Owned(form.into_owned())),
            },
        }
    }

    /// Path and query as written, with the slash that an empty path stands for.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.written
    }

    /// The form in which rules of `comparison` see this target; made anew where the target was
    /// prepared for another dialect.
    pub(crate) fn form(&self, comparison: Comparison) -> Cow<'_, [u8]> {
        if comparison == self.comparison {
            return Cow::Borrowed(match &self.form {
                Form::Written => &self.written,
                Form::Other(form) => form,
            });
        }
        form_of(&self.written, 0, comparison).0
    }
}

/// The comparison form of the target that starts at `start`, and where it ends: before a fragment.
fn form_of(url: &[u8], start: usize, comparison: Comparison) -> (Cow<'_, [u8]>, usize) {
    match comparison {
        Comparison::Units => octets::target_in_units(url, start),
        Comparison::Octets => (Cow::Borrowed(&url[start..]), url.len()),
        Comparison::DecodedOctets => {
            let end = memchr::memchr(b'#', &url[start..]).map_or(url.len(), |end| start + end);
            (Cow::Owned(octets::decoded(&url[start..end])), end)
        }
    }
}

static ENDS_AUTHORITY: OctetSet = OctetSet::of(b"/?#\\");

/// Where path, query and fragment of an absolute URL start, or a request target.
fn request_target(url: &[u8]) -> Result<usize, TargetPathError> {
    let refuse = |problem| Err(TargetPathError::new(url, problem));
    if url.starts_with(b"/") {
        return Ok(0);
    }
    let Some((scheme, after_scheme)) = split_scheme(url) else {
        return refuse(Problem::NotAbsolute);
    };
    let authority_end = find_member(after_scheme, &ENDS_AUTHORITY).unwrap_or(after_scheme.len());
    let (authority, target) = after_scheme.split_at(authority_end);
    if authority.is_empty() && needs_host(scheme) {
        return refuse(Problem::NoHost);
    }
    if target.starts_with(b"\\") {
        return refuse(Problem::BackslashInAuthority);
    }
    Ok(url.len() - target.len())
}

/// `scheme` and what follows `://`, where a scheme stands before it.
fn split_scheme(url: &[u8]) -> Option<(&[u8], &[u8])> {
    for usual in ["https", "http"] {
        let after_scheme = url.strip_prefix(usual.as_bytes());
        if let Some(rest) = after_scheme.and_then(|rest| rest.strip_prefix(b"://")) {
            return Some((usual.as_bytes(), rest));
        }
    }
    let colon = memchr::memchr(b':', url)?;
    let (scheme, rest) = url.split_at(colon);
    Some((scheme, rest.strip_prefix(b"://")?)).filter(|_| is_scheme(scheme))
}

/// "scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )": RFC 3986 3.1.
pub(crate) fn is_scheme(octets: &[u8]) -> bool {
    octets.first().is_some_and(u8::is_ascii_alphabetic)
        && octets
            .iter()
            .all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.'))
}

fn needs_host(scheme: &[u8]) -> bool {
    ["http", "https", "ftp"]
        .iter()
        .any(|needs| scheme.eq_ignore_ascii_case(needs.as_bytes()))
}

fn with_leading_slash(target: &[u8]) -> Cow<'_, [u8]> {
    match target {
        [b'/', ..] => Cow::Borrowed(target),
        [] | [b'#', ..] => Cow::Borrowed(b"/"),
        _ => {
            let mut whole = Vec::with_capacity(target.len() + 1);
            whole.push(b'/');
            whole.extend_from_slice(target);
            Cow::Owned(whole)
        }
    }
}

static STARTS_GOOGLE_PATH: OctetSet = OctetSet::of(b"/?;");
static ENDS_GOOGLE_PATH: OctetSet = OctetSet::of(b"#\0");

/// Google: path, parameters and query of any octets at all, as `GetPathParamsQuery` finds them,
/// up to a NUL (paths are C strings).
fn google_target(url: &[u8]) -> Cow<'_, [u8]> {
    let after_slashes = url.strip_prefix(b"//").unwrap_or(url);
    let after_scheme = &after_slashes[google_scheme_octets(after_slashes)..];
    let Some(path) = find_member(after_scheme, &STARTS_GOOGLE_PATH) else {
        return Cow::Borrowed(b"/");
    };
    let (before_path, target) = after_scheme.split_at(path);
    let in_scheme = &after_slashes[..after_slashes.len() - after_scheme.len()];
    if before_path.contains(&b'#') || in_scheme.contains(&b'#') {
        return Cow::Borrowed(b"/");
    }
    let end = find_member(target, &ENDS_GOOGLE_PATH).unwrap_or(target.len());
    with_leading_slash(&target[..end])
}

/// How many octets a scheme and its `://` take; none where a path starts before `://`.
fn google_scheme_octets(url: &[u8]) -> usize {
    for usual in ["https://", "http://"] {
        if url.starts_with(usual.as_bytes()) {
            return usual.len();
        }
    }
    let early_path = find_member(url, &STARTS_GOOGLE_PATH);
    match memchr::memmem::find(url, b"://") {
        Some(scheme_end) if early_path.is_none_or(|path| path >= scheme_end) => scheme_end + 3,
        Some(_) | None => 0,
    }
}

/// The text has no target that could be asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetPathError {
    url: String,
    problem: Problem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Problem {
    NotAbsolute,
    NoHost,
    BackslashInAuthority,
}

impl TargetPathError {
    fn new(url: &[u8], problem: Problem) -> Self {
        Self {
            url: String::from_utf8_lossy(url).into_owned(),
            problem,
        }
    }
}

impl fmt::Display for TargetPathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ", Shortened(&self.url))?;
        f.write_str(match self.problem {
            Problem::NotAbsolute => {
                "is neither an absolute URL (https://host/path) nor a path that starts with `/`"
            }
            Problem::NoHost => "has no host",
            Problem::BackslashInAuthority => {
                "has a backslash before its path, which some take for a slash; write the path out"
            }
        })
    }
}

impl core::error::Error for TargetPathError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use alloc::string::ToString;

    #[test]
    fn a_target_of_another_dialect_is_prepared_anew() {
        let target = TargetPath::new("https://h.example/%7Ea", Dialect::Google).unwrap();
        assert_eq!(*target.form(Comparison::Octets), *b"/%7Ea");
        assert_eq!(*target.form(Comparison::Units), *b"/~a");
    }

    #[test]
    fn errors_say_what_would_be_right() {
        let message = |url: &str| {
            TargetPath::new(url, Dialect::Rfc9309)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            message("example.com/a"),
            "`example.com/a` is neither an absolute URL (https://host/path) nor a path that \
             starts with `/`"
        );
        assert_eq!(message("https:///a"), "`https:///a` has no host");
        assert!(message(r"https://h\a").contains("backslash"));
    }
}
