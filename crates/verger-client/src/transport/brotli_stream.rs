//! Decodes Brotli (RFC 7932).

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};

/// Appends the decoded bytes until `decoded` has at least `bytes_max`, and returns the bytes after the
/// end. Refuses windows larger than those of RFC 7932.
///
/// # Errors
///
/// Returns a message if `encoded` is malformed or ends early.
pub(crate) fn decode<'e>(
    encoded: &'e [u8],
    decoded: &mut Vec<u8>,
    bytes_max: usize,
) -> Result<&'e [u8], String> {
    let mut state = BrotliState::new_strict(
        StandardAlloc::default(),
        StandardAlloc::default(),
        StandardAlloc::default(),
    );
    let mut buffer = vec![0; 32 * 1024];
    let (mut left, mut read, mut total) = (encoded.len(), 0, 0);
    while decoded.len() < bytes_max {
        let (mut room, mut written) = (buffer.len(), 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut read,
            encoded,
            &mut room,
            &mut written,
            &mut buffer,
            &mut total,
            &mut state,
        );
        decoded.extend(buffer.iter().take(written));
        match result {
            BrotliResult::NeedsMoreOutput => {}
            BrotliResult::ResultSuccess => return Ok(&encoded[read..]),
            BrotliResult::NeedsMoreInput => return Err("it ends early".to_owned()),
            BrotliResult::ResultFailure => return Err("it is malformed".to_owned()),
        }
    }
    Ok(&[])
}
