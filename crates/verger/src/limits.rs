//! The limits of the engine (RFC 9309 2.5).

use crate::dialect::BodyLimit;

/// Maximum number of bytes read from a body, except in `google`: 500 KiB, the minimum that RFC 9309
/// 2.5 requires and the maximum that Google reads. R9309-2.5-2, D00-2.5-1.
pub const BODY_BYTES_MAX: usize = 512_000;

/// Maximum number of bytes that Google's library keeps of a line: a buffer of 2083 × 8 bytes, less
/// the NUL at its end.
pub const GOOGLE_LINE_BYTES_MAX: usize = 16_663;

/// Maximum number of bytes read from a body in any dialect. It keeps offsets within 32 bits: the
/// escaped rules of a body have at most six times its bytes, because an Allow of an index page
/// yields two rules.
pub const ADDRESSABLE_BYTES_MAX: usize = 1 << 29;

/// Returns how many bytes of `body` are read. A body over the limit is cut after its last complete
/// line within the limit.
///
/// A line is complete if its terminator is the last byte within the limit or the byte after it.
/// Keeping a partial line could turn `Disallow: /foo` into `Disallow: /`.
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

/// D00-2.2-12.
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
