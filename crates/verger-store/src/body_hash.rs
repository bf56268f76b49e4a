//! `BodyHash`: the name of a body is its content.

use std::fmt;

use sha2::{Digest, Sha256};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The SHA-256 of the octets of a body. Bodies of one hash are one body, however many authorities
/// serve it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyHash([u8; 32]);

impl BodyHash {
    /// The hash of a body.
    #[must_use]
    pub fn of(body: &[u8]) -> Self {
        Self(Sha256::digest(body).into())
    }

    /// The hash that these octets are.
    #[must_use]
    pub const fn from_octets(octets: [u8; 32]) -> Self {
        Self(octets)
    }

    /// The hash that 64 hexadecimal digits say; `None` for any other text.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        let is_hash = text.len() == 64 && text.bytes().all(|octet| octet.is_ascii_hexdigit());
        let mut octets = [0; 32];
        for (octet, digits) in octets.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digits = std::str::from_utf8(digits).ok()?;
            *octet = u8::from_str_radix(digits, 16).ok()?;
        }
        is_hash.then_some(Self(octets))
    }

    /// The octets of the hash.
    #[must_use]
    pub const fn octets(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for BodyHash {
    /// 64 hexadecimal digits in lower case, as `sha256sum` prints them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        for (pair, octet) in digits.chunks_exact_mut(2).zip(self.0) {
            pair[0] = DIGITS[usize::from(octet >> 4)];
            pair[1] = DIGITS[usize::from(octet & 15)];
        }
        // They are ASCII.
        f.pad(std::str::from_utf8(&digits).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_shown_as_other_programs_show_it() {
        assert_eq!(
            BodyHash::of(b"abc").to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let hash = BodyHash::of(b"");
        assert_eq!(BodyHash::from_octets(*hash.octets()), hash);
        let text = hash.to_string();
        assert_eq!(BodyHash::of_text(&text), Some(hash));
        assert_eq!(BodyHash::of_text(&text.to_uppercase()), Some(hash));
        for other in [
            "",
            &text[1..],
            &text[2..],
            &format!("{text}0"),
            &text.replace('e', "g"),
        ] {
            assert_eq!(BodyHash::of_text(other), None, "{other}");
        }
    }
}
