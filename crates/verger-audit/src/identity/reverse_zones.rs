use std::collections::BTreeMap;
use std::net::IpAddr;

use ipnet::IpNet;

/// Prefix lengths of possible zones, and after how many failures in a row each is considered
/// unresponsive.
const IPV4_ZONES: [(u8, u32); 3] = [(24, 8), (16, 64), (8, 512)];

const IPV6_ZONES: [(u8, u32); 3] = [(48, 8), (32, 64), (16, 512)];

/// Tracks which reverse zones do not answer. Zones are tracked separately, because the owner of an
/// address may delegate its zone to dead name servers.
#[derive(Clone, Debug, Default)]
pub struct ReverseZones {
    /// Number of addresses in a row without an answer.
    failed_in_a_row: BTreeMap<IpNet, u32>,
}

impl ReverseZones {
    /// Records whether name servers answered about an address. Failures in an unresponsive zone do
    /// not count against larger zones, because many of its addresses are queried before it is
    /// recognized.
    pub fn count(&mut self, address: IpAddr, is_answered: bool) {
        for (zone, most) in zones(address) {
            if is_answered {
                self.failed_in_a_row.remove(&zone);
                continue;
            }
            let failed = self.failed_in_a_row.entry(zone).or_default();
            if *failed >= most {
                break;
            }
            *failed += 1;
        }
    }

    /// Returns the largest unresponsive zone of an address, as a network such as `192.0.2.0/24`.
    #[must_use]
    pub fn silent(&self, address: IpAddr) -> Option<String> {
        let is_silent = |(zone, most): &(IpNet, u32)| {
            let failed = self.failed_in_a_row.get(zone);
            failed.is_some_and(|failed| failed >= most)
        };
        let silent = zones(address).filter(is_silent).last();
        silent.map(|(zone, _)| zone.to_string())
    }
}

/// Returns the networks of an address, smallest first.
fn zones(address: IpAddr) -> impl Iterator<Item = (IpNet, u32)> {
    let address = address.to_canonical();
    let lengths = if address.is_ipv4() {
        IPV4_ZONES
    } else {
        IPV6_ZONES
    };
    lengths.into_iter().filter_map(move |(length, most)| {
        let network = IpNet::new(address, length).ok()?;
        Some((network.trunc(), most))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_zone_is_given_up_for_itself() {
        let mut zones = ReverseZones::default();
        for host in 0..8 {
            assert_eq!(zones.silent(address("192.0.2.200")), None, "{host}");
            zones.count(address(&format!("192.0.2.{host}")), false);
            zones.count(address(&format!("2001:db8:1::{host}")), false);
        }
        let silent = |zones: &ReverseZones, text| zones.silent(address(text));
        assert_eq!(
            silent(&zones, "192.0.2.200"),
            Some("192.0.2.0/24".to_owned())
        );
        assert_eq!(silent(&zones, "192.0.3.200"), None);
        let of_six = Some("2001:db8:1::/48".to_owned());
        assert_eq!(silent(&zones, "2001:db8:1:9::9"), of_six);
        assert_eq!(silent(&zones, "2001:db8:2::9"), None);
        // A larger zone, after as many failures in it.
        for nth in 0..56 {
            assert_eq!(silent(&zones, "192.0.3.200"), None, "{nth}");
            zones.count(address(&format!("192.0.{}.1", 100 + nth)), false);
        }
        assert_eq!(
            silent(&zones, "192.0.3.200"),
            Some("192.0.0.0/16".to_owned())
        );
        assert_eq!(silent(&zones, "192.1.3.200"), None);
        // An answer resets the count.
        zones.count(address("192.0.2.77"), true);
        assert_eq!(silent(&zones, "192.0.2.200"), None);
    }

    #[test]
    fn a_silent_zone_of_any_number_of_addresses_leaves_the_others_of_its_network() {
        let mut zones = ReverseZones::default();
        for host in 0..200 {
            zones.count(address(&format!("192.0.2.{host}")), false);
            zones.count(address(&format!("2001:db8:1::{host}")), false);
        }
        assert_eq!(
            zones.silent(address("192.0.2.200")),
            Some("192.0.2.0/24".to_owned())
        );
        for other in ["192.0.3.200", "192.1.2.200", "2001:db8:2::9", "2001:db9::9"] {
            assert_eq!(zones.silent(address(other)), None, "{other}");
        }
    }
}
