//! `Authority`: whose robots.txt speaks for a URL. RFC 9309 2.3; G-loc, G-url, K96-3.1.

use std::cmp::Ordering;
use std::fmt;

use url::Url;

/// The schemes whose authorities have a robots.txt. R9309-2.3-3, G-loc-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// Fetched with GET.
    Http,
    /// Fetched with GET.
    Https,
    /// Fetched with RETR after an anonymous login. G-loc-4.
    Ftp,
}

impl Scheme {
    const ALL: [Self; 3] = [Self::Http, Self::Https, Self::Ftp];

    /// The scheme as a URL writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Ftp => "ftp",
        }
    }

    /// The port that need not be written: 80, 443, 21. G-url-7.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
            Self::Ftp => 21,
        }
    }

    /// The scheme of `url`, if it is one of these.
    pub(crate) fn of(url: &Url) -> Option<Self> {
        let name = url.scheme();
        Self::ALL.into_iter().find(|scheme| scheme.as_str() == name)
    }
}

/// Scheme, host and effective port: what one robots.txt speaks for, and all that it speaks for.
///
/// Hosts are compared as the network sees them: international names in their ASCII form, IPv4
/// addresses in every spelling (`0x7f.1`, `2130706433`) as the same address. Whether a default port
/// is written makes no difference, nor does userinfo. A host with a dot at its end is another host.
/// They are ordered as the octets of their names are, which is how files and databases order them.
///
/// ```
/// use verger_access::Authority;
///
/// let authority = Authority::of("https://Example.com:443/shop/item?id=1")?;
/// assert_eq!(authority.robots_url().as_str(), "https://example.com/robots.txt");
/// assert!(!authority.speaks_for("http://example.com/"));
/// # Ok::<(), verger_access::AuthorityError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Authority {
    scheme: Scheme,
    /// Two authorities are one exactly where their files are at one URL, which is written in one
    /// way alone.
    robots_url: Url,
}

impl Authority {
    /// The authority of an absolute URL.
    ///
    /// # Errors
    ///
    /// Where `url` is not absolute, has no host, or is of a scheme that has no robots.txt.
    pub fn of(url: &str) -> Result<Self, AuthorityError> {
        let parsed = Url::parse(url).map_err(|error| match error {
            url::ParseError::RelativeUrlWithoutBase => AuthorityError::NotAbsolute,
            error => AuthorityError::Unreadable(error),
        })?;
        Self::of_url(&parsed)
    }

    /// The authority of a URL that is already read.
    ///
    /// # Errors
    ///
    /// Where `url` has no host, or is of a scheme that has no robots.txt.
    pub fn of_url(url: &Url) -> Result<Self, AuthorityError> {
        let scheme =
            Scheme::of(url).ok_or_else(|| AuthorityError::OtherScheme(url.scheme().to_owned()))?;
        if url.host_str().is_none_or(str::is_empty) {
            return Err(AuthorityError::NoHost);
        }
        Ok(Self {
            scheme,
            robots_url: robots_url(url),
        })
    }

    /// The authority whose robots.txt `url` is: the path is exactly `/robots.txt`, in lower case,
    /// and there is no query. `None` for any other URL; a file in a folder is nobody's robots.txt.
    /// R9309-2.3-1, G-loc-1, G-url-3.
    #[must_use]
    pub fn of_robots_url(url: &str) -> Option<Self> {
        let parsed = Url::parse(url).ok()?;
        is_robots_txt(&parsed).then_some(())?;
        Self::of_url(&parsed).ok()
    }

    /// `http`, `https` or `ftp`.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The host in ASCII, an IPv6 address in its brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        self.robots_url.host_str().unwrap_or_default()
    }

    /// The port that connections go to.
    #[must_use]
    pub fn port(&self) -> u16 {
        let written = self.robots_url.port();
        written.unwrap_or(self.scheme.default_port())
    }

    /// Where its robots.txt is: "scheme:[//authority]/robots.txt". R9309-2.3-3.
    #[must_use]
    pub fn robots_url(&self) -> &Url {
        &self.robots_url
    }

    /// As a URL begins: `https://example.com`.
    fn name(&self) -> &str {
        let url = self.robots_url.as_str();
        url.strip_suffix("/robots.txt").unwrap_or(url)
    }

    /// Whether its robots.txt speaks for `url`: rules apply to the same host, protocol and port
    /// alone. G-loc-5.
    #[must_use]
    pub fn speaks_for(&self, url: &str) -> bool {
        Self::of(url).is_ok_and(|authority| authority == *self)
    }

    /// Whether this is one site with `other` in the careful sense of the profile `cautious`: the
    /// same host apart from a leading `www.`, on the same port or each on the default port of its
    /// scheme.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        let has_default_port = |it: &Self| it.robots_url.port().is_none();
        let near_ports =
            self.port() == other.port() || (has_default_port(self) && has_default_port(other));
        near_ports && without_www(self.host()) == without_www(other.host())
    }
}

