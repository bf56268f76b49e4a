//! `Host`: the preferred mirror of a site, once read by Yandex (V-78).

use alloc::string::String;
use core::fmt;

use crate::absolute_url::scheme_end;
use crate::number::saturating_number;
use verger::{LineNumber, RecordKind, RobotsTxt};

/// The host that a site prefers among its mirrors. No crawler is known to have read it since 2018.
///
/// It is written as `www.example.com`, optionally with `http://` or `https://` before and a port
/// after it. A path, a trailing slash, an IP address, an underscore or a non-ASCII name makes a
/// value invalid. V-78.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host<'r> {
    line: LineNumber,
    written: WrittenHost<'r>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WrittenHost<'r> {
    value: &'r [u8],
    scheme: Option<&'r [u8]>,
    authority: &'r [u8],
    name: &'r [u8],
    port: Option<u16>,
}

impl<'r> Host<'r> {
    /// Returns `http` or `https` as written, if there is a scheme.
    #[must_use]
    pub fn scheme(&self) -> Option<&'r [u8]> {
        self.written.scheme
    }

    /// Returns the host and, if there is one, the port, as written.
    #[must_use]
    pub fn authority(&self) -> &'r [u8] {
        self.written.authority
    }

    /// Returns the name of the host as written.
    #[must_use]
    pub fn name(&self) -> &'r [u8] {
        self.written.name
    }

    /// Returns the port, 1 to 65535, if there is one.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        self.written.port
    }

    /// Returns the line number.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.line
    }
}

impl fmt::Display for Host<'_> {
    /// Writes the value as written: `www.example.com:8080`, `https://www.example.com`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&String::from_utf8_lossy(self.written.value))
    }
}

/// Returns the preferred host of the file: the first valid one, whatever group it is in. V-78.
#[must_use]
pub fn host(robots: &RobotsTxt) -> Option<Host<'_>> {
    robots.records_of(RecordKind::Host).find_map(|record| {
        Some(Host {
            line: record.line(),
            written: parse(record.value())?,
        })
    })
}

pub(crate) fn is_usable(value: &[u8]) -> bool {
    parse(value).is_some()
}

fn parse(value: &[u8]) -> Option<WrittenHost<'_>> {
    let (scheme, authority) = match scheme_end(value) {
        Some(end) => (Some(&value[..end]), &value[end + 3..]),
        None => (None, value),
    };
    let known_scheme = |scheme: &[u8]| {
        scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https")
    };
    if !scheme.is_none_or(known_scheme) {
        return None;
    }
    let (name, port) = match authority.iter().position(|&byte| byte == b':') {
        Some(colon) => (
            &authority[..colon],
            Some(parse_port(&authority[colon + 1..])?),
        ),
        None => (authority, None),
    };
    is_host_name(name).then_some(WrittenHost {
        value,
        scheme,
        authority,
        name,
        port,
    })
}

fn parse_port(digits: &[u8]) -> Option<u16> {
    let port = u16::try_from(saturating_number(digits)?).ok()?;
    (port > 0).then_some(port)
}

/// Returns whether the name consists of labels of letters, digits and inner hyphens, at most 63
/// bytes each and 253 in all. The last label must not be a number, as in an IP address.
fn is_host_name(name: &[u8]) -> bool {
    let is_label = |label: &[u8]| {
        (1..=63).contains(&label.len())
            && label
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
            && !label.starts_with(b"-")
            && !label.ends_with(b"-")
    };
    let mut labels = name.split(|&byte| byte == b'.');
    name.len() <= 253
        && labels.clone().all(is_label)
        && labels
            .next_back()
            .is_some_and(|last| !last.iter().all(u8::is_ascii_digit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use verger::Dialect;

    #[test]
    fn a_host_may_have_a_scheme_and_a_port() {
        for (value, scheme, name, port) in [
            ("www.example.com", None, "www.example.com", None),
            ("https://Example.com", Some("https"), "Example.com", None),
            (
                "HTTP://example.com:80",
                Some("HTTP"),
                "example.com",
                Some(80),
            ),
            (
                "xn--e1afmkfd.xn--p1ai:65535",
                None,
                "xn--e1afmkfd.xn--p1ai",
                Some(65535),
            ),
            ("localhost", None, "localhost", None),
        ] {
            let written = parse(value.as_bytes()).unwrap();
            assert_eq!(written.scheme, scheme.map(str::as_bytes), "{value}");
            assert_eq!(written.name, name.as_bytes(), "{value}");
            assert_eq!(written.port, port, "{value}");
        }
    }

    #[test]
    fn what_is_no_host_is_unusable() {
        for value in [
            "",
            "https://",
            "ftp://example.com",
            "//example.com",
            "example.com/",
            "https://example.com/a",
            "example.com:",
            "example.com:0",
            "example.com:65536",
            "example.com:80:81",
            "-example.com",
            "example-.com",
            "exa_mple.com",
            ".example.com",
            "example..com",
            "example.com.",
            "a.example b.example",
            "a.example,b.example",
            "192.0.2.1",
            "[2001:db8::1]",
            "b\u{fc}cher.example",
            "*",
        ] {
            assert!(!is_usable(value.as_bytes()), "{value:?}");
        }
        let label = "a".repeat(63);
        assert!(is_usable(label.as_bytes()));
        assert!(!is_usable(alloc::format!("{label}a").as_bytes()));
    }

    #[test]
    fn the_first_usable_host_of_the_file_counts() {
        let body = "Host: a/b\nUser-agent: x\nHost: https://b.example:8080\nHost: c.example\n";
        let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
        let found = host(&robots).unwrap();
        assert_eq!(
            (found.line().get(), found.to_string()),
            (3, "https://b.example:8080".to_string())
        );
        assert_eq!(found.scheme(), Some(&b"https"[..]));
        assert_eq!(host(&RobotsTxt::parse("Host:\n", Dialect::Google)), None);
    }
}
