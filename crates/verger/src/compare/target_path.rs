//! `TargetPath`: the part of a URL that rules are compared with (RFC 9309 2.2.2).

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use verger_simd::{ByteSet, Masks, kernel};

use crate::compare::byte_search::{find_member, first_of};
use crate::compare::bytes::{self, ComparedTarget, TargetExtent, TargetForm, is_sent};
use crate::dialect::{Comparison, ROBOTS_TXT, Reading};
use crate::legible::Shortened;

/// The path and query of a URL, without its fragment, prepared for comparison in one dialect.
/// Only the comparison is normalized. Dot segments, `//` and `\` stay as they are, so pass the URL
/// that will be requested. Scheme, userinfo, host and port do not affect a verdict.
///
/// It borrows from the URL, and copies only if the comparison form differs from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetPath<'u> {
    written: Cow<'u, [u8]>,
    comparison: Comparison,
    form: Option<Vec<u8>>,
}

impl<'u> TargetPath<'u> {
    /// Extracts the target of a URL, or of a request target that starts with `/`.
    ///
    /// In `google` any bytes have a target, extracted as Google's library does. In the other
    /// dialects `url` must be absolute (`scheme://authority…`) or start with `/`. An empty path
    /// becomes `/`, and `?q` after the authority becomes `/?q`. V-37.
    ///
    /// # Errors
    ///
    /// Returns an error, outside `google`, if `url` is neither absolute nor a path, or if an http,
    /// https or ftp URL has no host.
    pub fn new<U: AsRef<[u8]> + ?Sized>(
        url: &'u U,
        reading: impl Into<Reading>,
    ) -> Result<Self, TargetPathError> {
        Self::of(url.as_ref(), reading.into().comparison)
    }

    /// Extracts the target of a URL as clients send it: bytes from 0x80 on, controls and spaces are
    /// percent-encoded first, because requests cannot contain them. Only in `google` does this
    /// affect verdicts. In the other dialects the result equals that of [`TargetPath::new`]. V-40.
    ///
    /// ```
    /// use verger::{Dialect, TargetPath};
    ///
    /// let url = "https://example.com/é b";
    /// let target = TargetPath::as_sent(url, Dialect::Google)?;
    /// assert_eq!(target.as_bytes(), b"/%C3%A9%20b");
    /// # Ok::<(), verger::TargetPathError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`TargetPath::new`].
    pub fn as_sent<U: AsRef<[u8]> + ?Sized>(
        url: &'u U,
        reading: impl Into<Reading>,
    ) -> Result<Self, TargetPathError> {
        let (url, comparison) = (url.as_ref(), reading.into().comparison);
        let all_sent = url.iter().fold(true, |all, byte| all & is_sent(*byte));
        if comparison != Comparison::Bytes || all_sent {
            return Self::of(url, comparison);
        }
        let mut sent = Vec::with_capacity(url.len() + 16);
        for &byte in url {
            if is_sent(byte) {
                sent.push(byte);
            } else {
                bytes::push_escape(&mut sent, byte);
            }
        }
        Ok(TargetPath::of(&sent, comparison)?.into_owned())
    }

    fn of(url: &'u [u8], comparison: Comparison) -> Result<Self, TargetPathError> {
        match find_target(url, comparison) {
            Ok(Found::Extent(extent)) => Ok(Self::of_extent(url, extent, comparison)),
            Ok(Found::WithoutSlash { start, end }) if start == end => {
                Ok(Self::of_slashed(b"/", comparison))
            }
            Ok(Found::WithoutSlash { start, end }) => {
                let target = [b"/", &url[start..end]].concat();
                Ok(TargetPath::of_slashed(&target, comparison).into_owned())
            }
            Err(problem) => Err(TargetPathError::new(url, problem)),
        }
    }

    fn of_slashed(target: &'u [u8], comparison: Comparison) -> Self {
        let extent = slashed_extent(target, comparison);
        Self::of_extent(target, extent, comparison)
    }

    fn of_extent(url: &'u [u8], extent: TargetExtent, comparison: Comparison) -> Self {
        let written = &url[extent.start..extent.end];
        Self {
            written: Cow::Borrowed(written),
            comparison,
            form: match (extent.form, comparison) {
                (TargetForm::AsWritten, _) | (_, Comparison::Bytes) => None,
                (TargetForm::Other, Comparison::Units) => Some(bytes::written_in_units(written)),
                (TargetForm::Other, Comparison::DecodedBytes) => Some(bytes::decoded(written)),
            },
        }
    }

