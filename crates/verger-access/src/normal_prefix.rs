//! A fast path of [`Authority::from_url`]: finds the authority of a URL in normal form without parsing the whole URL.
//! If it finds an authority, both agree.

use crate::authority::{Authority, LABEL_BYTES_MAX, NAME_BYTES_MAX, Scheme};

impl Authority {
    /// Returns the start of `url` that is its authority in the form that [`Authority`] displays. This takes a few
    /// nanoseconds, and most URLs of crawlers are in that form. If it returns `None`, call [`Authority::from_url`].
    ///
    /// Accepts the schemes `http` and `https`, a host of lower-case letters, digits, hyphens and dots, and no port or
    /// a port other than the default. The last label must start with a letter, which excludes IP addresses, and no
    /// label may be Punycode, which would have to be decoded.
    ///
    /// ```
    /// use verger_access::Authority;
    ///
    /// assert_eq!(Authority::normal_prefix("http://a.example:8080/x"), Some("http://a.example:8080"));
    /// assert_eq!(Authority::normal_prefix("HTTP://a.example/x"), None);
    /// ```
    #[must_use]
    pub fn normal_prefix(url: &str) -> Option<&str> {
        url.get(..normal_prefix_bytes(url.as_bytes())?)
    }
}

/// Returns the length of [`Authority::normal_prefix`], whatever follows it.
pub(crate) fn normal_prefix_bytes(url: &[u8]) -> Option<usize> {
    let (scheme, host_start) = match url {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => (Scheme::Https, 8),
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => (Scheme::Http, 7),
        _ => return None,
    };
    let rest = &url[host_start..];
    let host_bytes = normal_host_bytes(rest)?;
    let port_bytes = match &rest[host_bytes..] {
        [] | [b'/' | b'?' | b'#', ..] => 0,
        [b':', port @ ..] => 1 + normal_port_bytes(port, scheme)?,
        _ => return None,
    };
    Some(host_start + host_bytes + port_bytes)
}

fn normal_host_bytes(rest: &[u8]) -> Option<usize> {
    let mut label = 0;
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' | b'-' => {}
            b'.' if is_normal_label(&rest[label..at]) => label = at + 1,
            b'.' => return None,
            _ => return last_label_ends(rest, label, at),
        }
    }
    last_label_ends(rest, label, rest.len())
}

fn last_label_ends(rest: &[u8], label: usize, end: usize) -> Option<usize> {
    let last = &rest[label..end];
    let starts_with_letter = last.first().is_some_and(u8::is_ascii_lowercase);
    (starts_with_letter && is_normal_label(last) && end <= NAME_BYTES_MAX).then_some(end)
}

fn is_normal_label(label: &[u8]) -> bool {
    (1..=LABEL_BYTES_MAX).contains(&label.len()) && !label.starts_with(b"xn--")
}

/// Returns the number of digits of a port that is not the default and has no leading zero.
fn normal_port_bytes(after_colon: &[u8], scheme: Scheme) -> Option<usize> {
    let digits = after_colon.iter().position(|byte| !byte.is_ascii_digit());
    let (digits, after) = after_colon.split_at(digits.unwrap_or(after_colon.len()));
    let ends = matches!(after, [] | [b'/' | b'?' | b'#', ..]);
    if !ends || matches!(digits, [] | [b'0', ..]) {
        return None;
    }
    let port: u16 = std::str::from_utf8(digits).ok()?.parse().ok()?;
    (Some(port) != scheme.default_port()).then_some(digits.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_normal_prefix_is_the_authority() {
        for (url, prefix) in [
            ("https://example.com", "https://example.com"),
            ("https://example.com/", "https://example.com"),
            ("http://a-b.example.com?q=//x", "http://a-b.example.com"),
            ("http://example.com#a@b", "http://example.com"),
            ("http://example.com:8080/x", "http://example.com:8080"),
            ("https://example.com:80", "https://example.com:80"),
            ("https://3.14.example/", "https://3.14.example"),
            ("https://a--b.example/", "https://a--b.example"),
            ("http://localhost/", "http://localhost"),
        ] {
            assert_eq!(Authority::normal_prefix(url), Some(prefix), "{url}");
            assert_eq!(
                Authority::from_url(url).unwrap().to_string(),
                prefix,
                "{url}"
            );
        }
    }

    proptest! {
        #[test]
        fn any_normal_prefix_is_the_authority(
            url in "(https?|HTTP|ftp)://[a-z0-9.%@:X\\\\\\[\\]ä\t-]{0,12}(:[0-9]{0,6})?([/?#][a@:/.]{0,4})?"
        ) {
            if let Some(prefix) = Authority::normal_prefix(&url) {
                let authority = Authority::from_url(&url).map(|it| it.to_string());
                prop_assert_eq!(authority.as_deref(), Ok(prefix), "{}", url);
            }
        }
    }

    #[test]
    fn other_spellings_have_no_normal_prefix() {
        for url in [
            "HTTPS://example.com/",
            "https://Example.com/",
            "https://example.com:443/",
            "http://example.com:080/",
            "http://example.com:/",
            "http://example.com:99999/",
            "http://example.com:8080x/",
            "http://user@example.com/",
            "http://example.com\\x",
            "http://exam\tple.com/",
            "http://127.0.0.1/",
            "http://127.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://1.0x7f/",
            "http://example.com./",
            "http://a..b/",
            "http://xn--exmple-cua.com/",
            "http://exämple.com/",
            "http://[::1]/",
            "ftp://example.com/",
            "http:///x",
            "http:/x",
            "/x",
            "",
        ] {
            assert_eq!(Authority::normal_prefix(url), None, "{url}");
        }
    }
}
