//! Parses sites as users write them: a URL or a host.

use verger_access::{Authority, AuthorityError};

use crate::text::{legible, start_of};

/// Returns the authorities that a text names: that of a URL, or those of https and http for a host
/// with an optional port.
///
/// # Errors
///
/// Returns an error if the text is neither a URL nor a host.
pub fn written_sites(text: &str) -> Result<Vec<Authority>, NoSite> {
    let no_authority = |error| NoSite {
        text: text.to_owned(),
        error,
    };
    if text.contains("://") {
        return Ok(vec![Authority::from_url(text).map_err(no_authority)?]);
    }
    let both = ["https", "http"].map(|scheme| of_host(scheme, text));
    let both: Result<_, _> = both.into_iter().collect();
    both.map_err(no_authority)
}

/// Returns the authority of a URL, or that of https for a host with an optional port.
///
/// # Errors
///
/// Returns an error if the text is neither a URL nor a host.
pub fn written_site(text: &str) -> Result<Authority, NoSite> {
    let named = if text.contains("://") {
        Authority::from_url(text)
    } else {
        of_host("https", text)
    };
    named.map_err(|error| NoSite {
        text: text.to_owned(),
        error,
    })
}

/// Parses a host with an optional port. Rejects a path, because its first part would become the
/// host, a colon without a port (`http:/example.com`), and userinfo (`mailto:a@b`).
fn of_host(scheme: &str, text: &str) -> Result<Authority, AuthorityError> {
    let host = text.split(['/', '\\', '?', '#']).next();
    if host.is_none_or(|host| host.is_empty() || host.ends_with(':') || host.contains('@')) {
        return Err(AuthorityError::NoHost(scheme.to_owned()));
    }
    Authority::from_url(&format!("{scheme}://{text}/"))
}

/// The text is neither a URL nor a host.
#[derive(Clone, Debug, thiserror::Error)]
#[error("`{}` is neither a host nor a URL: {error}", start_of(&legible(.text.as_bytes())))]
pub struct NoSite {
    text: String,
    error: AuthorityError,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let found = written_sites(text).unwrap();
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_host_stands_for_both_schemes_and_a_url_for_one() {
        let both = ["https://example.com", "http://example.com"];
        assert_eq!(names("Example.com"), both);
        let both = ["https://[::1]:8080", "http://[::1]:8080"];
        assert_eq!(names("[::1]:8080"), both);
        assert_eq!(names("http://example.com/a?b"), ["http://example.com"]);
        for text in [
            "",
            "a b",
            "/a",
            "file:///a",
            "https://",
            "http:/example.com",
            "https:",
            "mailto:a@b",
            "a@b/",
        ] {
            assert!(written_sites(text).is_err(), "{text}");
            assert!(written_site(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_host_alone_stands_for_https() {
        for (text, name) in [
            ("Example.com", "https://example.com"),
            ("example.com/page", "https://example.com"),
            ("localhost:8080", "https://localhost:8080"),
            ("http://example.com/robots.txt", "http://example.com"),
        ] {
            assert_eq!(written_site(text).unwrap().to_string(), name);
        }
    }
}
