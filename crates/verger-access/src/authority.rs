//! `Authority`: the scheme, host and port to which one robots.txt applies. RFC 9309 2.3; G-loc, G-url, K96-3.1.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use url::Url;

/// The scheme over which a robots.txt is fetched. G-loc-2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Scheme {
    /// Fetched with GET.
    Http,
    /// Fetched with GET.
    Https,
    /// Fetched with RETR after an anonymous login. G-loc-4.
    Ftp,
    /// Any other scheme, such as `gopher`. Its authorities have a robots.txt (R9309-2.3-3), which Verger does not
    /// fetch. [`Authority::scheme_name`] returns the name.
    Other,
}

impl Scheme {
    /// Returns the default port, or `None` for other schemes: 80, 443, 21. G-url-7.
    #[must_use]
    pub const fn default_port(self) -> Option<u16> {
        match self {
            Self::Http => Some(80),
            Self::Https => Some(443),
            Self::Ftp => Some(21),
            Self::Other => None,
        }
    }

    fn of(url: &Url) -> Self {
        match url.scheme() {
            "http" => Self::Http,
            "https" => Self::Https,
            "ftp" => Self::Ftp,
            _ => Self::Other,
        }
    }
}

/// Scheme, host and effective port. One robots.txt applies to exactly the URLs of one authority.
///
/// Hosts are compared in normal form: international names in ASCII (Punycode), and every spelling of an IPv4 address
/// (`0x7f.1`, `2130706433`) as the same address. A default port may be omitted, and userinfo is ignored. A host that
/// ends with a dot is a different host. With schemes other than `http`, `https`, `ftp`, `ws` and `wss`, any host is
/// accepted, ASCII letters are compared without case (RFC 3986, 3.2.2), and there is no default port.
///
/// Authorities are ordered by the bytes of their names, as in files and databases.
///
/// ```
/// use verger_access::Authority;
///
/// let authority = Authority::from_url("https://Example.com:443/shop/item?id=1")?;
/// assert_eq!(authority.robots_url().as_str(), "https://example.com/robots.txt");
/// assert!(!authority.applies_to("http://example.com/"));
/// # Ok::<(), verger_access::AuthorityError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Authority {
    scheme: Scheme,
    /// The URL in normal form. Two authorities are equal exactly if these URLs are.
    robots_url: Url,
}

impl Authority {
    /// Returns the authority of an absolute URL. [`FromStr`] does the same.
    ///
    /// # Errors
    ///
    /// Returns an error if `url` is not absolute, has no host, or has a host that cannot exist.
    pub fn from_url(url: &str) -> Result<Self, AuthorityError> {
        let parsed = Url::parse(url).map_err(|error| match error {
            url::ParseError::RelativeUrlWithoutBase => AuthorityError::NotAbsolute,
            error => AuthorityError::Unreadable(error),
        })?;
        Self::from_parsed_url(&parsed)
    }

    /// Returns the authority of a parsed URL. `TryFrom<&Url>` does the same.
    ///
    /// # Errors
    ///
    /// Returns an error if `url` has no host, or a host that cannot exist.
    pub fn from_parsed_url(url: &Url) -> Result<Self, AuthorityError> {
        let no_host = || AuthorityError::NoHost(url.scheme().to_owned());
        let host = url.host_str().filter(|host| !host.is_empty());
        let host = host.ok_or_else(no_host)?;
        check_name(host)?;
        let mut robots_url = robots_url(url);
        // The URL parser does not normalize the hosts of other schemes.
        if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
            let lowered = robots_url.set_host(Some(&host.to_ascii_lowercase()));
            lowered.map_err(AuthorityError::Unreadable)?;
        }
        Ok(Self {
            scheme: Scheme::of(url),
            robots_url,
        })
    }

    /// Returns the authority whose robots.txt is at `url`, or `None` for any other URL. The path must be exactly
    /// `/robots.txt`, in lower case and without a query. A file in a subdirectory is not a robots.txt. R9309-2.3-1,
    /// G-loc-1, G-url-3.
    #[must_use]
    pub fn from_robots_url(url: &str) -> Option<Self> {
        let parsed = Url::parse(url).ok()?;
        is_robots_txt(&parsed).then_some(())?;
        Self::from_parsed_url(&parsed).ok()
    }

    /// Returns the scheme over which its robots.txt is fetched.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Returns the scheme as written in a URL: `https`, `gopher`.
    #[must_use]
    pub fn scheme_name(&self) -> &str {
        self.robots_url.scheme()
    }

    /// Returns the host in ASCII, with brackets around an IPv6 address.
    #[must_use]
    pub fn host(&self) -> &str {
        self.robots_url.host_str().unwrap_or_default()
    }

    /// Returns the port to connect to, or `None` if the URL has none and the scheme has no default.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        let written = self.robots_url.port();
        written.or(self.scheme.default_port())
    }

    /// Returns the URL of its robots.txt: "scheme:[//authority]/robots.txt". R9309-2.3-3.
    #[must_use]
    pub fn robots_url(&self) -> &Url {
        &self.robots_url
    }

    /// Returns the start of its URLs: `https://example.com`.
    fn name(&self) -> &str {
        let url = self.robots_url.as_str();
        url.strip_suffix("/robots.txt").unwrap_or(url)
    }

    /// Returns whether its robots.txt applies to `url`. Rules apply only to the same host, protocol and port. G-loc-5.
    #[must_use]
    pub fn applies_to(&self, url: &str) -> bool {
        Self::from_url(url).is_ok_and(|authority| authority == *self)
    }

    /// Returns whether the profile `cautious` considers a redirect to `other` to stay on the same site: the host is the
    /// same apart from a leading `www.`, and the port is the same or is the default of each scheme.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        let has_default_port = |it: &Self| it.robots_url.port().is_none();
        let near_ports =
            self.port() == other.port() || (has_default_port(self) && has_default_port(other));
        near_ports && without_www(self.host()) == without_www(other.host())
    }
}

