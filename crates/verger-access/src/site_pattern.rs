//! `SitePattern`: the sites that a host, a host with a port, or an origin names.

use std::str::FromStr;

use crate::authority::Authority;

/// The sites that an operator names.
///
/// ```
/// use verger_access::{Authority, SitePattern};
///
/// let site = Authority::from_url("https://example.com:8443/")?;
/// for text in ["example.com", "example.com:8443", "https://example.com:8443"] {
///     assert!(SitePattern::all_of(&site).contains(&text.parse()?));
/// }
/// assert!(!SitePattern::all_of(&site).contains(&"https://example.com".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SitePattern {
    /// A host with every scheme and port, as [`Authority::host`] returns it.
    Host(String),
    /// A host and a port with every scheme.
    HostAndPort(String, u16),
    /// Exactly one authority.
    Origin(Authority),
}

impl SitePattern {
    /// Returns all patterns that name `authority`, the least specific first.
    #[must_use]
    pub fn all_of(authority: &Authority) -> Vec<Self> {
        let host = || authority.host().to_owned();
        let with_port = authority.port().map(|port| Self::HostAndPort(host(), port));
        let patterns = [Some(Self::Host(host())), with_port];
        let origin = Self::Origin(authority.clone());
        patterns.into_iter().flatten().chain([origin]).collect()
    }
}

impl FromStr for SitePattern {
    type Err = NotASitePattern;

    /// Parses `example.com`, `example.com:8080` or `https://example.com`.
    fn from_str(text: &str) -> Result<Self, NotASitePattern> {
        let not_one = || NotASitePattern(text.to_owned());
        let after_scheme = text.split_once("://").map(|(_, rest)| rest);
        let name = after_scheme.map_or(text, |rest| rest.strip_suffix('/').unwrap_or(rest));
        let is_more_than_a_name = |it: char| "/\\?#@".contains(it) || it.is_whitespace();
        if name.contains(is_more_than_a_name) {
            return Err(not_one());
        }
        if after_scheme.is_some() {
            let origin = Authority::from_url(text).map_err(|_| not_one())?;
            return Ok(Self::Origin(origin));
        }
        let url = format!("http://{name}/");
        let authority = Authority::from_url(&url).map_err(|_| not_one())?;
        let host = authority.host().to_owned();
        let (_, after_colon) = name.rsplit_once(':').unwrap_or_default();
        match (after_colon.parse(), name.ends_with(':')) {
            (_, true) => Err(not_one()),
            (Ok(port), _) => Ok(Self::HostAndPort(host, port)),
            (Err(_), _) => Ok(Self::Host(host)),
        }
    }
}

/// The text names no site.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a site: write example.com, example.com:8080 or https://example.com", .0.escape_debug())]
pub struct NotASitePattern(String);

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, url: &str) -> bool {
        let site = Authority::from_url(url).unwrap();
        SitePattern::all_of(&site).contains(&pattern.parse().unwrap())
    }

    #[test]
    fn a_host_has_every_scheme_and_port() {
        for url in [
            "https://h.example/x",
            "http://u@H.example:8080",
            "gemini://h.example",
            "ftp://h.example/",
        ] {
            assert!(matches("H.Example", url), "{url}");
        }
        assert!(!matches("h.example", "https://www.h.example/"));
        assert!(!matches("h.example", "https://h.example./"));
        assert!(matches("[::1]", "http://[0::1]:81/"));
        assert!(matches("127.1", "http://127.0.0.1/"));
        assert!(matches("bücher.example", "https://xn--bcher-kva.example/"));
    }

    #[test]
    fn a_port_or_a_scheme_narrows_it() {
        assert!(matches("h.example:443", "https://h.example/"));
        assert!(matches("h.example:80", "http://h.example/"));
        assert!(matches("[::1]:80", "http://[::1]/"));
        assert!(!matches("h.example:443", "http://h.example/"));
        assert!(matches("https://h.example/", "https://h.example:443/x"));
        assert!(!matches("https://h.example", "http://h.example/x"));
        assert!(!matches("https://h.example", "https://h.example:444/x"));
        assert!(matches("gemini://h.example", "gemini://H.example/x"));
    }

    #[test]
    fn all_else_is_an_error() {
        for text in [
            "",
            ":80",
            "h:",
            "h:x",
            "h:99999",
            "a b",
            "u@h",
            "h/x",
            "h?",
            "https://",
            "https://h/x",
            "https://u@h/",
            "mailto:a",
            "::1",
            "h#",
            " h",
            "https:h",
        ] {
            assert!(text.parse::<SitePattern>().is_err(), "{text}");
        }
    }
}
