use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use verger_testkit::origin_file::UrlScheme;

/// Maximum number of concurrent connections. Further ones are closed at once.
pub const CONNECTIONS_MAX: usize = 256;

/// The addresses and host names of the origin.
#[derive(Clone, Debug)]
pub struct OriginSettings {
    /// Address to listen on.
    pub address: IpAddr,
    /// Port of the first behaviour. The others follow. `None` uses free ports.
    pub first_port: Option<u16>,
    /// Host in URLs and certificates.
    pub host: String,
    /// Another name of the same host, for redirects across hosts.
    pub other_host: String,
    /// Maximum lifetime of a connection, even a hanging one.
    pub connection_lifetime: Duration,
    /// Timeout for a client that neither reads nor writes. The default is one minute. Use more if
    /// client and origin share a busy machine.
    pub step_timeout: Duration,
}

impl OriginSettings {
    /// Returns settings for loopback with free ports.
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

    /// Returns the port of the behaviour at `offset`, 0 for any free port, or `None` if the port
    /// numbers are exhausted.
    pub(super) fn port(&self, offset: u16) -> Option<u16> {
        self.first_port
            .map_or(Some(0), |first| first.checked_add(offset))
    }
}

/// Returns the URL of a robots.txt.
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
