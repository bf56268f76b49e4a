//! `Nat64Prefix`: the prefix of IPv6 addresses that embed an IPv4 address. RFC 6052 2.2.

use std::net::{Ipv4Addr, Ipv6Addr};

use ipnet::Ipv6Net;
use thiserror::Error;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nat64Prefix(Ipv6Net);

impl Nat64Prefix {
    pub(crate) fn new(prefix: Ipv6Net) -> Result<Self, BadNat64Prefix> {
        match prefix.prefix_len() {
            32 | 40 | 48 | 56 | 64 | 96 => Ok(Self(prefix)),
            length => Err(BadNat64Prefix(length)),
        }
    }

    /// Returns the IPv4 address that `address` embeds, if it has the prefix: the four bytes after
    /// it, skipping the ninth byte (bits 64 to 71).
    pub(crate) fn inside(self, address: Ipv6Addr) -> Option<Ipv4Addr> {
        if !self.0.contains(&address) {
            return None;
        }
        let start = usize::from(self.0.prefix_len() / 8);
        let bytes = address.octets().into_iter().enumerate();
        let mut inside = bytes.filter(|(at, _)| *at >= start && *at != 8);
        let mut next = || inside.next().map(|(_, byte)| byte);
        Some(Ipv4Addr::new(next()?, next()?, next()?, next()?))
    }
}

/// The prefix length is not allowed by RFC 6052.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a NAT64 prefix has 32, 40, 48, 56, 64 or 96 bits, and not {0} (RFC 6052)")]
pub struct BadNat64Prefix(u8);

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of RFC 6052 2.4, for 192.0.2.33.
    #[test]
    fn the_embedded_address_is_found_at_every_length() {
        for (prefix, address) in [
            ("2001:db8::/32", "2001:db8:c000:221::"),
            ("2001:db8:100::/40", "2001:db8:1c0:2:21::"),
            ("2001:db8:122::/48", "2001:db8:122:c000:2:2100::"),
            ("2001:db8:122:300::/56", "2001:db8:122:3c0:0:221::"),
            ("2001:db8:122:344::/64", "2001:db8:122:344:c0:2:2100::"),
            ("2001:db8:122:344::/96", "2001:db8:122:344::192.0.2.33"),
        ] {
            let prefix = Nat64Prefix::new(prefix.parse().unwrap()).unwrap();
            let inside = prefix.inside(address.parse().unwrap());
            assert_eq!(inside, Some(Ipv4Addr::new(192, 0, 2, 33)), "{address}");
            assert_eq!(prefix.inside("2001:db9::".parse().unwrap()), None);
        }
    }

    #[test]
    fn other_lengths_are_refused() {
        for length in (0..=128).filter(|it| ![32, 40, 48, 56, 64, 96].contains(it)) {
            let prefix = Ipv6Net::new(Ipv6Addr::UNSPECIFIED, length).unwrap();
            assert_eq!(Nat64Prefix::new(prefix), Err(BadNat64Prefix(length)));
        }
    }
}
