use std::net::IpAddr;
use std::sync::Arc;

use ipnet::IpNet;
use url::{Host, Url};

use crate::transport::proxy::Proxy;
use crate::transport::settings_error::SettingsError;

/// Decides which requests go through which proxy. By default, none do.
///
/// A proxy URL is `http://user:password@host:port` without a path. The default port is 80. The
/// proxy's own address is exempt from the guard, because the operator configured it.
///
/// The proxy resolves names and chooses the address to connect to. So the guard checks literal
/// addresses in URLs, and names as far as the resolver answers within a second. One refused address
/// refuses the name. FTP does not go through proxies and does not bypass them: if there is a proxy,
/// FTP fails except to [excepted hosts](Self::except).
///
/// ```
/// use verger_client::Proxies;
///
/// let proxies = Proxies::default()
///     .https(&"http://proxy.example:3128".parse()?)?
///     .except("localhost, .example.com, 10.0.0.0/8")?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    http: Option<Arc<Proxy>>,
    https: Option<Arc<Proxy>>,
    exceptions: Vec<Exception>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Exception {
    hosts: Hosts,
    /// `None` matches every port.
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Hosts {
    Every,
    /// This name and all names under it, without a dot at either end.
    Domain(String),
    Network(IpNet),
}

impl Proxies {
    /// Sends all requests through this proxy.
    ///
    /// # Errors
    ///
    /// Returns [`SettingsError::Proxy`] if the URL is not `http` with a host.
    pub fn all(proxy: &Url) -> Result<Self, SettingsError> {
        Self::default().http(proxy)?.https(proxy)
    }

    /// Sends requests for `http` URLs through this proxy.
    ///
    /// # Errors
    ///
    /// Returns [`SettingsError::Proxy`] if the URL is not `http` with a host.
    pub fn http(self, proxy: &Url) -> Result<Self, SettingsError> {
        let http = Some(Arc::new(Proxy::at(proxy)?));
        Ok(Self { http, ..self })
    }

    /// Sends requests for `https` URLs through this proxy, in a tunnel.
    ///
    /// # Errors
    ///
    /// Returns [`SettingsError::Proxy`] if the URL is not `http` with a host.
    pub fn https(self, proxy: &Url) -> Result<Self, SettingsError> {
        let https = Some(Arc::new(Proxy::at(proxy)?));
        Ok(Self { https, ..self })
    }

    /// Adds hosts that are reached without a proxy. The format is that of the environment variable
    /// `no_proxy`: entries separated by commas or blanks.
    ///
    /// - `*` matches every host.
    /// - A name, with or without a leading `.` or `*.`, matches itself and all names under it.
    /// - An IP address or a network such as `10.0.0.0/8` matches URLs whose host is an address.
    ///   Names are not resolved for this.
    ///
    /// A name or an address may be followed by `:port`. IPv6 addresses then need brackets.
    ///
    /// # Errors
    ///
    /// Returns [`SettingsError::NoProxy`] with the first invalid entry.
    pub fn except(mut self, list: &str) -> Result<Self, SettingsError> {
        let entries = list.split([',', ' ', '\t']);
        for entry in entries.filter(|entry| !entry.is_empty()) {
            let exception = Exception::read(entry);
            let unreadable = || SettingsError::NoProxy(entry.to_owned());
            self.exceptions.push(exception.ok_or_else(unreadable)?);
        }
        Ok(self)
    }

    pub(crate) fn of(&self, is_secure: bool, host: &Host<&str>, port: u16) -> Option<&Proxy> {
        let proxy = if is_secure { &self.https } else { &self.http };
        let proxy = proxy.as_deref()?;
        (!self.is_exception(host, port)).then_some(proxy)
    }

    /// Returns `true` if FTP to this host would bypass a proxy.
    #[cfg(feature = "ftp")]
    pub(crate) fn bars_ftp_to(&self, url: &Url) -> bool {
        let has_proxy = self.http.is_some() || self.https.is_some();
        let port = url.port_or_known_default().unwrap_or_default();
        let is_exception = url
            .host()
            .is_some_and(|host| self.is_exception(&host, port));
        has_proxy && !is_exception
    }

    fn is_exception(&self, host: &Host<&str>, port: u16) -> bool {
        let mut exceptions = self.exceptions.iter();
        exceptions.any(|exception| {
            exception.port.is_none_or(|own| own == port) && exception.hosts.contain(host)
        })
    }
}

impl Exception {
    /// Parses an entry. Returns `None` if it is not a host, a network or `*`.
    fn read(entry: &str) -> Option<Self> {
        let at_every_port = |hosts| Self { hosts, port: None };
        // IPv6 addresses contain colons, so try the entry as a network or address first.
        if let Ok(network) = entry.parse().or_else(|_| entry.parse().map(IpAddr::into)) {
            return Some(at_every_port(Hosts::Network(network)));
        }
        let (host, port) = match entry.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port.parse().ok()?)),
            _ => (entry, None),
        };
        let hosts = Hosts::read(host)?;
        Some(Self { hosts, port })
    }
}

