use std::collections::BTreeSet;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use ipnet::{IpNet, Ipv4Net, Ipv6Net};

use crate::transport::nat64_prefix::{BadNat64Prefix, Nat64Prefix};
use crate::transport::special_addresses::{AddressClass, SpecialPurpose, classify};

/// Decides which addresses may be connected to: public ones, and networks that the operator allows.
///
/// A name or a redirect may lead anywhere, even into the crawler's own network. So the guard
/// refuses every address that IANA's registries do not list as global unicast. If an IPv6 address
/// embeds an IPv4 address, the IPv4 address decides.
///
/// ```
/// use verger_client::AddressGuard;
///
/// let guard = AddressGuard::default();
/// assert!(guard.verify("9.9.9.9".parse()?).is_ok());
/// let refused = guard.verify("127.0.0.1".parse()?).unwrap_err();
/// assert_eq!(refused.to_string(), "127.0.0.1 is a loopback address (RFC 1122)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressGuard {
    allowed: Vec<IpNet>,
    /// Networks that are allowed for some hosts.
    allowed_for: Vec<(Arc<BTreeSet<String>>, Vec<IpNet>)>,
    refused: Vec<IpNet>,
    nat64: Vec<Nat64Prefix>,
}

impl AddressGuard {
    /// Permits exactly the addresses that `network` contains. `127.0.0.0/8` permits neither `::1`
    /// nor `::ffff:127.0.0.1`.
    #[must_use]
    pub fn allowing(mut self, network: IpNet) -> Self {
        self.allowed.push(network);
        self
    }

    /// Permits the addresses of `networks` for these hosts, as a URL writes them. Other hosts, such as
    /// the target of a redirect, may not lead there.
    #[must_use]
    pub fn allowing_for(mut self, hosts: Arc<BTreeSet<String>>, networks: Vec<IpNet>) -> Self {
        self.allowed_for.push((hosts, networks));
        self
    }

    /// Permits all addresses except [refused](Self::refusing) ones, for URLs that an operator
    /// chose.
    #[must_use]
    pub fn allowing_all(self) -> Self {
        let networks = [IpNet::from(Ipv4Net::default()), Ipv6Net::default().into()];
        networks.into_iter().fold(self, Self::allowing)
    }

    /// Refuses the addresses of `network`, such as the operator's own servers. It takes precedence
    /// over [`allowing`](Self::allowing). IPv6 addresses that embed a refused IPv4 address are
    /// refused as well.
    ///
    /// ```
    /// let guard = verger_client::AddressGuard::default().refusing("9.9.9.0/24".parse()?);
    /// assert!(guard.verify("9.9.9.9".parse()?).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn refusing(mut self, network: IpNet) -> Self {
        self.refused.push(network);
        self
    }

    /// Adds a NAT64 prefix through which the crawler's network reaches IPv4. Addresses with this
    /// prefix embed an IPv4 address (RFC 6052 2.2), which alone decides. The well-known prefix
    /// `64:ff9b::/96` is always included.
    ///
    /// # Errors
    ///
    /// Returns an error unless the prefix length is 32, 40, 48, 56, 64 or 96.
    pub fn nat64_prefix(mut self, prefix: Ipv6Net) -> Result<Self, BadNat64Prefix> {
        self.nat64.push(Nat64Prefix::new(prefix)?);
        Ok(self)
    }

    /// Checks whether `address` may be connected to, whatever host leads there.
    ///
    /// # Errors
    ///
    /// Returns an error if it may not. The error displays what kind of address it is.
    pub fn verify(&self, address: IpAddr) -> Result<(), RefusedAddress> {
        self.decide(address, |_| false)
    }

    /// Checks whether `address` may be connected to for a URL with this host. Without a host, which is the
    /// case of another connection that such a URL led to, the networks of all hosts are open.
    ///
    /// # Errors
    ///
    /// Returns an error if it may not.
    pub(crate) fn verify_for(
        &self,
        host: Option<&str>,
        address: IpAddr,
    ) -> Result<(), RefusedAddress> {
        let is_meant = |hosts: &BTreeSet<String>| host.is_none_or(|host| hosts.contains(host));
        self.decide(address, is_meant)
    }

    fn decide(
        &self,
        address: IpAddr,
        is_meant: impl Fn(&BTreeSet<String>) -> bool,
    ) -> Result<(), RefusedAddress> {
        let translated = self.inside_of_nat64(address);
        let own_class = match translated {
            Some(inside) => AddressClass::Embeds(inside),
            None => classify(address),
        };
        let inside = match own_class {
            AddressClass::Embeds(inside) => Some(inside),
            AddressClass::Public | AddressClass::Special(_) => None,
        };
        let has = |networks: &[IpNet], address: &IpAddr| {
            networks.iter().any(|network| network.contains(address))
        };
        let inside_v4 = inside.map(IpAddr::V4);
        let is_refused = |address: &IpAddr| has(&self.refused, address);
        if is_refused(&address) || inside_v4.as_ref().is_some_and(is_refused) {
            return Err(RefusedAddress {
                address,
                inside,
                purpose: REFUSED_BY_OPERATOR,
            });
        }
        let mut allowed_for = self.allowed_for.iter();
        let is_allowed = has(&self.allowed, &address)
            || allowed_for.any(|(hosts, it)| has(it, &address) && is_meant(hosts));
        if is_allowed {
            return Ok(());
        }
        let class = match inside_v4 {
            Some(inside) => classify(inside),
            None => own_class,
        };
        match class {
            AddressClass::Special(purpose) => Err(RefusedAddress {
                address,
                inside,
                purpose,
            }),
            AddressClass::Public | AddressClass::Embeds(_) => Ok(()),
        }
    }
}

