//! Undoes `Content-Encoding` (RFC 9110 8.4) within a limit, so a decompression bomb costs no more
//! than the longest body that is read.
//!
//! Codings are undone one after the other, and the limit applies to each. A decoder also needs its
//! window: at most 32 KiB (gzip, deflate), 16 MiB (br) or 8 MiB (zstd).

use std::io::Read;

use flate2::bufread::GzDecoder;
use flate2::{Decompress, FlushDecompress, Status};
use http::HeaderMap;
use thiserror::Error;
use verger_access::{BodyEnd, content_codings, is_content_coding};

#[cfg(feature = "brotli")]
use crate::transport::brotli_stream;
#[cfg(feature = "zstd")]
use crate::transport::zstd_frames;

/// Returns the number of encoded bytes to read if `bytes_max` decoded bytes are wanted. An encoding
/// adds at most a few bytes per thousand, so a longer encoded body is also too long when decoded,
/// unless it was made to deceive.
#[must_use]
pub fn encoded_bytes_max(bytes_max: usize) -> usize {
    let margin = (bytes_max / 256).max(64 * 1024);
    bytes_max.saturating_add(margin)
}

/// The `Accept-Encoding` of requests: the codings compiled in.
pub(crate) const ACCEPTED: &str = match (cfg!(feature = "brotli"), cfg!(feature = "zstd")) {
    (true, true) => "gzip, br, zstd",
    (true, false) => "gzip, br",
    (false, true) => "gzip, zstd",
    (false, false) => "gzip",
};

/// Maximum number of codings per body. More than one is useless.
const CODINGS_MAX: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coding {
    Gzip,
    Deflate,
    #[cfg(feature = "brotli")]
    Brotli,
    #[cfg(feature = "zstd")]
    Zstd,
}

impl Coding {
    fn by_name(name: &str) -> Option<Self> {
        match name {
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            #[cfg(feature = "brotli")]
            "br" => Some(Self::Brotli),
            #[cfg(feature = "zstd")]
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            #[cfg(feature = "brotli")]
            Self::Brotli => "br",
            #[cfg(feature = "zstd")]
            Self::Zstd => "zstd",
        }
    }
}

/// Returns the codings of a body, in the order they were applied. Words that name no coding are passed over, and the
/// access method judges the result. V-95.
///
/// # Errors
///
/// Returns a message if a coding cannot be undone here or there are too many.
pub(crate) fn codings(headers: &HeaderMap) -> Result<Vec<Coding>, String> {
    let mut codings = Vec::new();
    for name in content_codings(headers).filter(|name| is_content_coding(name)) {
        let coding = Coding::by_name(&name);
        codings.push(coding.ok_or_else(|| format!("the coding `{name}` cannot be undone"))?);
        if codings.len() > CODINGS_MAX {
            return Err(format!("there are more than {CODINGS_MAX} codings"));
        }
    }
    Ok(codings)
}

/// A body is malformed in its coding or ends early, or its coding cannot be undone.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct DecodingError(String);

/// Undoes the `Content-Encoding` of a body that another HTTP client has read, up to `bytes_max` bytes. `end` says
/// whether `encoded` is the whole body. If not, it has [`encoded_bytes_max`] bytes.
///
/// ```
/// use http::{HeaderMap, HeaderValue, header::CONTENT_ENCODING};
/// use verger_access::BodyEnd;
/// use verger_client::decoded_body;
///
/// let mut headers = HeaderMap::new();
/// let body = || b"User-agent: *".to_vec();
/// let decoded = decoded_body(&headers, body(), BodyEnd::Whole, 4)?;
/// assert_eq!(decoded, (b"User".to_vec(), BodyEnd::CutAtLimit));
/// headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
/// assert!(decoded_body(&headers, body(), BodyEnd::Whole, 4).is_err());
/// # Ok::<(), verger_client::DecodingError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the bytes are malformed or end early before `bytes_max` are decoded, or if a coding cannot be
/// undone.
pub fn decoded_body(
    headers: &HeaderMap,
    encoded: Vec<u8>,
    end: BodyEnd,
    bytes_max: usize,
) -> Result<(Vec<u8>, BodyEnd), DecodingError> {
    let codings = codings(headers).map_err(DecodingError)?;
    decode(&codings, encoded, end, bytes_max).map_err(DecodingError)
}