impl Hosts {
    fn read(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Self::Every);
        }
        let name = text.strip_prefix('*').unwrap_or(text);
        if name.len() < text.len() && !name.starts_with('.') {
            return None;
        }
        let name = name.strip_prefix('.').unwrap_or(name);
        // Parsed like URLs, to have the same form.
        Some(match Host::parse(name.trim_end_matches('.')).ok()? {
            Host::Domain(name) if !name.contains('*') => Self::Domain(name),
            Host::Domain(_) => return None,
            Host::Ipv4(address) => Self::Network(IpAddr::V4(address).into()),
            Host::Ipv6(address) => Self::Network(IpAddr::V6(address).into()),
        })
    }

    fn contain(&self, host: &Host<&str>) -> bool {
        match (self, host) {
            (Self::Every, _) => true,
            (Self::Domain(domain), Host::Domain(name)) => {
                let name = name.strip_suffix('.').unwrap_or(name);
                let rest = name.strip_suffix(domain.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
            (Self::Network(network), Host::Ipv4(address)) => {
                network.contains(&IpAddr::V4(*address))
            }
            (Self::Network(network), Host::Ipv6(address)) => {
                network.contains(&IpAddr::V6(*address))
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_direct(list: &str, url: &str) -> bool {
        let proxy = Url::parse("http://p.example:3128").unwrap();
        let proxies = Proxies::all(&proxy).unwrap().except(list).unwrap();
        let url = Url::parse(url).unwrap();
        let port = url.port_or_known_default().unwrap();
        let proxy = proxies.of(url.scheme() == "https", &url.host().unwrap(), port);
        proxy.is_none()
    }

    #[test]
    fn a_list_has_names_addresses_and_networks() {
        for (list, direct, proxied) in [
            ("*", "http://a.example http://[::1] https://10.0.0.1", ""),
            ("", "", "http://a.example http://[::1]"),
            (
                "a.example",
                "http://a.example https://A.example:81 http://b.a.example http://a.example./",
                "http://ba.example http://example http://a.example.org",
            ),
            (
                ".a.example",
                "http://a.example http://b.a.example",
                "http://ba.example",
            ),
            (
                "*.a.example",
                "http://a.example http://b.a.example",
                "http://ba.example",
            ),
            ("A.Example.", "http://a.example", "http://example"),
            (
                "b\u{fc}cher.example",
                "http://xn--bcher-kva.example",
                "http://b.example",
            ),
            (
                "x, a.example\tb.example,,c.example",
                "http://x http://a.example http://b.example http://c.example",
                "http://d.example",
            ),
            (
                "10.0.0.1",
                "http://10.0.0.1 http://167772161",
                "http://10.0.0.2 http://a.10.0.0.1.example",
            ),
            (
                "10.0.0.0/8",
                "http://10.255.0.1",
                "http://11.0.0.1 http://[::ffff:10.0.0.1]",
            ),
            ("::1", "http://[::1]:8080", "http://[::2] http://0.0.0.1"),
            ("[::1]", "http://[::1]:8080", "http://[::2]"),
            ("fd00::/8", "http://[fd01::1]", "http://[fe00::1]"),
            (
                "a.example:8080",
                "http://b.a.example:8080",
                "http://a.example https://a.example:8081",
            ),
            ("a.example:443", "https://a.example", "http://a.example"),
            (
                "[::1]:81 10.0.0.1:81",
                "http://[::1]:81 http://10.0.0.1:81",
                "http://[::1] http://10.0.0.1",
            ),
        ] {
            for url in direct.split_whitespace() {
                assert!(is_direct(list, url), "{list}: {url}");
            }
            for url in proxied.split_whitespace() {
                assert!(!is_direct(list, url), "{list}: {url}");
            }
        }
    }

    #[test]
    fn an_entry_that_is_no_host_is_an_error() {
        for entry in [
            "169.254/16",
            "10.0.0.0/33",
            "*a.example",
            "a.*.example",
            "a.example:",
            "a.example:65536",
            "http://a.example",
            "a.example/b",
            ".",
            "[::1",
        ] {
            let read = Proxies::default().except(&format!("a.example,{entry}"));
            let error = read.map(|_| ()).unwrap_err();
            assert_eq!(error, SettingsError::NoProxy(entry.to_owned()));
        }
    }

    #[test]
    fn each_scheme_has_its_own_proxy() {
        let (host, proxy) = (Host::Domain("a.example"), "http://p.example:3128".parse());
        let proxy = proxy.unwrap();
        let (http, https) = (
            Proxies::default().http(&proxy).unwrap(),
            Proxies::default().https(&proxy).unwrap(),
        );
        let used = |proxies: &Proxies| [false, true].map(|it| proxies.of(it, &host, 80).is_some());
        assert_eq!(used(&Proxies::default()), [false, false]);
        assert_eq!(used(&http), [true, false]);
        assert_eq!(used(&https), [false, true]);
        assert_eq!(used(&Proxies::all(&proxy).unwrap()), [true, true]);
    }

    #[test]
    fn a_password_is_not_shown() {
        let proxy = "http://user:secret@p.example".parse().unwrap();
        let shown = format!("{:?}", Proxies::all(&proxy).unwrap());
        assert!(
            !shown.contains("secret") && shown.contains("p.example"),
            "{shown}"
        );
        assert!(!shown.contains("dXNlcjpzZWNyZXQ"), "{shown}");
    }
}