impl AddressGuard {
    /// Returns the IPv4 address embedded behind a [`nat64_prefix`](Self::nat64_prefix).
    fn inside_of_nat64(&self, address: IpAddr) -> Option<Ipv4Addr> {
        let IpAddr::V6(address) = address else {
            return None;
        };
        self.nat64.iter().find_map(|prefix| prefix.inside(address))
    }
}

const REFUSED_BY_OPERATOR: SpecialPurpose = SpecialPurpose {
    words: "an address that the operator refuses",
    document: "--refuse-address",
};

/// An address that must not be connected to. Displays as a sentence with the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedAddress {
    address: IpAddr,
    inside: Option<Ipv4Addr>,
    purpose: SpecialPurpose,
}

impl RefusedAddress {
    /// Returns the address.
    #[must_use]
    pub fn address(&self) -> IpAddr {
        self.address
    }
}

impl fmt::Display for RefusedAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SpecialPurpose { words, document } = self.purpose;
        match self.inside {
            None => write!(f, "{} is {words} ({document})", self.address),
            Some(inside) => write!(f, "{} embeds {inside}, {words} ({document})", self.address),
        }
    }
}

impl std::error::Error for RefusedAddress {}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_admitted(address: &str) -> bool {
        AddressGuard::default()
            .verify(address.parse().unwrap())
            .is_ok()
    }

    /// Checks the edges of blocks. A row has the address before a block, its first, its last, and
    /// the address after it. `-` means that the neighbour belongs to another block. Neighbours in
    /// `refused` are refused for another reason.
    #[track_caller]
    fn assert_edges(rows: &str, refused: &[&str]) {
        for (place, address) in rows.split_whitespace().enumerate() {
            if address != "-" {
                let is_neighbour = matches!(place % 4, 0 | 3);
                let expected = is_neighbour && !refused.contains(&address);
                assert_eq!(is_admitted(address), expected, "{address}");
            }
        }
    }

    #[test]
    fn networks_of_some_hosts_are_closed_to_others() {
        let hosts = Arc::new(BTreeSet::from(["h.example".to_owned()]));
        let networks = vec!["10.0.0.0/8".parse().unwrap()];
        let guard = AddressGuard::default().allowing_for(hosts, networks);
        let own = "10.1.2.3".parse().unwrap();
        assert!(guard.verify_for(Some("h.example"), own).is_ok());
        assert!(
            guard.verify_for(Some("other.example"), own).is_err() && guard.verify(own).is_err()
        );
        assert!(
            guard
                .verify_for(Some("h.example"), "127.0.0.1".parse().unwrap())
                .is_err()
        );
        let refusing = guard.refusing("10.1.0.0/16".parse().unwrap());
        assert!(refusing.verify_for(Some("h.example"), own).is_err());
    }

    #[test]
    fn each_block_of_ipv4_is_refused_from_its_first_to_its_last_address() {
        assert_edges(
            "
            -                0.0.0.0          0.255.255.255    1.0.0.0
            9.255.255.255    10.0.0.0         10.255.255.255   11.0.0.0
            100.63.255.255   100.64.0.0       100.127.255.255  100.128.0.0
            126.255.255.255  127.0.0.0        127.255.255.255  128.0.0.0
            169.253.255.255  169.254.0.0      169.254.255.255  169.255.0.0
            172.15.255.255   172.16.0.0       172.31.255.255   172.32.0.0
            191.255.255.255  192.0.0.0        192.0.0.255      192.0.1.0
            192.0.1.255      192.0.2.0        192.0.2.255      192.0.3.0
            192.88.98.255    192.88.99.0      192.88.99.255    192.88.100.0
            192.167.255.255  192.168.0.0      192.168.255.255  192.169.0.0
            198.17.255.255   198.18.0.0       198.19.255.255   198.20.0.0
            198.51.99.255    198.51.100.0     198.51.100.255   198.51.101.0
            203.0.112.255    203.0.113.0      203.0.113.255    203.0.114.0
            223.255.255.255  224.0.0.0        239.255.255.255  -
            -                240.0.0.0        255.255.255.254  -
            -                255.255.255.255  255.255.255.255  -
            ",
            &[],
        );
    }

    #[test]
    fn each_block_of_ipv6_is_refused_from_its_first_to_its_last_address() {
        let rows = "
            -                                        ::           ::                                       -
            -                                        ::1          ::1                                      ::2
            64:ff9b:0:ffff:ffff:ffff:ffff:ffff       64:ff9b:1::  64:ff9b:1:ffff:ffff:ffff:ffff:ffff       64:ff9b:2::
            ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff    100::        100::ffff:ffff:ffff:ffff                 100:0:0:2::
            -                                        100:0:0:1::  100:0:0:1:ffff:ffff:ffff:ffff            -
            1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  4000::       5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  -
            2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff  2001::       2001:0:ffff:ffff:ffff:ffff:ffff:ffff     -
            -                                        2001:2::     2001:2:0:ffff:ffff:ffff:ffff:ffff        -
            -                                        2001:10::    2001:1f:ffff:ffff:ffff:ffff:ffff:ffff    -
            -                                        2001:20::    2001:2f:ffff:ffff:ffff:ffff:ffff:ffff    -
            -                                        2001:1::     2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff   2001:200::
            2001:db7:ffff:ffff:ffff:ffff:ffff:ffff   2001:db8::   2001:db8:ffff:ffff:ffff:ffff:ffff:ffff   2001:db9::
            3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff  3fff::       3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff   3fff:1000::
            -                                        5f00::       5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff  -
            fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  fc00::       fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  fe00::
            fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff  fe80::       febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff  -
            -                                        fec0::       feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  -
            -                                        ff00::       ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff  -
        ";
        let unallocated = [
            "::2",
            "64:ff9b:0:ffff:ffff:ffff:ffff:ffff",
            "64:ff9b:2::",
            "ff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "100:0:0:2::",
            "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
            "fe00::",
            "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
        ];
        assert_edges(rows, &unallocated);
    }

    #[test]
    fn the_allocated_space_of_ipv6_is_admitted_from_its_first_to_its_last_address() {
        assert!(is_admitted("2000::"));
        assert!(is_admitted("3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
        assert!(is_admitted("2606:4700::1111"));
        assert!(is_admitted("2003::"));
        assert!(!is_admitted("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"));
        assert!(!is_admitted("4000::"));
    }

    #[test]
    fn an_embedded_ipv4_address_decides() {
        for (inside, admitted) in [
            ("9.9.9.9", true),
            ("126.255.255.255", true),
            ("127.0.0.0", false),
            ("127.0.0.1", false),
            ("127.255.255.255", false),
            ("128.0.0.0", true),
            ("10.1.2.3", false),
            ("169.254.169.254", false),
            ("224.0.0.1", false),
        ] {
            let [a, b, c, d] = inside.parse::<Ipv4Addr>().unwrap().octets();
            for address in [
                format!("::ffff:{inside}"),
                format!("::{inside}"),
                format!("64:ff9b::{inside}"),
                format!("2002:{a:x}{b:02x}:{c:x}{d:02x}::1"),
                format!("2002:{a:x}{b:02x}:{c:x}{d:02x}:ffff:ffff:ffff:ffff:ffff"),
            ] {
                assert_eq!(is_admitted(&address), admitted, "{address}");
            }
        }
        // The obsolete translation of RFC 2765, and the neighbours of the blocks.
        for address in [
            "::ffff:0:9.9.9.9",
            "::fffe:9.9.9.9",
            "::1:9.9.9.9",
            "64:ff9b::1:909:909",
            "64:ff9a::9.9.9.9",
        ] {
            assert!(!is_admitted(address), "{address}");
        }
        assert!(is_admitted("2001:ffff::"));
        assert!(is_admitted("2003:7f00:1::"));
    }

    #[test]
    fn an_allowed_network_admits_only_its_own_addresses() {
        let guard = AddressGuard::default().allowing("127.0.0.0/8".parse().unwrap());
        let is_admitted = |address: &str| guard.verify(address.parse().unwrap()).is_ok();
        assert!(is_admitted("127.0.0.0") && is_admitted("127.255.255.255"));
        for address in [
            "::1",
            "::ffff:127.0.0.1",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "10.0.0.1",
        ] {
            assert!(!is_admitted(address), "{address}");
        }
        let guard = guard.allowing("::ffff:127.0.0.1/128".parse().unwrap());
        assert!(guard.verify("::ffff:127.0.0.1".parse().unwrap()).is_ok());
        assert!(guard.verify("::ffff:127.0.0.2".parse().unwrap()).is_err());
    }

    #[test]
    fn refused_networks_take_precedence_over_allowed_ones() {
        let guard = AddressGuard::default()
            .refusing("9.9.9.0/24".parse().unwrap())
            .refusing("2620:fe::/48".parse().unwrap())
            .refusing("10.0.0.1/32".parse().unwrap())
            .allowing("9.9.9.9/32".parse().unwrap())
            .allowing("10.0.0.0/8".parse().unwrap());
        let is_admitted = |address: &str| guard.verify(address.parse().unwrap()).is_ok();
        for address in ["9.9.9.0", "9.9.9.9", "::ffff:9.9.9.9", "64:ff9b::909:909"] {
            assert!(!is_admitted(address), "{address}");
        }
        for address in ["2620:fe::9", "10.0.0.1", "2002:909:909::"] {
            assert!(!is_admitted(address), "{address}");
        }
        for address in ["9.9.8.255", "9.9.10.0", "10.0.0.2", "2620:fe:1::"] {
            assert!(is_admitted(address), "{address}");
        }
        let refused = guard.verify("9.9.9.9".parse().unwrap()).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "9.9.9.9 is an address that the operator refuses (--refuse-address)"
        );
    }

    #[test]
    fn an_address_of_a_nat64_prefix_is_decided_by_the_embedded_one() {
        let guard = |prefix: &str| {
            let prefix = prefix.parse().unwrap();
            AddressGuard::default().nat64_prefix(prefix).unwrap()
        };
        let global = guard("2001:db8:100::/40");
        let is_admitted = |address: &str| global.verify(address.parse().unwrap()).is_ok();
        // 9.9.9.9 and 10.9.9.9 after 40 bits, with the zero byte between.
        assert!(is_admitted("2001:db8:109:909:9::"));
        assert!(!is_admitted("2001:db8:10a:909:9::"));
        assert!(!is_admitted("2001:db8:200::"));
        let local = guard("64:ff9b:1::/96");
        assert!(local.verify("64:ff9b:1::9.9.9.9".parse().unwrap()).is_ok());
        let refused = local.verify("64:ff9b:1::7f00:1".parse().unwrap());
        assert!(
            refused
                .unwrap_err()
                .to_string()
                .contains("embeds 127.0.0.1")
        );
        let own = guard("2606:4700::/96").refusing("8.8.8.8/32".parse().unwrap());
        assert!(own.verify("2606:4700::8.8.8.8".parse().unwrap()).is_err());
        assert!(own.verify("2606:4700::8.8.4.4".parse().unwrap()).is_ok());
    }

    #[test]
    fn the_error_names_the_kind_of_address() {
        let words = |address: &str| {
            let refused = AddressGuard::default().verify(address.parse().unwrap());
            refused.unwrap_err().to_string()
        };
        assert_eq!(
            words("192.168.1.1"),
            "192.168.1.1 is a private address (RFC 1918)"
        );
        assert_eq!(
            words("::ffff:7f00:1"),
            "::ffff:127.0.0.1 embeds 127.0.0.1, a loopback address (RFC 1122)"
        );
        assert_eq!(words("2001::1"), "2001::1 is a Teredo address (RFC 4380)");
        assert_eq!(
            words("4000::"),
            "4000:: is an unallocated address (RFC 4291)"
        );
    }
}
