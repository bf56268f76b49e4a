//! `requested_target`: the target of a URL that a client can request. `asked_target`: the target of a URL that is
//! checked against a given body.

use verger::dialect::Comparison;
use verger::{Dialect, Reading, Shortened, TargetPath, TargetPathError};

use crate::authority::{Authority, AuthorityError};
use crate::credentials::{credentials_in, without_credentials};
use crate::normal_prefix::normal_prefix_bytes;

/// Returns the target of `url` as a client sends it ([`TargetPath::as_sent`]), if a client can request the URL. All
/// interfaces check the URLs to be requested here, whether the robots.txt is given or fetched.
///
/// `url` is a request target that starts with `/`, or an absolute URL (`scheme://…`). This also applies to `google`,
/// because its library finds a target in any text, in which URL parsers may find another authority. V-37.
///
/// ```
/// use verger::Dialect;
/// use verger_access::requested_target;
///
/// let target = requested_target(b"https://example.com/a b", Dialect::Google)?;
/// assert_eq!(target.as_bytes(), b"/a%20b");
/// assert!(requested_target(b"https://example.com:99999/", Dialect::Google).is_err());
/// # Ok::<(), verger_access::RequestedUrlError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the URL has no target in this reading, or contains a TAB or a line end, which URL parsers
/// remove. Also returns an error if its authority is unusable: no host, a host with a space or an unclosed bracket, or
/// a port above 65535.
pub fn requested_target(
    url: &[u8],
    reading: impl Into<Reading>,
) -> Result<TargetPath<'_>, RequestedUrlError> {
    let reading = reading.into();
    let target = TargetPath::as_sent(url, reading).map_err(RequestedUrlError::Target)?;
    check_asked(url, reading.comparison())?;
    Ok(target)
}

/// Returns the target of a URL that is checked against a given body. In `google` it finds one in any text, as
/// Google's library does ([`TargetPath::new`]). In other dialects it calls [`requested_target`]. Batches and the
/// bindings use it. V-37.
///
/// ```
/// use verger::Dialect;
/// use verger_access::asked_target;
///
/// let url = b"https://example.com:99999/a";
/// assert!(asked_target(url, Dialect::Rfc9309).is_err());
/// assert_eq!(asked_target(url, Dialect::Google)?.as_bytes(), b"/a");
/// # Ok::<(), verger_access::RequestedUrlError>(())
/// ```
///
/// # Errors
///
/// Returns the errors of [`requested_target`], except in `google`, which never fails.
pub fn asked_target(
    url: &[u8],
    reading: impl Into<Reading>,
) -> Result<TargetPath<'_>, RequestedUrlError> {
    let reading = reading.into();
    if reading.comparison() != Comparison::Bytes {
        check_asked(url, reading.comparison())?;
    }
    TargetPath::new(url, reading).map_err(RequestedUrlError::Target)
}

/// Returns whether a URL has a TAB or a line end. Counting all of them is faster than stopping at the first.
pub(crate) fn has_tab_or_line_end(url: &[u8]) -> bool {
    let found = url
        .iter()
        .filter(|byte| matches!(byte, b'\t' | b'\n' | b'\r'));
    found.count() > 0
}

/// Checks that `url` has no TAB or line end, and that a client can request its authority, if it has one.
fn check_asked(url: &[u8], comparison: Comparison) -> Result<(), RequestedUrlError> {
    if has_tab_or_line_end(url) {
        let error = TargetPathError::from_tab_or_line_end(url);
        return Err(RequestedUrlError::Target(error));
    }
    if url.starts_with(b"/") || normal_prefix_bytes(url).is_some() {
        return Ok(());
    }
    // Invalid UTF-8 does not matter in a path, and is refused in a host.
    let text = String::from_utf8_lossy(url);
    // Google's library accepts any text, an empty host, and a `\` in a host, which URL parsers read as `/`.
    TargetPath::new(url, Dialect::Rfc9309).map_err(RequestedUrlError::Target)?;
    let authority = Authority::from_url(&text);
    let is_one = !has_another_end(url, comparison);
    let other = AuthorityError::Unreadable(url::ParseError::InvalidDomainCharacter);
    let authority = authority.and_then(|_| is_one.then_some(()).ok_or(other));
    authority.map_err(|error| RequestedUrlError::Authority(text.into_owned(), error))
}

