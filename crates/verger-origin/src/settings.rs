//! Where the origin listens, and what it calls itself.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use verger_testkit::origin_file::UrlScheme;

/// Connections that are served side by side; one more is closed at once.
pub const CONNECTIONS_MAX: usize = 256;

/// Where the origin listens, and what it calls itself.
#[derive(Clone, Debug)]
pub struct OriginSettings {
    /// The address that it listens on.
    pub address: IpAddr,
    /// The port of the first behaviour, the others following; `None` for ports that are free.
    pub first_port: Option<u16>,
    /// The host in its URLs; the certificates are for it as well.
    pub host: String,
    /// Another name of the same host, for redirects across hosts.
    pub other_host: String,
    /// How long a connection lasts at most, a hanging one too.
    pub connection_lifetime: Duration,
    /// The longest wait for a client that neither reads nor writes: a minute. Longer where the
    /// client shares a busy machine with the origin.
    pub step_timeout: Duration,
}

impl OriginSettings {
    /// An origin on loopback, at ports that are free.
    #[must_use]
    pub fn loopback() -> Self {
        let address = Ipv4Addr::LOCALHOST;
        Self {
            address: address.into(),
            first_port: None,
            host: address.to_string(),
            other_host: "localhost".to_owned(),
            connection_lifetime: Duration::from_secs(10 * 60),
            step_timeout: Duration::from_secs(60),
        }
    }

    /// The port of the behaviour `offset` places after the first one, 0 for one that is free;
    /// `None` where there is none left.
    pub(super) fn port(&self, offset: u16) -> Option<u16> {
        self.first_port
            .map_or(Some(0), |first| first.checked_add(offset))
    }
}

/// The URL of a robots.txt.
pub(super) fn robots_url(scheme: UrlScheme, host: &str, port: u16) -> String {
    match host.parse() {
        Ok(IpAddr::V6(address)) => format!("{scheme}://[{address}]:{port}/robots.txt"),
        Ok(IpAddr::V4(_)) | Err(_) => format!("{scheme}://{host}:{port}/robots.txt"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_its_address_in_brackets_where_it_needs_them() {
        let url = |host| robots_url(UrlScheme::Http, host, 81);
        assert_eq!(url("h.example"), "http://h.example:81/robots.txt");
        assert_eq!(url("127.0.0.1"), "http://127.0.0.1:81/robots.txt");
        assert_eq!(url("::1"), "http://[::1]:81/robots.txt");
    }
}
