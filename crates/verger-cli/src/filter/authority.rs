//! Which authority a URL belongs to: scheme, host and port, in one form for all its spellings.

use std::fmt;

use crate::octet_text::legible;

/// Writes the authority of an absolute URL to `normal`, as `scheme://host` or
/// `scheme://host:port`: scheme and host in lower case (ASCII), userinfo and the scheme's own port
/// left out. Says how many octets it takes at the start of `url`.
///
/// Nothing else is rewritten: no percent-encoding is decoded and no IDN translated, so that what
/// is spelled otherwise is another authority, for which no body will be found.
///
/// # Errors
///
/// Where `url` is not absolute, has no host, or no port that could be.
pub(super) fn normal_authority(url: &[u8], normal: &mut Vec<u8>) -> Result<usize, AuthorityError> {
    let refuse = |problem| Err(AuthorityError::new(url, problem));
    let Some((scheme, rest)) = split_scheme(url) else {
        return refuse(Problem::NotAbsolute);
    };
    let ends = |octet: &u8| matches!(octet, b'/' | b'?' | b'#' | b'\\');
    let octets = rest.iter().position(ends).unwrap_or(rest.len());
    if rest.get(octets) == Some(&b'\\') {
        return refuse(Problem::Backslash);
    }
    let authority = &rest[..octets];
    let host_start = authority.iter().rposition(|&octet| octet == b'@');
    let (host, port) = split_port(&authority[host_start.map_or(0, |at| at + 1)..]);
    if host.is_empty() {
        return refuse(Problem::NoHost);
    }
    normal.clear();
    normal.extend(scheme.iter().map(u8::to_ascii_lowercase));
    let default_port = default_port(normal);
    normal.extend_from_slice(b"://");
    normal.extend(host.iter().map(u8::to_ascii_lowercase));
    if !port.is_empty() {
        let Some(port) = port_number(port) else {
            return refuse(Problem::NoPort);
        };
        if Some(port) != default_port {
            normal.extend_from_slice(format!(":{port}").as_bytes());
        }
    }
    Ok(url.len() - rest.len() + octets)
}

/// The scheme and what follows `://`.
fn split_scheme(url: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = memchr::memchr(b':', url)?;
    let (scheme, rest) = url.split_at(colon);
    let is_scheme = scheme.first().is_some_and(u8::is_ascii_alphabetic)
        && scheme
            .iter()
            .all(|octet| octet.is_ascii_alphanumeric() || matches!(octet, b'+' | b'-' | b'.'));
    Some((scheme, rest.strip_prefix(b"://")?)).filter(|_| is_scheme)
}

/// The host and the port; an IPv6 address has colons of its own, between brackets.
fn split_port(host_and_port: &[u8]) -> (&[u8], &[u8]) {
    let after_address = host_and_port.iter().rposition(|&octet| octet == b']');
    let search_start = after_address.unwrap_or(0);
    match memchr::memchr(b':', &host_and_port[search_start..]) {
        Some(colon) => {
            let (host, port) = host_and_port.split_at(search_start + colon);
            (host, &port[1..])
        }
        None => (host_and_port, b""),
    }
}

fn port_number(digits: &[u8]) -> Option<u16> {
    let digits = digits.iter().all(u8::is_ascii_digit).then_some(digits)?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn default_port(scheme: &[u8]) -> Option<u16> {
    match scheme {
        b"http" => Some(80),
        b"https" => Some(443),
        b"ftp" => Some(21),
        _ => None,
    }
}

/// A URL has no authority.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AuthorityError {
    url: String,
    problem: Problem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Problem {
    NotAbsolute,
    Backslash,
    NoHost,
    NoPort,
}

impl AuthorityError {
    fn new(url: &[u8], problem: Problem) -> Self {
        Self {
            url: legible(url),
            problem,
        }
    }
}

impl fmt::Display for AuthorityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ", self.url)?;
        f.write_str(match self.problem {
            Problem::NotAbsolute => {
                "is not an absolute URL (https://host/path), so nothing says whose rules apply"
            }
            Problem::Backslash => {
                "has a backslash before its path, which some take for a slash; write the path out"
            }
            Problem::NoHost => "has no host",
            Problem::NoPort => "has a port that is not a number up to 65535",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn normal(url: &str) -> String {
        let mut normal = b"left over".to_vec();
        let octets = normal_authority(url.as_bytes(), &mut normal).unwrap();
        let rest = &url[octets..];
        assert!(
            rest.is_empty() || rest.starts_with(['/', '?', '#']),
            "{rest}"
        );
        String::from_utf8(normal).unwrap()
    }

    #[test]
    fn spellings_of_one_authority_are_one() {
        for url in [
            "https://example.com/a",
            "HTTPS://EXAMPLE.com",
            "https://example.com:443?q",
            "https://example.com:/a",
            "https://example.com:0443#f",
            "https://user:secret@example.com/a@b:80",
            "https://user@evil.example@example.com/",
        ] {
            assert_eq!(normal(url), "https://example.com", "{url}");
        }
    }

    #[test]
    fn scheme_host_and_port_tell_authorities_apart() {
        assert_eq!(normal("http://example.com:443/"), "http://example.com:443");
        assert_eq!(normal("http://example.com:80/"), "http://example.com");
        assert_eq!(normal("ftp://example.com:21/"), "ftp://example.com");
        assert_eq!(normal("x+y://example.com:21/"), "x+y://example.com:21");
        assert_eq!(normal("https://[2001:DB8::1]/"), "https://[2001:db8::1]");
        assert_eq!(normal("https://[::1]:8443/"), "https://[::1]:8443");
        assert_eq!(normal("https://example.com./"), "https://example.com.");
    }

    #[test]
    fn what_has_no_authority_is_refused() {
        for (url, problem) in [
            ("/a", Problem::NotAbsolute),
            ("example.com/https://a", Problem::NotAbsolute),
            ("https:/example.com", Problem::NotAbsolute),
            ("", Problem::NotAbsolute),
            (r"https://evil.example\@example.com/", Problem::Backslash),
            ("https:///a", Problem::NoHost),
            ("https://user@:80/a", Problem::NoHost),
            ("https://example.com:65536/", Problem::NoPort),
            ("https://example.com:8a/", Problem::NoPort),
            ("https://example.com:+80/", Problem::NoPort),
            ("https://::1/", Problem::NoHost),
        ] {
            let error = normal_authority(url.as_bytes(), &mut Vec::new()).unwrap_err();
            assert_eq!(error.problem, problem, "{url}");
        }
    }
}
