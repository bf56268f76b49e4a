//! Shared by the fuzz targets.

use flate2::{Compression, write::GzEncoder};
use std::io::Write as _;

/// Splits off the last byte, which selects how the rest is used.
#[must_use]
pub fn with_mode(input: &[u8]) -> (&[u8], u8) {
    match input.split_last() {
        Some((mode, rest)) => (rest, *mode),
        None => (input, 0),
    }
}

/// Returns one gzip member.
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

/// Returns one Zstandard frame.
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

/// Changes bytes. Every three bytes of `edits` are a position and a new byte. If the first bit is set, the
/// position counts from the end, where the metadata of files is.
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
