//! Decodes zstd (RFC 8878): any number of frames, with windows up to the limit for content codings.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The largest window that a content coding may have (RFC 9659 3).
const WINDOW_OCTETS_MAX: u64 = 8 * 1024 * 1024;

/// How many octets are decoded at a time.
const STEP_OCTETS: usize = 128 * 1024;

/// Appends the decoded octets, and stops once `decoded` has at least `octets_max`.
///
/// # Errors
///
/// In words: where `encoded` is malformed, ends early, has a wrong checksum, or needs a larger window.
pub(crate) fn decode(
    mut encoded: &[u8],
    decoded: &mut Vec<u8>,
    octets_max: usize,
) -> Result<(), String> {
    let mut frame = FrameDecoder::new();
    while !encoded.is_empty() && decoded.len() < octets_max {
        if window_octets(encoded).is_some_and(|octets| octets > WINDOW_OCTETS_MAX) {
            return Err("it needs too much memory".to_owned());
        }
        match frame.init(&mut encoded) {
            Ok(()) => {}
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let length = usize::try_from(length).unwrap_or(usize::MAX);
                encoded = encoded.get(length..).ok_or("it ends early")?;
                continue;
            }
            Err(error) => return Err(error.to_string()),
        }
        let had = decoded.len();
        while !frame.is_finished() && decoded.len() < octets_max {
            let step = BlockDecodingStrategy::UptoBytes(STEP_OCTETS);
            let outcome = frame.decode_blocks(&mut encoded, step);
            outcome.map_err(|error| error.to_string())?;
            decoded.extend(frame.collect().unwrap_or_default());
        }
        // An unfinished frame was not read up to its checksum.
        if frame.is_finished() {
            verify_whole(&frame, decoded.len() - had)?;
        }
    }
    Ok(())
}

/// Checks the stated length and the checksum of a decoded frame. RFC 8878 3.1.1.
fn verify_whole(frame: &FrameDecoder, octets: usize) -> Result<(), String> {
    let stated = frame.content_size();
    // 0 also means that it states none.
    if stated != 0 && u64::try_from(octets) != Ok(stated) {
        return Err(format!("it states {stated} octets and has {octets}"));
    }
    let checksum = frame.get_checksum_from_data();
    if checksum.is_some() && checksum != frame.get_calculated_checksum() {
        return Err("its checksum is wrong".to_owned());
    }
    Ok(())
}

/// The window of the frame at the start of `encoded` (RFC 8878 3.1.1.1), which a decoder keeps in
/// memory; `None` where there is no complete header of a frame.
fn window_octets(encoded: &[u8]) -> Option<u64> {
    let (magic, header) = encoded.split_first_chunk()?;
    if *magic != [0x28, 0xb5, 0x2f, 0xfd] {
        return None;
    }
    let (&descriptor, fields) = header.split_first()?;
    let is_single_segment = descriptor & 0x20 != 0;
    if !is_single_segment {
        let window = *fields.first()?;
        let base = 1_u64 << (10 + u32::from(window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // The window is the whole content. Its length follows the id of the dictionary.
    let dictionary_octets = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let length_octets = [1, 2, 4, 8][usize::from(descriptor >> 6)];
    let length = fields.get(dictionary_octets..)?.get(..length_octets)?;
    let number = |sum: u64, &octet: &u8| sum << 8 | u64::from(octet);
    let number = length.iter().rev().fold(0, number);
    let offset = if length_octets == 2 { 256 } else { 0 };
    Some(number.saturating_add(offset))
}