/// Undoes `codings`, up to `bytes_max` bytes. `end` says whether `encoded` is the whole body. A
/// body cut at [`encoded_bytes_max`] must yield all of `bytes_max`. An empty body is not decoded.
///
/// # Errors
///
/// Returns a message if the bytes are malformed or end early before `bytes_max` are decoded.
pub(crate) fn decode(
    codings: &[Coding],
    encoded: Vec<u8>,
    end: BodyEnd,
    bytes_max: usize,
) -> Result<(Vec<u8>, BodyEnd), String> {
    let (mut body, mut end) = (encoded, end);
    for (left, &coding) in codings.iter().enumerate().rev() {
        let decoded_max = if left == 0 {
            bytes_max
        } else {
            encoded_bytes_max(bytes_max)
        };
        (body, end) = undo(coding, &body, end, decoded_max)?;
    }
    if body.len() > bytes_max {
        body.truncate(bytes_max);
        end = BodyEnd::CutAtLimit;
    }
    Ok((body, end))
}

fn undo(
    coding: Coding,
    encoded: &[u8],
    end: BodyEnd,
    bytes_max: usize,
) -> Result<(Vec<u8>, BodyEnd), String> {
    let mut decoded = Vec::new();
    if encoded.is_empty() {
        return Ok((decoded, end));
    }
    let rest = match coding {
        Coding::Gzip => gunzip(encoded, &mut decoded, bytes_max),
        Coding::Deflate => inflate(encoded, &mut decoded, bytes_max),
        #[cfg(feature = "brotli")]
        Coding::Brotli => brotli_stream::decode(encoded, &mut decoded, bytes_max),
        #[cfg(feature = "zstd")]
        Coding::Zstd => zstd_frames::decode(encoded, &mut decoded, bytes_max),
    };
    if decoded.len() >= bytes_max {
        decoded.truncate(bytes_max);
        return Ok((decoded, BodyEnd::CutAtLimit));
    }
    let rest = rest.map_err(|words| format!("{}: {words}", coding.name()))?;
    match end {
        BodyEnd::CutAtLimit if rest.len() < SIGNATURE_BYTES => Err(format!(
            "{}: the {} bytes that were read give only {} bytes",
            coding.name(),
            encoded.len(),
            decoded.len()
        )),
        // Bytes after the end are ignored.                                                V-96
        BodyEnd::CutAtLimit | BodyEnd::Whole => Ok((decoded, BodyEnd::Whole)),
    }
}

/// The bytes that show whether another member or frame begins.
const SIGNATURE_BYTES: usize = 4;

/// Undoes gzip (RFC 1952) with any number of members. Returns the bytes after the last one.
fn gunzip<'e>(
    encoded: &'e [u8],
    decoded: &mut Vec<u8>,
    bytes_max: usize,
) -> Result<&'e [u8], String> {
    let mut rest = encoded;
    loop {
        let room = u64::try_from(bytes_max - decoded.len()).unwrap_or(u64::MAX);
        let mut member = GzDecoder::new(rest);
        let read = member.by_ref().take(room).read_to_end(decoded);
        read.map_err(|error| error.to_string())?;
        rest = member.into_inner();
        if decoded.len() >= bytes_max || !rest.starts_with(b"\x1F\x8B\x08") {
            return Ok(rest);
        }
    }
}

/// Undoes deflate in zlib format (RFC 1950). Also accepts raw deflate, which some servers send (RFC
/// 9110 8.4.1.2). Returns the bytes after its end.
fn inflate<'e>(
    encoded: &'e [u8],
    decoded: &mut Vec<u8>,
    bytes_max: usize,
) -> Result<&'e [u8], String> {
    let has_header = matches!(*encoded, [method, flags, ..]
        if method & 0x0f == 8 && u16::from_be_bytes([method, flags]).is_multiple_of(31));
    let mut state = Decompress::new(has_header);
    decoded.reserve_exact(bytes_max);
    while decoded.len() < bytes_max {
        let (read_before, had) = (state.total_in(), decoded.len());
        let read = usize::try_from(read_before).unwrap_or(usize::MAX);
        let rest = encoded.get(read..).unwrap_or_default();
        let status = state.decompress_vec(rest, decoded, FlushDecompress::None);
        if status.map_err(|error| error.to_string())? == Status::StreamEnd {
            let read = usize::try_from(state.total_in()).unwrap_or(usize::MAX);
            return Ok(encoded.get(read..).unwrap_or_default());
        }
        if state.total_in() == read_before && decoded.len() == had {
            return Err("it ends early".to_owned());
        }
    }
    Ok(&[])
}
