//! Parses the client address of a log field: alone, or in a list of hops (`X-Forwarded-For`).

use std::net::IpAddr;
use std::str;

use crate::public_address::is_public;

/// Parses the address of a client. In a list, each hop appends the address that it saw, and the
/// client itself can forge the left end. Private addresses belong to proxies and are skipped.
/// Returns `None` if several public addresses remain, because none is known to be the client's, or
/// if an entry is invalid.
pub(super) fn read(text: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(text).ok()?;
    let mut found: Option<IpAddr> = None;
    for entry in text.split(',') {
        let address = of_entry(entry.trim())?;
        found = match found {
            Some(before) if before == address || !is_public(address) => Some(before),
            Some(before) if is_public(before) => return None,
            _ => Some(address),
        };
    }
    found
}

/// Parses an address, possibly in brackets or with a port.
fn of_entry(entry: &str) -> Option<IpAddr> {
    if let Ok(address) = entry.parse::<IpAddr>() {
        return Some(address.to_canonical());
    }
    let without_port = match entry.strip_prefix('[') {
        Some(rest) => rest.split(']').next()?,
        None => entry.rsplit_once(':')?.0,
    };
    Some(without_port.parse::<IpAddr>().ok()?.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_reads(text: &str, expected: Option<&str>) {
        let expected = expected.map(|text| text.parse().unwrap());
        assert_eq!(read(text.as_bytes()), expected, "{text}");
    }

    #[test]
    fn addresses_are_read_as_logs_have_them() {
        for (text, expected) in [
            ("192.0.2.1", Some("192.0.2.1")),
            ("192.0.2.1:4711", Some("192.0.2.1")),
            ("2001:db8::1", Some("2001:db8::1")),
            ("[2001:db8::1]:443", Some("2001:db8::1")),
            ("::ffff:192.0.2.1", Some("192.0.2.1")),
            ("10.0.0.1", Some("10.0.0.1")),
            ("crawler.example", None),
            ("unix:", None),
            ("", None),
        ] {
            assert_reads(text, expected);
        }
    }

    #[test]
    fn a_list_has_the_address_of_a_client_where_only_one_is_public() {
        for (text, expected) in [
            ("192.0.2.1, 10.0.0.1", Some("192.0.2.1")),
            ("192.0.2.1:4711,127.0.0.1, fd00::1", Some("192.0.2.1")),
            ("10.0.0.1, 192.0.2.1", Some("192.0.2.1")),
            ("192.0.2.1, 192.0.2.1", Some("192.0.2.1")),
            ("10.0.0.1, 10.0.0.2", Some("10.0.0.1")),
            // The client claims the left one.
            ("192.0.2.1, 198.51.100.7", None),
            ("192.0.2.1, 198.51.100.7, 10.0.0.1", None),
            ("10.0.0.1, 192.0.2.1, 198.51.100.7", None),
            ("192.0.2.1, unknown", None),
            ("unknown, 192.0.2.1", None),
            ("192.0.2.1,", None),
        ] {
            assert_reads(text, expected);
        }
    }
}
