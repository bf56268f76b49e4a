use std::net::{IpAddr, Ipv4Addr};

/// Returns whether an address can belong to a client on the Internet. Loopback, private, link-local
/// and carrier-grade NAT addresses cannot. In a log, they belong to proxies.
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

/// Returns whether an address is in 100.64.0.0/10 (RFC 6598).
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
