//! IANA's special-purpose registries: addresses that are not public, one row per block, with its
//! document.
//!
//! The first row that contains an address decides. An IPv6 address in no row is public only in
//! `2000::/3`, the only allocated space (RFC 4291, 2.4).

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SpecialPurpose {
    /// With its article: `a loopback address`.
    pub(crate) words: &'static str,
    pub(crate) document: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressClass {
    Public,
    Special(SpecialPurpose),
    /// An IPv6 address that embeds this IPv4 address, which decides.
    Embeds(Ipv4Addr),
}

type Row4 = (Ipv4Net, &'static str, &'static str);
type Row6 = (Ipv6Net, &'static str, &'static str);

const fn v4(a: u8, b: u8, c: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, 0), prefix)
}

const fn v6(a: u16, b: u16, c: u16, prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), prefix)
}

const BROADCAST: Ipv4Net = Ipv4Net::new_assert(Ipv4Addr::BROADCAST, 32);
const LOOPBACK: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128);
const UNSPECIFIED: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 128);
const DUMMY: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0x100, 0, 0, 1, 0, 0, 0, 0), 64);

#[rustfmt::skip]
const V4: [Row4; 16] = [
    (v4(0, 0, 0, 8), "an address of \"this network\"", "RFC 791"),
    (v4(10, 0, 0, 8), "a private address", "RFC 1918"),
    (v4(100, 64, 0, 10), "a shared address behind a carrier's NAT", "RFC 6598"),
    (v4(127, 0, 0, 8), "a loopback address", "RFC 1122"),
    (v4(169, 254, 0, 16), "a link-local address", "RFC 3927"),
    (v4(172, 16, 0, 12), "a private address", "RFC 1918"),
    (v4(192, 0, 0, 24), "an address for protocol assignments", "RFC 6890"),
    (v4(192, 0, 2, 24), "an address for documentation", "RFC 5737"),
    (v4(192, 88, 99, 24), "a withdrawn 6to4 relay address", "RFC 7526"),
    (v4(192, 168, 0, 16), "a private address", "RFC 1918"),
    (v4(198, 18, 0, 15), "an address for benchmarks", "RFC 2544"),
    (v4(198, 51, 100, 24), "an address for documentation", "RFC 5737"),
    (v4(203, 0, 113, 24), "an address for documentation", "RFC 5737"),
    (BROADCAST, "the broadcast address", "RFC 919"),
    (v4(224, 0, 0, 4), "a multicast address", "RFC 5771"),
    (v4(240, 0, 0, 4), "a reserved address", "RFC 1112"),
];

#[rustfmt::skip]
const V6: [Row6; 17] = [
    (UNSPECIFIED, "the unspecified address", "RFC 4291"),
    (LOOPBACK, "a loopback address", "RFC 4291"),
    (v6(0x64, 0xff9b, 1, 48), "an address for local translation", "RFC 8215"),
    (v6(0x100, 0, 0, 64), "an address whose packets are discarded", "RFC 6666"),
    (DUMMY, "a dummy address", "RFC 9780"),
    (v6(0x2001, 0, 0, 32), "a Teredo address", "RFC 4380"),
    (v6(0x2001, 2, 0, 48), "an address for benchmarks", "RFC 5180"),
    (v6(0x2001, 0x10, 0, 28), "a withdrawn hash identifier", "RFC 4843"),
    (v6(0x2001, 0x20, 0, 28), "a hash identifier", "RFC 7343"),
    (v6(0x2001, 0, 0, 23), "an address for protocol assignments", "RFC 2928"),
    (v6(0x2001, 0xdb8, 0, 32), "an address for documentation", "RFC 3849"),
    (v6(0x3fff, 0, 0, 20), "an address for documentation", "RFC 9637"),
    (v6(0x5f00, 0, 0, 16), "a segment routing identifier", "RFC 9602"),
    (v6(0xfc00, 0, 0, 7), "a unique local address", "RFC 4193"),
    (v6(0xfe80, 0, 0, 10), "a link-local address", "RFC 4291"),
    (v6(0xfec0, 0, 0, 10), "a withdrawn site-local address", "RFC 3879"),
    (v6(0xff00, 0, 0, 8), "a multicast address", "RFC 4291"),
];

/// The only allocated space of IPv6.
const GLOBAL_UNICAST: Ipv6Net = v6(0x2000, 0, 0, 3);

/// The purpose of an address in no row and outside that space.
const UNALLOCATED: SpecialPurpose = SpecialPurpose {
    words: "an unallocated address",
    document: "RFC 4291",
};

pub(crate) fn classify(address: IpAddr) -> AddressClass {
    match address {
        IpAddr::V4(address) => {
            let row = V4.iter().find(|(block, ..)| block.contains(&address));
            row.map_or(AddressClass::Public, |&(_, words, document)| {
                AddressClass::Special(SpecialPurpose { words, document })
            })
        }
        IpAddr::V6(address) => {
            let row = V6.iter().find(|(block, ..)| block.contains(&address));
            if let Some(&(_, words, document)) = row {
                return AddressClass::Special(SpecialPurpose { words, document });
            }
            if let Some(inside) = address_inside(address) {
                return AddressClass::Embeds(inside);
            }
            if GLOBAL_UNICAST.contains(&address) {
                return AddressClass::Public;
            }
            AddressClass::Special(UNALLOCATED)
        }
    }
}

/// Returns the IPv4 address that `address` embeds: mapped (`::ffff:0:0/96`) or compatible (`::/96`,
/// both RFC 4291), translated (`64:ff9b::/96`, RFC 6052), or 6to4 (`2002::/16`, RFC 3056).
fn address_inside(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let ([0, 0, 0, 0, 0, 0 | 0xffff, high, low]
    | [0x64, 0xff9b, 0, 0, 0, 0, high, low]
    | [0x2002, high, low, ..]) = address.segments()
    else {
        return None;
    };
    Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)))
}
