//! `PackedFacts`: the facts of all hops of an attempt, compressed.

use std::fmt;
use std::io::{Read as _, Write as _};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::hop_facts::HopFacts;

/// Maximum number of bytes after decompression. It is several times the longest chain with the longest heads.
const JSON_BYTES_MAX: u64 = 8 << 20;

/// The facts of the hops of an attempt, in order, as JSON in zlib format (RFC 1950), or none. Only
/// [`PackedFacts::hops`] decompresses them, so decisions never pay for them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PackedFacts(Option<Arc<[u8]>>);

impl PackedFacts {
    /// Compresses the facts of the hops of an attempt. The result is empty if there are no hops, or if the facts are
    /// longer than 8 MiB.
    #[must_use]
    pub fn from_hops(hops: &[HopFacts]) -> Self {
        if hops.is_empty() {
            return Self(None);
        }
        let packed = || -> std::io::Result<Vec<u8>> {
            let json = serde_json::to_vec(hops)?;
            if json.len() as u64 > JSON_BYTES_MAX {
                return Err(std::io::ErrorKind::FileTooLarge.into());
            }
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&json)?;
            encoder.finish()
        };
        // Only facts that are too long fail, and no real chain has them.
        Self(packed().ok().map(Into::into))
    }

    #[cfg(any(feature = "sqlite", feature = "postgres"))]
    pub(crate) fn of_bytes(bytes: Vec<u8>) -> Self {
        Self(Some(bytes.into()))
    }

    /// Returns the bytes to store, or `None` without facts.
    #[must_use]
    pub fn bytes(&self) -> Option<&[u8]> {
        self.0.as_deref()
    }

    /// Decompresses the facts of the hops, in order. Returns `None` if the bytes are damaged.
    #[must_use]
    pub fn hops(&self) -> Option<Vec<HopFacts>> {
        let Some(bytes) = self.bytes() else {
            return Some(Vec::new());
        };
        let mut json = Vec::new();
        let mut decoder = ZlibDecoder::new(bytes).take(JSON_BYTES_MAX);
        decoder.read_to_end(&mut json).ok()?;
        serde_json::from_slice(&json).ok()
    }
}

impl fmt::Debug for PackedFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = self.bytes().map(<[u8]>::len);
        f.debug_struct("PackedFacts")
            .field("bytes", &bytes)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body_hash::BodyHash;
    use crate::hop_facts::{TlsFacts, TlsVersion};
    use crate::kept_head::KeptHead;
    use verger_access::Timestamp;

    fn facts(seconds: u64) -> HopFacts {
        HopFacts {
            sent_at: Some(Timestamp::from_unix_seconds(seconds)),
            peer: Some("2001:db8::1".parse().unwrap()),
            tls: Some(TlsFacts {
                version: TlsVersion::Tls13,
                certificates: [b"a", b"b"].map(|it| BodyHash::new(it)).to_vec(),
            }),
            response: Some(KeptHead::new(
                b"HTTP/1.1 200 OK\r\nLink: caf\xe9\r\n\r\n",
                0,
            )),
            ..HopFacts::default()
        }
    }

    #[test]
    fn facts_are_read_back_and_damage_is_found() {
        let hops = [facts(1_800_000_000), HopFacts::default(), facts(u64::MAX)];
        let packed = PackedFacts::from_hops(&hops);
        assert_eq!(packed.hops().unwrap(), hops);
        assert_eq!(PackedFacts::from_hops(&[]), PackedFacts::default());
        assert_eq!(PackedFacts::default().hops().unwrap(), []);
        let bytes = packed.bytes().unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.to_vec();
            damaged[at] ^= 0x40;
            // Some bits of the last byte before the checksum may be unused.
            let read = PackedFacts(Some(damaged.into())).hops();
            assert!(read.is_none_or(|read| read == hops), "{at}");
            assert_eq!(PackedFacts(Some(bytes[..at].into())).hops(), None, "{at}");
        }
    }

    #[test]
    fn no_more_is_decompressed_than_facts_can_have() {
        let list_of_bytes = |bytes: u64| {
            let mut json = vec![b' '; usize::try_from(bytes).unwrap()];
            (json[0], *json.last_mut().unwrap()) = (b'[', b']');
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&json).unwrap();
            PackedFacts(Some(encoder.finish().unwrap().into()))
        };
        assert_eq!(list_of_bytes(JSON_BYTES_MAX).hops().unwrap(), []);
        assert_eq!(list_of_bytes(JSON_BYTES_MAX + 1).hops(), None);
    }
}
