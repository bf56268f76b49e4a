//! A site as an argument gives it: a URL, or a host alone.

use std::error::Error;
use std::fmt;

use verger_access::{Authority, AuthorityError};

use crate::octet_text::start_of;

/// The authority of a URL; a host alone, perhaps with a port, means https.
///
/// # Errors
///
/// Where it is neither.
pub(crate) fn site(text: &str) -> Result<Authority, SiteError> {
    let refuse = |error| SiteError {
        text: text.to_owned(),
        error,
    };
    let has_scheme = text.contains("://");
    let is_path = text.starts_with(['/', '.']);
    if has_scheme || is_path {
        return Authority::of(text).map_err(refuse);
    }
    match Authority::of(text) {
        // `mailto:a` has a scheme, `localhost:8080` has none.
        Err(error @ AuthorityError::OtherScheme(_)) if !has_port(text) => Err(refuse(error)),
        _ => Authority::of(&format!("https://{text}")).map_err(refuse),
    }
}

/// Whether digits stand behind the first colon.
fn has_port(text: &str) -> bool {
    let (_, rest) = text.split_once(':').unwrap_or_default();
    rest.starts_with(|first: char| first.is_ascii_digit())
}

/// A text is no site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SiteError {
    text: String,
    error: AuthorityError,
}

impl fmt::Display for SiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = start_of(&self.text);
        match &self.error {
            AuthorityError::NotAbsolute => {
                write!(f, "`{text}` is no site: write https://host or a host")
            }
            error => write!(f, "`{text}`: {error}"),
        }
    }
}

impl Error for SiteError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_alone_means_https() {
        for (text, authority) in [
            ("example.com", "https://example.com"),
            ("EXAMPLE.com/page", "https://example.com"),
            ("localhost:8080", "https://localhost:8080"),
            ("127.0.0.1:8080", "https://127.0.0.1:8080"),
            ("[::1]", "https://[::1]"),
            ("http://example.com/robots.txt", "http://example.com"),
            ("ftp://example.com", "ftp://example.com"),
        ] {
            let site = site(text).map(|site| site.to_string());
            assert_eq!(site.as_deref(), Ok(authority), "{text}");
        }
    }

    #[test]
    fn what_is_no_site_is_refused() {
        for text in [
            "",
            "/page",
            "mailto:a@b.example",
            "file:///etc/hosts",
            "a b",
            "https://",
        ] {
            assert!(site(text).is_err(), "{text}");
        }
    }
}