/// The URL of `/robots.txt` on the authority of `url`.
fn robots_url(url: &Url) -> Url {
    let mut robots_url = url.clone();
    robots_url.set_path("/robots.txt");
    robots_url.set_query(None);
    robots_url.set_fragment(None);
    without_userinfo(&mut robots_url);
    robots_url
}

/// Takes user name and password out of a URL that has a host; others have none.
pub(crate) fn without_userinfo(url: &mut Url) {
    // Both fail on URLs without a host alone.
    let _ = url.set_username("");
    let _ = url.set_password(None);
}

fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether the target of `url` is exactly `/robots.txt`.
pub(crate) fn is_robots_txt(url: &Url) -> bool {
    url.path() == "/robots.txt" && url.query().is_none()
}

impl fmt::Display for Authority {
    /// As a URL begins: `https://example.com`, `http://[::1]:8080`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Ord for Authority {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for Authority {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Why no robots.txt speaks for a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AuthorityError {
    /// The text is a path or has no scheme.
    NotAbsolute,
    /// The text is no URL.
    Unreadable(url::ParseError),
    /// The scheme has no robots.txt. G-loc-2.
    OtherScheme(String),
    /// There is nobody to ask.
    NoHost,
}

impl fmt::Display for AuthorityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAbsolute => f.write_str(
                "no robots.txt speaks for a path alone: an absolute URL such as \
                 https://example.com/page is needed",
            ),
            Self::Unreadable(error) => write!(f, "the URL cannot be read: {error}"),
            Self::OtherScheme(scheme) => write!(
                f,
                "`{scheme}:` has no robots.txt: http, https and ftp have one"
            ),
            Self::NoHost => {
                f.write_str("the URL names no host: one such as https://example.com/page is needed")
            }
        }
    }
}

impl std::error::Error for AuthorityError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable(error) => Some(error),
            Self::NotAbsolute | Self::OtherScheme(_) | Self::NoHost => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(url: &str) -> String {
        Authority::of(url).map_or_else(|error| error.to_string(), |it| it.to_string())
    }

    #[test]
    fn an_address_is_one_authority_in_every_spelling() {
        for url in [
            "http://127.0.0.1/",
            "http://0x7f.1/",
            "http://2130706433/",
            "http://0177.0.0.01/",
            "http://127.1:80/",
            "http://%31%32%37.1/",
            "http://１２７.0.0.1/",
        ] {
            assert_eq!(shown(url), "http://127.0.0.1", "{url}");
        }
        assert_eq!(shown("http://[0:0::1]:8080/"), "http://[::1]:8080");
        assert_eq!(shown("http://[::ffff:10.0.0.1]/"), "http://[::ffff:a00:1]");
    }

    #[test]
    fn userinfo_case_and_default_ports_make_no_difference() {
        assert_eq!(
            shown("HTTPS://u:p@EXAMPLE.com:443/x"),
            "https://example.com"
        );
        assert_eq!(shown("ftp://example.com:21/x"), "ftp://example.com");
        assert_eq!(shown("http://example.com:443/"), "http://example.com:443");
        assert_eq!(
            shown("https://www.exämple.com/"),
            "https://www.xn--exmple-cua.com"
        );
        assert_eq!(shown("http://example.com./"), "http://example.com.");
    }

    #[test]
    fn what_has_no_robots_txt_is_told_what_would_be_right() {
        for (url, start) in [
            ("/page", "no robots.txt speaks for a path alone"),
            ("example.com/page", "no robots.txt speaks for a path alone"),
            ("mailto:a@b.example", "`mailto:` has no robots.txt"),
            ("file:///etc/hosts", "`file:` has no robots.txt"),
            ("http://", "the URL cannot be read: empty host"),
            (
                "http://h:99999/",
                "the URL cannot be read: invalid port number",
            ),
            ("http://a b/", "the URL cannot be read"),
        ] {
            assert!(shown(url).starts_with(start), "{url}: {}", shown(url));
        }
    }

    #[test]
    fn a_near_authority_differs_by_www_and_scheme_at_most() {
        let near = |a: &str, b: &str| {
            let of = |url: &str| Authority::of(url).unwrap();
            assert_eq!(of(a).is_near(&of(b)), of(b).is_near(&of(a)));
            of(a).is_near(&of(b))
        };
        assert!(near("http://h.example/", "https://h.example/"));
        assert!(near("http://h.example/", "https://www.h.example/"));
        assert!(near("http://h.example:8080/", "http://www.h.example:8080/"));
        assert!(!near("http://h.example:8080/", "https://h.example/"));
        assert!(!near("http://h.example/", "http://shop.h.example/"));
    }
}
