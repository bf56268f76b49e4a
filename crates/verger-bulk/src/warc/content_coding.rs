use std::borrow::Cow;
use std::io::{self, ErrorKind, Read};

use verger_access::TransportFailure;

/// Maximum window of the coding `zstd`: 8 MiB (RFC 9659 3).
const ZSTD_WINDOW_LOG_MAX: u32 = 23;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Plain<'b> {
    pub(crate) bytes: Cow<'b, [u8]>,
    pub(crate) is_cut: bool,
    /// Many archives store decoded bodies but keep the original header.
    pub(crate) was_coded: bool,
}

/// Decodes chunks. A body that does not start with a chunk length was stored decoded. `is_cut`
/// tells that the body has more bytes than are here. Fails if a chunk is malformed or the last one
/// is missing.
pub(crate) fn without_chunks(body: &[u8], is_cut: bool) -> Result<Plain<'_>, TransportFailure> {
    let Some((mut length, mut rest)) = chunk_length(body) else {
        let bytes = Cow::Borrowed(body);
        return Ok(Plain {
            bytes,
            is_cut,
            was_coded: false,
        });
    };
    let mut bytes = Vec::new();
    while length > 0 {
        let Some(chunk) = rest.get(..length) else {
            bytes.extend_from_slice(rest);
            return cut_chunks(bytes, is_cut);
        };
        bytes.extend_from_slice(chunk);
        rest = &rest[length..];
        let after = rest
            .strip_prefix(b"\r\n")
            .or_else(|| rest.strip_prefix(b"\n"));
        (length, rest) = match after.map(|after| (after, chunk_length(after))) {
            Some((_, Some(next))) => next,
            Some((after, None)) if memchr::memchr(b'\n', after).is_some() => {
                return Err(TransportFailure::Chunking);
            }
            None if rest.len() > 1 => return Err(TransportFailure::Chunking),
            _ => return cut_chunks(bytes, is_cut),
        };
    }
    Ok(Plain {
        bytes: Cow::Owned(bytes),
        is_cut: false,
        was_coded: true,
    })
}

fn cut_chunks<'b>(bytes: Vec<u8>, is_cut: bool) -> Result<Plain<'b>, TransportFailure> {
    if !is_cut {
        return Err(TransportFailure::Truncated);
    }
    Ok(Plain {
        bytes: Cow::Owned(bytes),
        is_cut,
        was_coded: true,
    })
}

/// Also returns the bytes after the line.
fn chunk_length(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = memchr::memchr(b'\n', &bytes[..bytes.len().min(4096)])?;
    let line = bytes[..end]
        .split(|&byte| byte == b';')
        .next()?
        .trim_ascii();
    if line.is_empty() || line.len() > 8 || !line.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let length = u32::from_str_radix(std::str::from_utf8(line).ok()?, 16).ok()?;
    Some((usize::try_from(length).ok()?, &bytes[end + 1..]))
}

/// The end of a truncated body. A decoder that reads it needs more bytes.
struct EndsEarly;

impl Read for EndsEarly {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(ErrorKind::UnexpectedEof.into())
    }
}

/// The members of a gzip body. Bytes after the last member are ignored. V-96.
struct Members<'b>(flate2::bufread::GzDecoder<&'b [u8]>);

impl Read for Members<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.0.read(buffer)?;
            let rest = *self.0.get_ref();
            if read > 0 || buffer.is_empty() || !rest.starts_with(b"\x1F\x8B\x08") {
                return Ok(read);
            }
            self.0 = flate2::bufread::GzDecoder::new(rest);
        }
    }
}

