//! Bytes in a target or in a rule, written raw or as `%XX`.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// Written raw, including a `%` without two hex digits.
    Raw(u8),
    /// Written as `%XX`, with hex digits of either case.
    Encoded(u8),
}

/// Reads bytes from left to right. Nothing is decoded twice. V-31
pub(super) fn read(bytes: &[u8]) -> Vec<Written> {
    let mut written = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if let Some(byte) = encoded_byte(&bytes[at..]) {
            written.push(Written::Encoded(byte));
            at += 3;
        } else {
            written.push(Written::Raw(bytes[at]));
            at += 1;
        }
    }
    written
}

pub(super) fn encoded_byte(bytes: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = bytes else {
        return None;
    };
    Some(hex_value(*high)? * 16 + hex_value(*low)?)
}

pub(super) fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Written::{Encoded, Raw};
    use super::*;

    #[test]
    fn broken_escapes_are_bytes() {
        assert_eq!(read(b"%2f%2F"), [Encoded(b'/'), Encoded(b'/')]);
        assert_eq!(read(b"%%41"), [Raw(b'%'), Encoded(b'A')]);
        assert_eq!(read(b"%4"), [Raw(b'%'), Raw(b'4')]);
        assert_eq!(read(b"%4g"), [Raw(b'%'), Raw(b'4'), Raw(b'g')]);
        assert_eq!(read(b"%2562"), [Encoded(b'%'), Raw(b'6'), Raw(b'2')]);
    }
}