/// The longest name and label of the DNS, in bytes (RFC 1035 2.3.4).
pub(crate) const NAME_BYTES_MAX: usize = 253;
pub(crate) const LABEL_BYTES_MAX: usize = 63;

/// Checks that a host may exist. A name may end with a dot. V-59.
fn check_name(host: &str) -> Result<(), AuthorityError> {
    let name = host.strip_suffix('.').unwrap_or(host);
    if name.len() > NAME_BYTES_MAX {
        return Err(AuthorityError::LongName(name.len()));
    }
    let mut labels = name.split('.').map(str::len);
    match labels.find(|bytes| !(1..=LABEL_BYTES_MAX).contains(bytes)) {
        None => Ok(()),
        Some(0) => Err(AuthorityError::EmptyLabel),
        Some(bytes) => Err(AuthorityError::LongLabel(bytes)),
    }
}

fn robots_url(url: &Url) -> Url {
    let mut robots_url = url.clone();
    robots_url.set_path("/robots.txt");
    robots_url.set_query(None);
    robots_url.set_fragment(None);
    without_userinfo(&mut robots_url);
    robots_url
}

pub(crate) fn without_userinfo(url: &mut Url) {
    // Both fail only on URLs without a host, which have no userinfo.
    let _ = url.set_username("");
    let _ = url.set_password(None);
}

fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// Returns whether the target of `url` is exactly `/robots.txt`.
pub(crate) fn is_robots_txt(url: &Url) -> bool {
    url.path() == "/robots.txt" && url.query().is_none()
}

impl FromStr for Authority {
    type Err = AuthorityError;

    /// Returns the authority of an absolute URL, as [`Authority::from_url`] does.
    fn from_str(url: &str) -> Result<Self, AuthorityError> {
        Self::from_url(url)
    }
}

impl TryFrom<&Url> for Authority {
    type Error = AuthorityError;

    /// Returns the authority of a parsed URL, as [`Authority::from_parsed_url`] does.
    fn try_from(url: &Url) -> Result<Self, AuthorityError> {
        Self::from_parsed_url(url)
    }
}

impl fmt::Display for Authority {
    /// Writes the start of its URLs: `https://example.com`, `http://[::1]:8080`.
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

/// Why no robots.txt applies to a URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AuthorityError {
    /// The text has no scheme. It may be a path.
    #[error(
        "no robots.txt applies to a path alone: use an absolute URL such as \
         https://example.com/page"
    )]
    NotAbsolute,
    /// The text is not a URL.
    #[error("invalid URL: {0}")]
    Unreadable(#[source] url::ParseError),
    /// A URL of this scheme has no host: `mailto:a@b.example`, `file:///etc/hosts`.
    #[error(
        "the `{0}:` URL has no host and so no robots.txt: use a URL such as \
         https://example.com/page"
    )]
    NoHost(String),
    /// The host has more bytes than a name of the DNS.
    #[error("the host has {0} bytes, and a name has at most {NAME_BYTES_MAX}")]
    LongName(usize),
    /// A label of the host, between two dots, has more bytes than a label of the DNS.
    #[error("a label of the host has {0} bytes, and a label has at most {LABEL_BYTES_MAX}")]
    LongLabel(usize),
    /// The host has two dots in a row, or starts with one.
    #[error("the host has an empty label")]
    EmptyLabel,
}

