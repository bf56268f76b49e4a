use std::net::{IpAddr, SocketAddr};

use thiserror::Error;
use verger_client::{IpNet, Ipv6Net};

use verger_client::AddressGuard;

const DNS_PORT: u16 = 53;

/// Parses a network, or a single address as a network.
///
/// # Errors
///
/// Returns an error if the text is neither.
pub fn network_of(text: &str) -> Result<IpNet, NotANetwork> {
    let address = || Some(IpNet::from(text.parse::<IpAddr>().ok()?));
    let network = text.parse().ok();
    network.or_else(address).ok_or(NotANetwork)
}

/// Parses the address of a name server. The default port is 53.
///
/// # Errors
///
/// Returns an error if the text is not an address.
pub fn name_server_of(text: &str) -> Result<SocketAddr, NotANameServer> {
    let address = text.parse::<IpAddr>();
    let at_usual_port = address.map(|address| SocketAddr::new(address, DNS_PORT));
    at_usual_port.or_else(|_| text.parse().map_err(|_| NotANameServer))
}

/// Parses a NAT64 prefix.
///
/// # Errors
///
/// Returns an error if the text is not a network, or if RFC 6052 does not allow its length.
pub fn nat64_prefix_of(text: &str) -> Result<Ipv6Net, NotANat64Prefix> {
    let prefix = text.parse().map_err(|_| NotANat64Prefix)?;
    match AddressGuard::default().nat64_prefix(prefix) {
        Ok(_) => Ok(prefix),
        Err(_) => Err(NotANat64Prefix),
    }
}

/// The text is not a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write a network as 10.1.0.0/16 or fd00::/8, or an address")]
pub struct NotANetwork;

/// The text is not the address of a name server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write an address, as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353")]
pub struct NotANameServer;

/// The text is not a NAT64 prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write an IPv6 network of 32, 40, 48, 56, 64 or 96 bits, as 2001:db8:64::/96")]
pub struct NotANat64Prefix;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_network_of_its_own() {
        for (text, expected) in [
            ("127.0.0.1", Some("127.0.0.1/32")),
            ("10.0.0.0/8", Some("10.0.0.0/8")),
            ("::1", Some("::1/128")),
            ("fd00::/8", Some("fd00::/8")),
            ("127.0.0.1/33", None),
            ("localhost", None),
            ("", None),
        ] {
            let network = network_of(text).ok().map(|it| it.to_string());
            assert_eq!(network.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_name_server_is_an_address_with_or_without_a_port() {
        for (text, expected) in [
            ("192.0.2.53", Some("192.0.2.53:53")),
            ("192.0.2.53:5353", Some("192.0.2.53:5353")),
            ("2001:db8::53", Some("[2001:db8::53]:53")),
            ("[2001:db8::53]:5353", Some("[2001:db8::53]:5353")),
            ("dns.example", None),
            ("192.0.2.53:", None),
            ("", None),
        ] {
            let server = name_server_of(text).ok().map(|it| it.to_string());
            assert_eq!(server.as_deref(), expected, "{text}");
        }
    }
}
