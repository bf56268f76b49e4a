//! `WrittenAuthority`: the start of a URL that determines its authority. In a row of URLs of one site, only the first
//! is parsed. The others are compared with its start. `KeptAuthority` does the same for the URLs that one policy
//! decides.

use std::borrow::Cow;
use std::sync::OnceLock;

use verger::dialect::Comparison;
use verger::{Reading, TargetPath};

use crate::requested_url::{RequestedUrlError, asked_target, has_tab_or_line_end};

/// The start of an absolute `http` or `https` URL up to the end of its authority, as written.
///
/// Every URL with this start ([`WrittenAuthority::starts`]) has the same [`Authority`](crate::Authority), or none. If
/// [`requested_target`](crate::requested_target) finds a target for one of these URLs,
/// [`TargetPath::as_sent`](verger::TargetPath::as_sent) finds the target of each other URL.
///
/// ```
/// use verger_access::WrittenAuthority;
///
/// let first = WrittenAuthority::from_url("https://Example.com:443/a").unwrap();
/// assert!(first.starts("https://Example.com:443/b?c"));
/// assert!(!first.starts("https://example.com/b"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAuthority<'u>(Cow<'u, [u8]>);

impl<'u> WrittenAuthority<'u> {
    /// Returns the start of `url`. Returns `None` if the scheme is another one, or if the authority is empty or has a
    /// byte that URL parsers remove or read as `/`.
    #[must_use]
    pub fn from_url(url: &'u str) -> Option<Self> {
        Self::from_url_bytes(url.as_bytes())
    }

    /// Does the same with a URL that may not be UTF-8.
    #[must_use]
    pub fn from_url_bytes(url: &'u [u8]) -> Option<Self> {
        let schemes = [&b"https://"[..], b"http://"];
        let start = schemes.iter().find(|scheme| url.starts_with(scheme))?;
        let rest = &url[start.len()..];
        let bytes = rest.iter().position(|byte| b"/?#".contains(byte));
        let authority = &rest[..bytes.unwrap_or(rest.len())];
        let is_clear = |byte: &u8| byte.is_ascii_graphic() && *byte != b'\\';
        let is_one = !authority.is_empty() && authority.iter().all(is_clear);
        is_one.then(|| Self(url[..start.len() + authority.len()].into()))
    }

    /// Returns whether `url` starts with it and its authority ends there, without a TAB or line end after it, which
    /// would make the URL invalid.
    #[must_use]
    pub fn starts(&self, url: &str) -> bool {
        self.starts_bytes(url.as_bytes())
    }

    /// Does the same with a URL that may not be UTF-8.
    #[must_use]
    pub fn starts_bytes(&self, url: &[u8]) -> bool {
        let rest = url.strip_prefix(&*self.0);
        rest.is_some_and(|rest| {
            matches!(rest, [] | [b'/' | b'?' | b'#', ..]) && !has_tab_or_line_end(rest)
        })
    }

    /// Replaces it by another one, in the same memory if it is owned.
    pub fn set(&mut self, other: &WrittenAuthority<'_>) {
        other.0.as_ref().clone_into(self.0.to_mut());
    }

    /// Returns an owned copy.
    #[must_use]
    pub fn into_owned(self) -> WrittenAuthority<'static> {
        WrittenAuthority(self.0.into_owned().into())
    }
}

/// The authority of the first URL that was checked against one robots.txt, as written. Nearly all later URLs share it.
#[derive(Clone, Debug, Default)]
pub struct KeptAuthority(OnceLock<WrittenAuthority<'static>>);

impl KeptAuthority {
    /// Returns the result of [`asked_target`], which takes 25 ns more than [`TargetPath::new`]. For a URL that starts
    /// like the first one, this takes only 2 ns more. A decision by a policy takes 30 to 60 ns.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`asked_target`].
    #[inline]
    pub fn asked_target<'u>(
        &self,
        url: &'u [u8],
        reading: impl Into<Reading>,
    ) -> Result<TargetPath<'u>, RequestedUrlError> {
        let reading = reading.into();
        let first = self.0.get();
        let is_alike = || first.is_some_and(|it| it.starts_bytes(url));
        let needs_no_check = reading.comparison() == Comparison::Bytes || is_alike();
        if needs_no_check {
            return TargetPath::new(url, reading).map_err(RequestedUrlError::Target);
        }
        let target = asked_target(url, reading)?;
        if first.is_none()
            && let Some(written) = WrittenAuthority::from_url_bytes(url)
        {
            // Another thread may have been first.
            let _ = self.0.set(written.into_owned());
        }
        Ok(target)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use verger::Dialect;

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
            let found = WrittenAuthority::from_url(url).map(|it| it.0);
            assert_eq!(found.as_deref(), written.map(str::as_bytes), "{url}");
        }
    }

    #[test]
    fn a_url_that_goes_on_without_a_delimiter_has_another_authority() {
        let first = WrittenAuthority::from_url("http://a.example/x").unwrap();
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
            let Some(first) = WrittenAuthority::from_url(&urls[0]) else {
                return Ok(());
            };
            if !first.starts(&urls[1]) {
                return Ok(());
            }
            let [a, b] = [0, 1].map(|nth| Authority::from_url(&urls[nth]).ok());
            prop_assert_eq!(a, b);
            for &dialect in Dialect::ALL {
                if requested_target(urls[0].as_bytes(), dialect).is_ok() {
                    let asked = requested_target(urls[1].as_bytes(), dialect).unwrap();
                    let sent = TargetPath::as_sent(&urls[1], dialect).unwrap();
                    prop_assert_eq!(asked.as_bytes(), sent.as_bytes());
                }
            }
        }

        #[test]
        fn a_kept_authority_changes_no_answer(
            urls in prop::collection::vec(
                "(https?://(h|a b|@|h:99999|\\[::1|H|\\[::1\\]|u;@h)|foo://|/|h)([/?#;\\\\][a/\t\r\n]{0,3})?", 1..6),
        ) {
            for &dialect in Dialect::ALL {
                let kept = KeptAuthority::default();
                for url in &urls {
                    let asked = asked_target(url.as_bytes(), dialect);
                    prop_assert_eq!(kept.asked_target(url.as_bytes(), dialect), asked, "{}", url);
                }
            }
        }
    }
}