    /// Converts to a target that borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> TargetPath<'static> {
        TargetPath {
            written: Cow::Owned(self.written.into_owned()),
            comparison: self.comparison,
            form: self.form,
        }
    }

    /// Returns path and query as written. An empty path is a slash.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.written
    }

    /// Returns whether this is the robots.txt itself: exactly `/robots.txt` in comparison form,
    /// without a query. R9309-2.2.2-8, V-39.
    #[must_use]
    pub fn is_robots_txt(&self) -> bool {
        *self.form(self.comparison) == *ROBOTS_TXT
    }

    /// Returns the bytes that rules are compared with in this comparison.
    ///
    /// Every policy of that comparison gives targets of equal form the same verdict, unless a
    /// pattern has an [`crate::EscapeStart`]. That also depends on [`TargetPath::as_bytes`].
    ///
    /// ```
    /// use verger::dialect::Comparison;
    /// use verger::{Dialect, TargetPath};
    ///
    /// let target = TargetPath::new("https://example.com/%7Ejoe/é", Dialect::Rfc9309)?;
    /// assert_eq!(&*target.comparison_form(Comparison::Units), b"/~joe/%C3%A9");
    /// # Ok::<(), verger::TargetPathError>(())
    /// ```
    #[must_use]
    pub fn comparison_form(&self, comparison: Comparison) -> Cow<'_, [u8]> {
        self.form(comparison)
    }

    /// Returns a target of this form as clients send it, or `None` if clients never send one. In
    /// `google` no client sends spaces, controls or bytes from 0x80 on, because they are escaped
    /// first. V-40.
    ///
    /// ```
    /// use verger::TargetPath;
    /// use verger::dialect::Comparison;
    ///
    /// let target = TargetPath::from_form(b"/a b", Comparison::DecodedBytes).unwrap();
    /// assert_eq!(target.as_bytes(), b"/a%20b");
    /// assert!(TargetPath::from_form(b"/a b", Comparison::Units).is_none());
    /// assert!(TargetPath::from_form(b"/a b", Comparison::Bytes).is_none());
    /// ```
    #[must_use]
    pub fn from_form(form: &[u8], comparison: Comparison) -> Option<TargetPath<'static>> {
        let written = match comparison {
            Comparison::Bytes if !form.iter().all(|byte| is_sent_in_path(*byte)) => return None,
            Comparison::Units | Comparison::Bytes => Cow::Borrowed(form),
            Comparison::DecodedBytes => Cow::Owned(bytes::written_of_decoded(form)?),
        };
        if !written.starts_with(b"/") {
            return None;
        }
        let target = TargetPath::of_slashed(&written, comparison);
        let is_of_form = *target.form(comparison) == *form;
        is_of_form.then(|| target.into_owned())
    }

    /// Requires the form of this target.
    pub(crate) fn with_form<'t>(&'t self, form: &'t [u8]) -> ComparedTarget<'t> {
        let written = &self.written;
        ComparedTarget { form, written }
    }

    /// Computes the form again if the target was prepared for another dialect.
    pub(crate) fn form(&self, comparison: Comparison) -> Cow<'_, [u8]> {
        if comparison == self.comparison {
            return Cow::Borrowed(self.form.as_deref().unwrap_or(&self.written));
        }
        let form = TargetPath::of_slashed(&self.written, comparison).form;
        form.map_or(Cow::Borrowed(&*self.written), Cow::Owned)
    }
}

/// Clients never send a fragment.
fn is_sent_in_path(byte: u8) -> bool {
    is_sent(byte) && byte != b'#'
}

enum Found {
    Extent(TargetExtent),
    /// The path is empty or, in `google`, has no slash.
    WithoutSlash {
        start: usize,
        end: usize,
    },
}

kernel! {
    fn find_target<'u>(masks: M, url: &'u [u8], comparison: Comparison) -> Result<Found, Problem> {
        if comparison == Comparison::Bytes {
            return Ok(google_target(masks, url));
        }
        let start = request_target(masks, url)?;
        if url.get(start) == Some(&b'/') {
            return Ok(Found::Extent(extent(masks, url, start, comparison)));
        }
        let end = bytes::target_end(url, start);
        Ok(Found::WithoutSlash { start, end })
    }
}

kernel! {
    fn slashed_extent<'u>(masks: M, url: &'u [u8], comparison: Comparison) -> TargetExtent {
        extent(masks, url, 0, comparison)
    }
}

#[inline(always)]
fn extent<M: Masks>(masks: M, url: &[u8], start: usize, comparison: Comparison) -> TargetExtent {
    match comparison {
        Comparison::Units => bytes::extent_in_units(masks, url, start),
        Comparison::Bytes => TargetExtent {
            start,
            end: url.len(),
            form: TargetForm::AsWritten,
        },
        Comparison::DecodedBytes => TargetExtent {
            start,
            end: bytes::target_end(url, start),
            form: TargetForm::Other,
        },
    }
}

static ENDS_AUTHORITY: ByteSet = ByteSet::new(b"/?#\\");

