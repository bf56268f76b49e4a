//! `TargetPath`: the part of a URL that rules are compared with (RFC 9309 2.2.2;
//! google/robotstxt's URL-to-path extraction for `google`).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::dialect::{Comparison, Reading};
use crate::octets::{self, TargetForm};

/// Path and query of a URL, never its fragment, ready to be compared in one dialect.
///
/// Nothing is normalised beyond the comparison: dot segments, `//` and `\` stay as they are, so
/// ask about the URL that will be requested. Scheme, userinfo, host and port have no part in a
/// verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetPath {
    written: Vec<u8>,
    comparison: Comparison,
    form: TargetForm,
}

impl TargetPath {
    /// The target of a URL, or of a request target that starts with `/`.
    ///
    /// In `google` any octets have a target, found as Google's library finds it. In the other
    /// dialects `url` is absolute (`scheme://authority…`) or starts with `/`; an empty path is
    /// `/`, and `?q` after the authority is `/?q`. Contract 3.
    ///
    /// # Errors
    ///
    /// Outside `google`, where `url` is neither, or where an http, https or ftp URL has no host.
    pub fn new(
        url: impl AsRef<[u8]>,
        reading: impl Into<Reading>,
    ) -> Result<Self, TargetPathError> {
        let (url, comparison) = (url.as_ref(), reading.into().comparison);
        let written = match comparison {
            Comparison::Octets => google_target(url),
            Comparison::Units | Comparison::DecodedOctets => request_target(url)?,
        };
        Ok(Self {
            form: form_of(&written, comparison),
            written,
            comparison,
        })
    }

    /// Path and query as written, with the slash that an empty path stands for.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.written
    }

    /// The form in which rules of `comparison` see this target; made anew where the target was
    /// prepared for another dialect.
    pub(crate) fn form(&self, comparison: Comparison) -> alloc::borrow::Cow<'_, TargetForm> {
        if comparison == self.comparison {
            alloc::borrow::Cow::Borrowed(&self.form)
        } else {
            alloc::borrow::Cow::Owned(form_of(&self.written, comparison))
        }
    }
}

fn form_of(written: &[u8], comparison: Comparison) -> TargetForm {
    match comparison {
        Comparison::Units => octets::target_in_units(written),
        Comparison::Octets => TargetForm {
            octets: written.to_vec(),
            question_mark: None,
        },
        Comparison::DecodedOctets => TargetForm {
            octets: octets::decoded(written),
            question_mark: None,
        },
    }
}

fn request_target(url: &[u8]) -> Result<Vec<u8>, TargetPathError> {
    let refuse = |problem| Err(TargetPathError::new(url, problem));
    let without_fragment = &url[..memchr::memchr(b'#', url).unwrap_or(url.len())];
    if without_fragment.starts_with(b"/") {
        return Ok(without_fragment.to_vec());
    }
    let Some((scheme, after_scheme)) = split_scheme(without_fragment) else {
        return refuse(Problem::NotAbsolute);
    };
    let authority_end = after_scheme
        .iter()
        .position(|octet| matches!(octet, b'/' | b'?'))
        .unwrap_or(after_scheme.len());
    let (authority, target) = after_scheme.split_at(authority_end);
    if authority.is_empty() && needs_host(scheme) {
        return refuse(Problem::NoHost);
    }
    if authority.contains(&b'\\') {
        return refuse(Problem::BackslashInAuthority);
    }
    Ok(with_leading_slash(target))
}

/// `scheme` and what follows `://`, where a scheme stands before it.
fn split_scheme(url: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', url)?;
    let (scheme, rest) = url.split_at(colon);
    let is_scheme = scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme
            .iter()
            .all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.'));
    Some((scheme, rest.strip_prefix(b"://")?)).filter(|_| is_scheme)
}

fn needs_host(scheme: &[u8]) -> bool {
    ["http", "https", "ftp"]
        .iter()
        .any(|needs| scheme.eq_ignore_ascii_case(needs.as_bytes()))
}

fn with_leading_slash(target: &[u8]) -> Vec<u8> {
    let mut whole = Vec::with_capacity(target.len() + 1);
    if !target.starts_with(b"/") {
        whole.push(b'/');
    }
    whole.extend_from_slice(target);
    whole
}

/// Google: path, parameters and query of any octets at all, as `GetPathParamsQuery` finds them,
/// up to a NUL (paths are C strings).
fn google_target(url: &[u8]) -> Vec<u8> {
    let start = if url.starts_with(b"//") { 2 } else { 0 };
    let after_slashes = &url[start..];
    let path_octet = |octet: &u8| matches!(octet, b'/' | b'?' | b';');
    let early_path = after_slashes.iter().position(path_octet);
    let authority = match memchr::memmem::find(after_slashes, b"://") {
        // A path before "://" means that it does not end a scheme.
        Some(scheme_end) if early_path.is_none_or(|path| path >= scheme_end) => scheme_end + 3,
        _ => 0,
    };
    let Some(path) = after_slashes[authority..].iter().position(path_octet) else {
        return b"/".to_vec();
    };
    let path = authority + path;
    let fragment = memchr::memchr(b'#', after_slashes).unwrap_or(after_slashes.len());
    if fragment < path {
        return b"/".to_vec();
    }
    let target = &after_slashes[path..fragment];
    let c_string = &target[..memchr::memchr(0, target).unwrap_or(target.len())];
    with_leading_slash(c_string)
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
        write!(f, "`{}` ", self.url)?;
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
        assert_eq!(target.form(Comparison::Octets).octets, b"/%7Ea");
        assert_eq!(target.form(Comparison::Units).octets, b"/~a");
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
