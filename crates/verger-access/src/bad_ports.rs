//! Ports to which redirects are not followed. They belong to other protocols, and a redirect could make the crawler
//! send commands to them. The list is that of "bad ports" in the Fetch standard
//! (<https://fetch.spec.whatwg.org/#port-blocking>, 2.9, as of 2026), which browsers refuse.

#[rustfmt::skip]
const BAD_PORTS: [u16; 83] = [
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
    103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
    512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
    995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
    6669, 6679, 6697, 10080,
];

/// Returns whether a redirect to `port` is refused. Callers do not ask about default ports.
pub(crate) fn is_bad_port(port: u16) -> bool {
    BAD_PORTS.binary_search(&port).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ports_are_sorted_and_those_of_http_are_not_among_them() {
        assert!(BAD_PORTS.is_sorted());
        for good in [80, 443, 8080, 8443, 2, 24, 10079, 10081, 65535] {
            assert!(!is_bad_port(good), "{good}");
        }
        for bad in [0, 22, 25, 6000, 6667, 10080] {
            assert!(is_bad_port(bad), "{bad}");
        }
    }
}
