//! Decodes zstd (RFC 8878): any number of frames, with windows up to the limit for content codings.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// The largest window allowed for a content coding (RFC 9659 3).
const WINDOW_BYTES_MAX: u64 = 8 * 1024 * 1024;

const STEP_BYTES: usize = 128 * 1024;

/// Appends the decoded bytes until `decoded` has at least `bytes_max`, and returns the bytes after the last frame.
///
/// # Errors
///
/// Returns a message if `encoded` is malformed, ends early, has a wrong checksum, or needs a larger
/// window.
pub(crate) fn decode<'e>(
    mut encoded: &'e [u8],
    decoded: &mut Vec<u8>,
    bytes_max: usize,
) -> Result<&'e [u8], String> {
    let whole = encoded;
    let mut frame = FrameDecoder::new();
    frame.set_max_window_size(WINDOW_BYTES_MAX);
    while (encoded.len() == whole.len() || is_frame(encoded)) && decoded.len() < bytes_max {
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
            Err(FrameDecoderError::WindowSizeTooBig { .. }) => {
                return Err("it needs too much memory".to_owned());
            }
            Err(error) => return Err(error.to_string()),
        }
        let had = decoded.len();
        while !frame.is_finished() && decoded.len() < bytes_max {
            let step = BlockDecodingStrategy::UptoBytes(STEP_BYTES);
            let outcome = frame.decode_blocks(&mut encoded, step);
            outcome.map_err(|error| error.to_string())?;
            decoded.extend(frame.collect().unwrap_or_default());
        }
        if frame.is_finished() {
            verify_whole(&frame, decoded.len() - had)?;
        }
    }
    Ok(encoded)
}

/// Returns whether bytes start like a frame, or like one to skip. RFC 8878 3.1.
fn is_frame(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]
    )
}

/// Checks the stated length and the checksum of a decoded frame. RFC 8878 3.1.1.
fn verify_whole(frame: &FrameDecoder, bytes: usize) -> Result<(), String> {
    let stated = frame.content_size();
    // 0 also means that no length is stated.
    if stated != 0 && u64::try_from(bytes) != Ok(stated) {
        return Err(format!("it states {stated} bytes and has {bytes}"));
    }
    let checksum = frame.get_checksum_from_data();
    if checksum.is_some() && checksum != frame.get_calculated_checksum() {
        return Err("its checksum is wrong".to_owned());
    }
    Ok(())
}
