//! `BodyHash`: bodies are addressed by their content.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The SHA-256 of a body. Bodies with the same hash are stored once, however many authorities serve them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyHash([u8; 32]);

impl BodyHash {
    /// Computes the hash of a body.
    #[must_use]
    pub fn new(body: &[u8]) -> Self {
        Self(Sha256::digest(body).into())
    }

    /// Makes a hash of its 32 bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the 32 bytes of the hash.
    #[must_use]
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl FromStr for BodyHash {
    type Err = BadBodyHash;

    /// Reads 64 hexadecimal digits, in lower or upper case.
    fn from_str(text: &str) -> Result<Self, BadBodyHash> {
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(BadBodyHash);
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| BadBodyHash)?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| BadBodyHash)?;
        }
        Ok(Self(bytes))
    }
}

/// Writes the 64 digits of [`fmt::Display`].
impl Serialize for BodyHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BodyHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The text does not have exactly 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 64 hexadecimal digits")]
pub struct BadBodyHash;

impl fmt::Display for BodyHash {
    /// Writes 64 hexadecimal digits in lower case, as `sha256sum` does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [0; 64];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        // Hexadecimal digits are ASCII.
        f.pad(std::str::from_utf8(&digits).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_written_as_sha256sum_does() {
        assert_eq!(
            BodyHash::new(b"abc").to_string(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        let hash = BodyHash::new(b"");
        assert_eq!(BodyHash::from_bytes(*hash.bytes()), hash);
        let text = hash.to_string();
        assert_eq!(text.parse(), Ok(hash));
        assert_eq!(text.to_uppercase().parse(), Ok(hash));
        for other in [
            "",
            &text[1..],
            &text[2..],
            &format!("{text}0"),
            &text.replace('e', "g"),
        ] {
            assert_eq!(other.parse::<BodyHash>(), Err(BadBodyHash), "{other}");
        }
        assert!(BadBodyHash.to_string().contains("64 hexadecimal digits"));
    }
}