/// Decodes a `Content-Encoding`. A body that does not start like the coding was stored decoded.
/// `is_cut` tells that the body has more bytes than are here, so the result is partial. Fails if
/// the body is malformed, ends early although `is_cut` is false, yields no bytes before it ends, or
/// has an unknown coding.
pub(crate) fn without_coding<'b>(
    coding: &str,
    body: &'b [u8],
    is_cut: bool,
    bytes_max: usize,
) -> Result<Plain<'b>, TransportFailure> {
    let as_stored = Plain {
        bytes: Cow::Borrowed(body),
        is_cut,
        was_coded: false,
    };
    let decoder: Box<dyn Read + 'b> = match coding {
        "" | "identity" => return Ok(as_stored),
        "gzip" | "x-gzip" if body.starts_with(b"\x1F\x8B") => {
            Box::new(Members(flate2::bufread::GzDecoder::new(body)))
        }
        "deflate" if has_zlib_header(body) => Box::new(flate2::read::ZlibDecoder::new(body)),
        // Without a zlib header, as some servers send it (RFC 9110 8.4.1.2).
        "deflate" if !is_text(body) => Box::new(flate2::read::DeflateDecoder::new(body)),
        "zstd" if body.starts_with(b"\x28\xB5\x2F\xFD") => {
            let decoder = zstd::Decoder::with_buffer(body).and_then(|mut decoder| {
                decoder.window_log_max(ZSTD_WINDOW_LOG_MAX)?;
                Ok(decoder)
            });
            Box::new(decoder.map_err(|_| TransportFailure::ContentEncoding)?)
        }
        // Brotli has no magic number.
        "br" if !is_text(body) || str::from_utf8(body).is_err() => {
            // The decoder reports the end of its input like malformed bytes.
            let body = body.chain(EndsEarly);
            Box::new(brotli_decompressor::Decompressor::new(body, 4096))
        }
        _ if is_text(body) => return Ok(as_stored),
        _ => return Err(TransportFailure::ContentEncoding),
    };
    let mut bytes = Vec::new();
    let read = decoder.take(bytes_max as u64 + 1).read_to_end(&mut bytes);
    if (read.is_err() || bytes.is_empty()) && is_text(body) {
        return Ok(as_stored);
    }
    let has_more = bytes.len() > bytes_max;
    bytes.truncate(bytes_max);
    if let Err(error) = read {
        let is_part = is_cut && error.kind() == ErrorKind::UnexpectedEof;
        if !is_part || bytes.is_empty() {
            return Err(TransportFailure::ContentEncoding);
        }
    }
    Ok(Plain {
        bytes: Cow::Owned(bytes),
        is_cut: is_cut || has_more,
        was_coded: true,
    })
}

/// Returns whether bytes start like the zlib format (RFC 1950 2.2).
fn has_zlib_header(bytes: &[u8]) -> bool {
    matches!(*bytes, [method, flags, ..]
        if method & 0x0F == 8 && u16::from_be_bytes([method, flags]).is_multiple_of(31))
}

