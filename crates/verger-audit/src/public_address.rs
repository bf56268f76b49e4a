//! Whether an address is one of the Internet.

use std::net::{IpAddr, Ipv4Addr};

/// Whether an address may be that of a client on the Internet: not of this machine, of a private network
/// or of the network of a provider. Where a log has such an address, it is that of a proxy.
pub(crate) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            let is_inside = address.is_private() || address.is_loopback();
            !(is_inside || address.is_link_local() || is_shared(address))
        }
        IpAddr::V6(address) => {
            let is_inside = address.is_loopback() || address.is_unique_local();
            !(is_inside || address.is_unicast_link_local())
        }
    }
}

/// Whether it is in 100.64.0.0/10 (RFC 6598).
fn is_shared(address: Ipv4Addr) -> bool {
    matches!(address.octets(), [100, 64..=127, ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_proxies_are_not_public() {
        for (address, expected) in [
            ("10.0.0.1", false),
            ("172.16.0.1", false),
            ("192.168.1.1", false),
            ("127.0.0.1", false),
            ("169.254.1.1", false),
            ("100.64.0.1", false),
            ("100.128.0.1", true),
            ("66.249.66.1", true),
            ("::1", false),
            ("fd00::1", false),
            ("fe80::1", false),
            ("2001:4860:4801::1", true),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), expected, "{address}");
        }
    }
}