/// Finds the target in an absolute URL or a request target.
#[inline(always)]
fn request_target<M: Masks>(masks: M, url: &[u8]) -> Result<usize, Problem> {
    if url.starts_with(b"/") {
        return Ok(0);
    }
    let (scheme, authority_start) = if let Some(bytes) = usual_scheme_bytes(url) {
        (&b"http"[..], bytes)
    } else {
        let (scheme, rest) = split_scheme(url).ok_or(Problem::NotAbsolute)?;
        (scheme, url.len() - rest.len())
    };
    let ends_authority = |block: &_| masks.members(block, &ENDS_AUTHORITY);
    let target_start = first_of(url, authority_start, ends_authority).unwrap_or(url.len());
    if target_start == authority_start && needs_host(scheme) {
        return Err(Problem::NoHost);
    }
    if url.get(target_start) == Some(&b'\\') {
        return Err(Problem::BackslashInAuthority);
    }
    Ok(target_start)
}

#[inline]
fn usual_scheme_bytes(url: &[u8]) -> Option<usize> {
    let start = u64::from_le_bytes(*url.first_chunk()?);
    if start == u64::from_le_bytes(*b"https://") {
        Some(8)
    } else if start << 8 == u64::from_le_bytes(*b"\0http://") {
        Some(7)
    } else {
        None
    }
}

fn split_scheme(url: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', url)?;
    let (scheme, rest) = url.split_at(colon);
    Some((scheme, rest.strip_prefix(b"://")?)).filter(|_| is_scheme(scheme))
}

/// "scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )": RFC 3986 3.1.
pub(crate) fn is_scheme(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn needs_host(scheme: &[u8]) -> bool {
    ["http", "https", "ftp"]
        .iter()
        .any(|needs| scheme.eq_ignore_ascii_case(needs.as_bytes()))
}

static STARTS_GOOGLE_PATH: ByteSet = ByteSet::new(b"/?;");
static ENDS_GOOGLE_HOST: ByteSet = ByteSet::new(b"/?;#");
static ENDS_GOOGLE_PATH: ByteSet = ByteSet::new(b"#\0");

/// Extracts the same as `GetPathParamsQuery`, up to a NUL (paths are C strings).
#[inline(always)]
fn google_target<M: Masks>(masks: M, url: &[u8]) -> Found {
    let after_scheme = match usual_scheme_bytes(url) {
        Some(bytes) => bytes,
        None => match google_scheme(url) {
            Some(end) => end,
            None => return ROOT,
        },
    };
    let start = first_of(url, after_scheme, |block| {
        masks.members(block, &ENDS_GOOGLE_HOST)
    });
    let Some(start) = start.filter(|&start| url[start] != b'#') else {
        return ROOT;
    };
    let end = first_of(url, start, |block| masks.members(block, &ENDS_GOOGLE_PATH));
    let end = end.unwrap_or(url.len());
    if url[start] == b'/' {
        let form = TargetForm::AsWritten;
        return Found::Extent(TargetExtent { start, end, form });
    }
    Found::WithoutSlash { start, end }
}

const ROOT: Found = Found::WithoutSlash { start: 0, end: 0 };

/// Finds the start after two leading slashes, and after a `://` that no path precedes. Returns
/// `None` if the scheme contains a `#`.
fn google_scheme(url: &[u8]) -> Option<usize> {
    let after_slashes = url.strip_prefix(b"//").unwrap_or(url);
    let slashes = url.len() - after_slashes.len();
    let early_path = find_member(after_slashes, &STARTS_GOOGLE_PATH);
    let scheme = memchr::memmem::find(after_slashes, b"://")
        .filter(|&end| early_path.is_none_or(|path| path >= end))
        .map_or(&b""[..], |end| &after_slashes[..end + 3]);
    (!scheme.contains(&b'#')).then_some(slashes + scheme.len())
}

/// The text has no target.
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
    TabOrLineEnd,
}

impl TargetPathError {
    /// Creates the error of a URL that contains a TAB or a line end, which URL parsers would
    /// silently remove. V-37.
    #[must_use]
    pub fn from_tab_or_line_end(url: &[u8]) -> Self {
        Self::new(url, Problem::TabOrLineEnd)
    }

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
            Problem::TabOrLineEnd => "contains a tab or a line break",
            Problem::BackslashInAuthority => {
                "has a backslash before its path, which some parsers read as a slash: write `/` \
                 instead"
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
        assert_eq!(*target.form(Comparison::Bytes), *b"/%7Ea");
        assert_eq!(*target.form(Comparison::Units), *b"/~a");
    }

    #[test]
    fn the_file_itself_has_no_query() {
        for &dialect in Dialect::ALL {
            let is = |url: &str| TargetPath::new(url, dialect).unwrap().is_robots_txt();
            assert!(is("https://h.example/robots.txt#x"));
            assert!(!is("https://h.example/robots.txt?x=1"));
            assert!(!is("https://h.example/Robots.txt"));
            assert_eq!(is("/%72obots.txt"), dialect != Dialect::Google);
        }
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