/// Returns whether a body has no control characters except white space, so it is probably not
/// encoded.
pub(super) fn is_text(body: &[u8]) -> bool {
    let head = &body[..body.len().min(4096)];
    let is_control = |byte: &u8| *byte < 0x20 && !b"\t\n\x0B\x0C\r\x1B".contains(byte);
    !head.iter().any(is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::io::Write;

    fn chunked(body: &str, is_cut: bool) -> Result<String, TransportFailure> {
        let plain = without_chunks(body.as_bytes(), is_cut)?;
        Ok(String::from_utf8_lossy(&plain.bytes).into_owned())
    }

    #[test]
    fn chunks_are_joined() {
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(
            chunked("3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", false),
            ok("abcde")
        );
        assert_eq!(chunked("0\r\n\r\n", false), ok(""));
        assert_eq!(chunked("000003\nabc\n0\n", false), ok("abc"));
        // Stored without chunks.
        assert_eq!(
            chunked("User-agent: *\nDisallow: /", false),
            ok("User-agent: *\nDisallow: /")
        );
        assert_eq!(chunked("", false), ok(""));
    }

    #[test]
    fn chunks_that_are_cut_or_malformed_are_a_failure() {
        let failed = |body| chunked(body, false).unwrap_err();
        assert_eq!(failed("5\r\nabc"), TransportFailure::Truncated);
        assert_eq!(failed("3\r\nabc"), TransportFailure::Truncated);
        assert_eq!(failed("3\r\nabc\r\n"), TransportFailure::Truncated);
        assert_eq!(
            failed("3\r\nabcdef\r\n0\r\n\r\n"),
            TransportFailure::Chunking
        );
        assert_eq!(failed("3\r\nabc\r\nxyz\r\n"), TransportFailure::Chunking);
        // The record has more bytes than are kept.
        for cut in ["5\r\nabc", "3\r\nabc", "3\r\nabc\r", "3\r\nabc\r\nx"] {
            assert_eq!(chunked(cut, true).unwrap(), "abc");
        }
        for malformed in ["3\r\nabcdef", "3\r\nabc\r\nxyz\r\n"] {
            assert_eq!(chunked(malformed, true), Err(TransportFailure::Chunking));
        }
    }

    #[test]
    fn of_a_body_that_is_cut_only_what_ends_early_is_a_part() {
        let mut noise = 1_u32;
        let body: Vec<u8> = std::iter::from_fn(|| {
            noise = noise.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            Some(noise.to_be_bytes()[0])
        })
        .take(3000)
        .collect();
        let level = flate2::Compression::fast;
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), level());
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), level());
        let mut raw = flate2::write::DeflateEncoder::new(Vec::new(), level());
        let mut zstd = zstd::Encoder::new(Vec::new(), 3).unwrap();
        let mut brotli = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 22);
        for encoder in [
            &mut gzip as &mut dyn Write,
            &mut zlib,
            &mut raw,
            &mut zstd,
            &mut brotli,
        ] {
            encoder.write_all(&body).unwrap();
            encoder.flush().unwrap();
        }
        for (coding, part, head) in [
            ("gzip", gzip.get_ref(), &gzip.get_ref()[..10]),
            ("deflate", zlib.get_ref(), &zlib.get_ref()[..2]),
            ("deflate", raw.get_ref(), b"\x05\xC0"),
            ("zstd", zstd.get_ref(), &zstd.get_ref()[..6]),
            ("br", brotli.get_ref(), b"\x8B\x02"),
        ] {
            let plain = without_coding(coding, part, true, 100_000).unwrap();
            assert_eq!((&*plain.bytes, plain.is_cut), (&*body, true), "{coding}");
            let failure = Err(TransportFailure::ContentEncoding);
            let malformed = [part, &[0xFF; 40][..]].concat();
            for coded in [&*malformed, head] {
                let undone = without_coding(coding, coded, true, 100_000);
                assert_eq!(undone, failure, "{coding} {}", coded.len());
            }
            assert_eq!(without_coding(coding, part, false, 100_000), failure);
        }
    }

    #[test]
    fn a_coding_is_undone_under_the_cap() {
        let body = "User-agent: *\n".repeat(1000);
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(body.as_bytes()).unwrap();
        let gzip = gzip.finish().unwrap();
        let plain = without_coding("gzip", &gzip, false, 100_000).unwrap();
        assert_eq!((&*plain.bytes, plain.is_cut), (body.as_bytes(), false));
        for (rest, times) in [(&[0; 8][..], 1), (b"\r\n", 1), (&gzip, 2)] {
            let longer = [&*gzip, rest].concat();
            let plain = without_coding("gzip", &longer, false, 100_000).unwrap();
            assert_eq!(&*plain.bytes, body.repeat(times).as_bytes());
        }
        let plain = without_coding("gzip", &gzip, false, 100).unwrap();
        assert_eq!(
            (&*plain.bytes, plain.is_cut),
            (&body.as_bytes()[..100], true)
        );
        let cut = without_coding("gzip", &gzip[..30], false, 100_000);
        assert_eq!(cut, Err(TransportFailure::ContentEncoding));
        let mut brotli = Vec::new();
        let mut encoder = brotli::CompressorWriter::new(&mut brotli, 4096, 5, 22);
        encoder.write_all(body.as_bytes()).unwrap();
        drop(encoder);
        let plain = without_coding("br", &brotli, false, 100_000).unwrap();
        assert_eq!((&*plain.bytes, plain.was_coded), (body.as_bytes(), true));
        let cut = without_coding("br", &brotli[..brotli.len() - 1], false, 100_000);
        assert_eq!(cut, Err(TransportFailure::ContentEncoding));
        let plain = without_coding("br", &brotli, false, 100).unwrap();
        assert_eq!((plain.bytes.len(), plain.is_cut), (100, true));
        let latin1: &[u8] = b"User-agent: *\nDisallow: /caf\xE9";
        let plain = without_coding("br", latin1, false, 100).unwrap();
        assert_eq!((&*plain.bytes, plain.was_coded), (latin1, false));
        for coding in ["gzip", "deflate", "br", "zstd", "", "unknown"] {
            let plain = without_coding(coding, body.as_bytes(), false, 100).unwrap();
            assert_eq!(
                (&*plain.bytes, plain.was_coded),
                (body.as_bytes(), false),
                "{coding}"
            );
        }
        for coding in ["gzip", "br", "unknown"] {
            let odd = without_coding(coding, b"\x00\x01\x02", false, 100);
            assert_eq!(odd, Err(TransportFailure::ContentEncoding), "{coding}");
        }
    }
}