impl AuthorityError {
    /// Returns whether the URL is valid, and only its host cannot exist.
    #[must_use]
    pub const fn is_about_the_name(&self) -> bool {
        matches!(
            self,
            Self::LongName(_) | Self::LongLabel(_) | Self::EmptyLabel
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the authority of a URL, or the error, as text.
    fn shown(url: &str) -> String {
        Authority::from_url(url).map_or_else(|error| error.to_string(), |it| it.to_string())
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
        let ftp = Authority::from_url("ftp://example.com/x").unwrap();
        assert_eq!((ftp.scheme(), ftp.port()), (Scheme::Ftp, Some(21)));
        assert_eq!(shown("http://example.com:443/"), "http://example.com:443");
        assert_eq!(
            shown("https://www.exämple.com/"),
            "https://www.xn--exmple-cua.com"
        );
        assert_eq!(shown("http://example.com./"), "http://example.com.");
    }

    #[test]
    fn an_error_says_what_is_wrong_with_a_url() {
        for (url, start) in [
            ("/page", "no robots.txt applies to a path alone"),
            ("example.com/page", "no robots.txt applies to a path alone"),
            ("mailto:a@b.example", "the `mailto:` URL has no host"),
            ("file:///etc/hosts", "the `file:` URL has no host"),
            ("gopher:///x", "the `gopher:` URL has no host"),
            ("gopher:/x", "the `gopher:` URL has no host"),
            ("blob:https://h.example/x", "the `blob:` URL has no host"),
            ("http://", "invalid URL: empty host"),
            ("http://h:99999/", "invalid URL: invalid port number"),
            ("http://a b/", "invalid URL"),
        ] {
            assert!(shown(url).starts_with(start), "{url}: {}", shown(url));
        }
    }

    #[test]
    fn a_host_that_cannot_exist_is_an_error() {
        let label = |bytes| "a".repeat(bytes);
        let name = |last| [label(63), label(63), label(63), label(last)].join(".");
        for (host, error) in [
            (label(64), "a label of the host has 64 bytes"),
            (
                format!("x.{}.example", label(70)),
                "a label of the host has 70",
            ),
            (name(62), "the host has 254 bytes"),
            (name(63), "the host has 255 bytes"),
            (label(60_000), "the host has 60000 bytes"),
            ("a..b".to_owned(), "the host has an empty label"),
            (".a".to_owned(), "the host has an empty label"),
            ("a..".to_owned(), "the host has an empty label"),
            (".".to_owned(), "the host has an empty label"),
        ] {
            for scheme in ["http", "https", "ftp", "gopher"] {
                for rest in ["", "/", ":8080/x", "?q"] {
                    let url = format!("{scheme}://{host}{rest}");
                    assert!(shown(&url).starts_with(error), "{url}: {}", shown(&url));
                    assert_eq!(Authority::normal_prefix(&url), None, "{url}");
                }
            }
        }
        for host in [label(63), name(61), name(61) + ".", "a-.b_c".to_owned()] {
            let url = format!("http://{host}/x");
            assert_eq!(shown(&url), format!("http://{host}"));
            if let Some(prefix) = Authority::normal_prefix(&url) {
                assert_eq!(prefix, shown(&url));
            }
        }
    }

    #[test]
    fn any_scheme_with_a_host_has_an_authority() {
        for (url, name) in [
            ("gopher://H.example:70/1/x", "gopher://h.example:70"),
            ("Gemini://u:p@h.example/x?y#z", "gemini://h.example"),
            ("coap://[2001:DB8::1]:5683/x", "coap://[2001:db8::1]:5683"),
            ("wss://H.example:443/x", "wss://h.example"),
            ("x-y+z.1://a%C3%84B", "x-y+z.1://a%c3%84b"),
            ("gopher://exämple", "gopher://ex%c3%a4mple"),
        ] {
            let authority = Authority::from_url(url).unwrap();
            assert_eq!(authority.to_string(), name, "{url}");
            assert_eq!(authority.scheme(), Scheme::Other);
            assert_eq!(Authority::from_url(name), Ok(authority), "{url}");
        }
        let gopher = Authority::from_url("gopher://h.example/").unwrap();
        assert_eq!((gopher.scheme_name(), gopher.port()), ("gopher", None));
        assert_eq!(
            gopher.robots_url().as_str(),
            "gopher://h.example/robots.txt"
        );
        assert!(gopher.applies_to("GOPHER://H.EXAMPLE/x"));
        assert!(!gopher.applies_to("gopher://h.example:70/x"));
        assert!(!gopher.applies_to("http://h.example/x"));
    }

    #[test]
    fn a_near_authority_differs_by_www_and_scheme_at_most() {
        let near = |a: &str, b: &str| {
            let of = |url: &str| Authority::from_url(url).unwrap();
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
