//! Networks and name servers as a user writes them.

use std::net::{IpAddr, SocketAddr};

use ipnet::{IpNet, Ipv6Net};
use thiserror::Error;

use super::nat64_prefix::Nat64Prefix;

/// The port of name servers.
const DNS_PORT: u16 = 53;

/// Reads a network, or a single address as one.
///
/// # Errors
///
/// Where the text is neither.
pub fn network_of(text: &str) -> Result<IpNet, NotANetwork> {
    let address = || Some(IpNet::from(text.parse::<IpAddr>().ok()?));
    let network = text.parse().ok();
    network.or_else(address).ok_or(NotANetwork)
}

/// Reads the address of a name server, at the usual port where the text has none.
///
/// # Errors
///
/// Where the text is no address.
pub fn name_server_of(text: &str) -> Result<SocketAddr, NotANameServer> {
    let address = text.parse::<IpAddr>();
    let at_usual_port = address.map(|address| SocketAddr::new(address, DNS_PORT));
    at_usual_port.or_else(|_| text.parse().map_err(|_| NotANameServer))
}

/// Reads the prefix of a translator (NAT64).
///
/// # Errors
///
/// Where the text is no network, or not of a length that RFC 6052 has.
pub fn nat64_prefix_of(text: &str) -> Result<Ipv6Net, NotANat64Prefix> {
    let prefix = text.parse().map_err(|_| NotANat64Prefix)?;
    match Nat64Prefix::new(prefix) {
        Ok(_) => Ok(prefix),
        Err(_) => Err(NotANat64Prefix),
    }
}

/// A text is no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write a network as 10.1.0.0/16 or fd00::/8, or an address")]
pub struct NotANetwork;

/// A text is no address of a name server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write an address, as 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353")]
pub struct NotANameServer;

/// A text is no prefix of a translator.
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
