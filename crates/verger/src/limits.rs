//! What is cut, and where: every limit of the engine in one place (RFC 9309 2.5).

use crate::dialect::BodyLimit;

/// Bytes of a body that are read in every dialect but `google`: the 500 KiB that RFC 9309 2.5
/// asks a crawler to read at least, and that Google reads at most. R9309-2.5-2, D00-2.5-1.
pub const BODY_BYTES_MAX: usize = 512_000;

/// Bytes of a line that Google's library keeps: a buffer of 2083 × 8, less the NUL at its end.
pub const GOOGLE_LINE_BYTES_MAX: usize = 16_663;

/// Bytes of a body that are read in any dialect, so that offsets of 32 bits reach all that is made
/// of it: the escaped rules of a body have at most six times its bytes, since an Allow of an index
/// page makes two.
pub const ADDRESSABLE_BYTES_MAX: usize = 1 << 29;

/// How many bytes of `body` are read: all of a body within the limit; of a longer one what
/// fits, less a last line that the limit would cut in two.
///
/// A line whose terminator is the last byte that fits, or the next one, is whole and stays;
/// otherwise `Disallow: /foo` could turn into `Disallow: /`.
#[must_use]
pub fn bytes_read(body: &[u8], limit: BodyLimit) -> usize {
    let bytes_max = match limit {
        BodyLimit::Bytes512000 => BODY_BYTES_MAX,
        BodyLimit::None => ADDRESSABLE_BYTES_MAX,
    };
    let Some(next) = body.get(bytes_max) else {
        return body.len();
    };
    if is_line_end(*next) {
        return bytes_max;
    }
    memchr::memrchr2(b'\n', b'\r', &body[..bytes_max]).map_or(0, |end| end + 1)
}

/// CR or LF. D00-2.2-12.
pub(crate) fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn read(length: usize, last: &[u8]) -> usize {
        let mut body = vec![b'a'; length - last.len()];
        body[9] = b'\n';
        body.extend_from_slice(last);
        bytes_read(&body, BodyLimit::Bytes512000)
    }

    #[test]
    fn a_body_at_the_limit_is_read_whole_and_one_byte_more_drops_the_cut_line() {
        assert_eq!(read(BODY_BYTES_MAX - 1, b"x"), BODY_BYTES_MAX - 1);
        assert_eq!(read(BODY_BYTES_MAX, b"x"), BODY_BYTES_MAX);
        assert_eq!(read(BODY_BYTES_MAX + 1, b"xy"), 10);
    }

    #[test]
    fn a_line_that_ends_at_the_limit_stays() {
        assert_eq!(read(BODY_BYTES_MAX + 1, b"\nx"), BODY_BYTES_MAX);
        assert_eq!(read(BODY_BYTES_MAX + 1, b"x\n"), BODY_BYTES_MAX);
        assert_eq!(read(BODY_BYTES_MAX + 2, b"x\r\n"), BODY_BYTES_MAX);
    }

    #[test]
    fn one_line_beyond_the_limit_leaves_nothing() {
        let body = vec![b'a'; BODY_BYTES_MAX + 1];
        assert_eq!(bytes_read(&body, BodyLimit::Bytes512000), 0);
        assert_eq!(bytes_read(&body, BodyLimit::None), BODY_BYTES_MAX + 1);
    }
}