/// Returns whether Google's library ends the authority of an absolute URL earlier than others, at a `;`.
fn has_another_end(url: &[u8], comparison: Comparison) -> bool {
    let scheme = url.windows(3).position(|bytes| bytes == b"://");
    let rest = &url[scheme.map_or(0, |end| end + 3)..];
    let mut authority = rest.iter().take_while(|byte| !b"/?#".contains(byte));
    comparison == Comparison::Bytes && authority.any(|byte| *byte == b';')
}

/// Why a client cannot request a URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestedUrlError {
    /// The URL has no target in the reading.
    #[error("{0}")]
    Target(TargetPathError),
    /// The authority of this URL is unusable.
    #[error("`{}`: {}", Shortened(&shown(.0)), .1)]
    Authority(String, AuthorityError),
}

fn shown(url: &str) -> String {
    let mut shown = url.to_owned();
    shown.replace_range(credentials_in(url.as_bytes()), "");
    without_credentials(&shown).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_shows_no_credentials() {
        for url in [
            "https:/u:p@a..b/",
            "https://u:p q'@a..b/",
            " https://u:p@a..b/",
        ] {
            let error = RequestedUrlError::Authority(url.to_owned(), AuthorityError::EmptyLabel);
            let text = error.to_string();
            assert!(text.contains("a..b/") && !text.contains("u:p"), "{text}");
        }
    }

    /// V-37: a URL that cannot be requested is an error in every dialect, whatever its path.
    #[test]
    fn an_authority_that_cannot_be_asked_is_an_error() {
        for &dialect in Dialect::ALL {
            for url in [
                "http://a b/c",
                "http://h:99999/",
                "http://[::1/",
                "https://",
                "https:///a",
                "https://h\\x/",
                "http://h:8a/",
                "http://1.2.3.256/",
                "<https://example.com/>",
                "http://a..b/",
                "http://.a/",
                "gopher://a..b/",
                &format!("http://{}/", "a".repeat(64)),
                &format!("http://{}/", "a.".repeat(130)),
                "file:///etc/hosts",
                "http:/h/p",
                "http:h/p",
                "http:\\\\h\\p",
                "http:/\\h/p",
                "http://\t/h/p",
                " http://h/p",
                "mailto:a@b",
                "h/x",
                "a b",
                "h;p://",
                "https://h/a\rb",
                "/a\nb",
                "/a\r",
                "https://h/a\tb",
                "/a?\t",
            ] {
                assert!(
                    requested_target(url.as_bytes(), dialect).is_err(),
                    "{dialect} {url}"
                );
                let asked = asked_target(url.as_bytes(), dialect);
                assert_eq!(asked.is_ok(), dialect == Dialect::Google, "{dialect} {url}");
            }
            for (url, path) in [
                ("http://h/c", "/c"),
                ("HTTP://H:80", "/"),
                ("http://u@[::1]:8080/x", "/x"),
                ("gopher://h/1", "/1"),
                (
                    "/a://b c",
                    if dialect == Dialect::Google {
                        "/a://b%20c"
                    } else {
                        "/a://b c"
                    },
                ),
            ] {
                let target = requested_target(url.as_bytes(), dialect);
                assert_eq!(
                    target.unwrap().as_bytes(),
                    path.as_bytes(),
                    "{dialect} {url}"
                );
            }
        }
        // For Google's library the authority ends at a `;`.
        for url in ["http://u;v@h/x", "http://h;v/x"] {
            assert!(requested_target(url.as_bytes(), Dialect::Google).is_err());
        }
        let target = requested_target(b"http://u;v@h/x", Dialect::Rfc9309);
        assert_eq!(target.unwrap().as_bytes(), b"/x");
        let target = requested_target(b"//h/x", Dialect::Rfc9309);
        assert_eq!(target.unwrap().as_bytes(), b"//h/x");
    }
}
