use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

/// The addresses of some networks, as sorted, disjoint ranges that are binary-searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddressSet {
    v4: Vec<(Ipv4Addr, Ipv4Addr)>,
    v6: Vec<(Ipv6Addr, Ipv6Addr)>,
}

impl AddressSet {
    /// Returns whether an address is in one of the networks.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match address {
            IpAddr::V4(address) => is_in(&self.v4, address),
            IpAddr::V6(address) => is_in(&self.v6, address),
        }
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.v4.is_empty() && self.v6.is_empty()
    }
}

impl FromIterator<IpNet> for AddressSet {
    fn from_iter<T: IntoIterator<Item = IpNet>>(networks: T) -> Self {
        let mut set = Self::default();
        for network in networks {
            match network {
                IpNet::V4(network) => set.v4.push((network.network(), network.broadcast())),
                IpNet::V6(network) => set.v6.push((network.network(), network.broadcast())),
            }
        }
        set.v4 = disjoint(set.v4);
        set.v6 = disjoint(set.v6);
        set
    }
}

fn is_in<A: Ord + Copy>(ranges: &[(A, A)], address: A) -> bool {
    let after = ranges.partition_point(|&(first, _)| first <= address);
    after > 0 && address <= ranges[after - 1].1
}

/// Sorts ranges and merges those that overlap.
fn disjoint<A: Ord + Copy>(mut ranges: Vec<(A, A)>) -> Vec<(A, A)> {
    ranges.sort_unstable();
    ranges.dedup_by(|next, before| {
        let overlaps = next.0 <= before.1;
        if overlaps {
            before.1 = before.1.max(next.1);
        }
        overlaps
    });
    ranges
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_address_is_in_the_set_of_its_networks(
            networks in proptest::collection::vec((any::<u8>(), 24_u8..=32), 0..12),
            address: u8,
        ) {
            let networks: Vec<IpNet> = networks.iter().map(|&(last, length)| {
                format!("192.0.2.{last}/{length}").parse().unwrap()
            }).collect();
            let address: IpAddr = format!("192.0.2.{address}").parse().unwrap();
            let expected = networks.iter().any(|network| network.contains(&address));
            let set: AddressSet = networks.into_iter().collect();
            prop_assert_eq!(set.contains(address), expected);
        }
    }

    #[test]
    fn families_are_apart() {
        let set: AddressSet = ["0.0.0.0/0"]
            .map(|net| net.parse().unwrap())
            .into_iter()
            .collect();
        assert!(set.contains("255.255.255.255".parse().unwrap()));
        assert!(!set.contains("::1".parse().unwrap()));
        assert!(AddressSet::default().is_empty() && !set.is_empty());
    }
}
