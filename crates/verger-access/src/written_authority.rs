//! `WrittenAuthority`: the start of a URL that alone says which authority it has. Many URLs of one site
//! in a row need one look at it: the others are compared with the start of the first.

use std::borrow::Cow;

/// The start of an absolute `http` or `https` URL up to the end of its authority, as it is written.
///
/// Every URL that it starts ([`WrittenAuthority::starts`]) has the same
/// [`Authority`](crate::Authority), or none of them has one; and where
/// [`requested_target`](crate::requested_target) finds a target of one of them,
/// [`TargetPath::as_sent`](verger::TargetPath::as_sent) finds that of each other.
///
/// ```
/// use verger_access::WrittenAuthority;
///
/// let first = WrittenAuthority::of("https://Example.com:443/a").unwrap();
/// assert!(first.starts("https://Example.com:443/b?c"));
/// assert!(!first.starts("https://example.com/b"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAuthority<'u>(Cow<'u, str>);

impl<'u> WrittenAuthority<'u> {
    /// Returns the start of `url`; `None` where another octet of the URL may matter: the scheme is
    /// another one, or the authority is empty or has an octet that URL parsers remove or take for a `/`.
    #[must_use]
    pub fn of(url: &'u str) -> Option<Self> {
        let schemes = ["https://", "http://"];
        let start = schemes.iter().find(|scheme| url.starts_with(**scheme))?;
        let rest = &url.as_bytes()[start.len()..];
        let octets = rest.iter().position(|octet| b"/?#".contains(octet));
        let authority = &rest[..octets.unwrap_or(rest.len())];
        let is_clear = |octet: &u8| octet.is_ascii_graphic() && *octet != b'\\';
        let is_one = !authority.is_empty() && authority.iter().all(is_clear);
        is_one.then(|| Self(url[..start.len() + authority.len()].into()))
    }

    /// Whether `url` starts with it, and its authority ends there too.
    #[must_use]
    pub fn starts(&self, url: &str) -> bool {
        let rest = url.as_bytes().strip_prefix(self.0.as_bytes());
        matches!(rest, Some([] | [b'/' | b'?' | b'#', ..]))
    }

    /// Returns the same without the URL that it was found in.
    #[must_use]
    pub fn into_owned(self) -> WrittenAuthority<'static> {
        WrittenAuthority(self.0.into_owned().into())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use verger::{Dialect, TargetPath};

    use super::*;
    use crate::authority::Authority;
    use crate::requested_url::requested_target;

    #[test]
    fn it_ends_where_the_authority_ends() {
        for (url, written) in [
            ("https://example.com", Some("https://example.com")),
            (
                "http://u:p@EXAMPLE.com:080?q=//x",
                Some("http://u:p@EXAMPLE.com:080"),
            ),
            ("http://[::1]#a@b", Some("http://[::1]")),
            ("http://127.1/", Some("http://127.1")),
            ("http:///host/", None),
            ("http://a\\b/", None),
            ("http://a\tb/", None),
            ("http://exämple.com/", None),
            ("HTTP://example.com/", None),
            ("ftp://example.com/", None),
            ("/a", None),
        ] {
            let found = WrittenAuthority::of(url).map(|it| it.0);
            assert_eq!(found.as_deref(), written, "{url}");
        }
    }

    #[test]
    fn a_url_that_goes_on_without_a_delimiter_has_another_authority() {
        let first = WrittenAuthority::of("http://a.example/x").unwrap();
        assert!(first.starts("http://a.example"));
        assert!(first.starts("http://a.example?"));
        for other in [
            "http://a.example.com/",
            "http://a.example:8080/",
            "http://a.example\\x",
            "http://a.example@b/",
        ] {
            assert!(!first.starts(other), "{other}");
        }
    }

    proptest! {
        #[test]
        fn urls_that_it_starts_have_one_authority_and_their_targets(
            start in "https?://[a-z0-9.%@:;X\\\\\\[\\]-]{0,12}(:[0-9]{0,6})?",
            ends in prop::array::uniform2("([/?#][a@:/. ;\\\\\t\u{e4}]{0,6})?"),
        ) {
            let urls = ends.map(|end| format!("{start}{end}"));
            let Some(first) = WrittenAuthority::of(&urls[0]) else {
                return Ok(());
            };
            if !first.starts(&urls[1]) {
                return Ok(());
            }
            let [a, b] = [0, 1].map(|nth| Authority::of(&urls[nth]).ok());
            prop_assert_eq!(a, b);
            for &dialect in Dialect::ALL {
                if requested_target(urls[0].as_bytes(), dialect).is_ok() {
                    let asked = requested_target(urls[1].as_bytes(), dialect).unwrap();
                    let sent = TargetPath::as_sent(&urls[1], dialect).unwrap();
                    prop_assert_eq!(asked.as_bytes(), sent.as_bytes());
                }
            }
        }
    }
}
