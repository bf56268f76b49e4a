//! What the targets share.

use flate2::{Compression, write::GzEncoder};
use std::io::Write as _;

/// Splits off the last byte, which says how the rest is taken.
#[must_use]
pub fn with_mode(input: &[u8]) -> (&[u8], u8) {
    match input.split_last() {
        Some((mode, rest)) => (rest, *mode),
        None => (input, 0),
    }
}

/// One gzip member.
///
/// # Panics
///
/// Never: memory can be written.
#[must_use]
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

/// One Zstandard frame.
///
/// # Panics
///
/// Never: memory can be written.
#[must_use]
pub fn zstandard(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("there is such a level");
    encoder
        .include_checksum(true)
        .expect("there are check sums");
    encoder.write_all(bytes).expect("memory can be written");
    encoder.finish().expect("memory can be written")
}

/// Changes bytes: of every three bytes of `edits`, the first two are a place, counted from the end where
/// the first bit is set, and the third is the new byte. What files say of themselves is at
/// their end.
pub fn edit(bytes: &mut [u8], edits: &[u8]) {
    for &[high, low, new] in edits.as_chunks::<3>().0 {
        let place = usize::from(u16::from_be_bytes([high & 0x7F, low]));
        let at = if high & 0x80 == 0 {
            Some(place)
        } else {
            bytes.len().checked_sub(1 + place)
        };
        if let Some(byte) = at.and_then(|at| bytes.get_mut(at)) {
            *byte = new;
        }
    }
}
