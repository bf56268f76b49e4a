//! `Http2Frames`: counts the interim responses of HTTP/2, of which the HTTP library tells nothing.

use std::collections::BTreeMap;

use crate::transport::interim_count::INTERIM_MAX;

const FRAME_HEADER_BYTES: usize = 9;
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const END_STREAM: u8 = 1;

/// Reads the headers of the frames that a server sends (RFC 9113 4.1).
#[derive(Default)]
pub(crate) struct Http2Frames {
    header: [u8; FRAME_HEADER_BYTES],
    header_bytes: usize,
    payload_left: usize,
    /// The number of heads of each open stream before its first data.
    heads: BTreeMap<[u8; 4], usize>,
}

impl Http2Frames {
    /// Reads the next bytes of the connection. Returns `true` once a stream has more than [`INTERIM_MAX`] heads before
    /// the final one.
    pub(crate) fn has_too_many_heads(&mut self, mut bytes: &[u8]) -> bool {
        while !bytes.is_empty() {
            let skipped = self.payload_left.min(bytes.len());
            self.payload_left -= skipped;
            bytes = &bytes[skipped..];
            let missing = &mut self.header[self.header_bytes..];
            let taken = missing.len().min(bytes.len());
            missing[..taken].copy_from_slice(&bytes[..taken]);
            self.header_bytes += taken;
            bytes = &bytes[taken..];
            if self.header_bytes == FRAME_HEADER_BYTES && self.ends_header() {
                return true;
            }
        }
        false
    }

    fn ends_header(&mut self) -> bool {
        let [high, middle, low, kind, flags, stream @ ..] = self.header;
        self.header_bytes = 0;
        self.payload_left = usize::from(high) << 16 | usize::from(middle) << 8 | usize::from(low);
        if kind > HEADERS {
            return false;
        }
        let heads = self.heads.entry(stream).or_default();
        *heads = if kind == DATA { 0 } else { *heads + 1 };
        let is_too_many = *heads > INTERIM_MAX + 1;
        if flags & END_STREAM != 0 {
            self.heads.remove(&stream);
        }
        is_too_many
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(length: u8, kind: u8, flags: u8, stream: u8) -> Vec<u8> {
        let mut frame = vec![0, 0, length, kind, flags, 0, 0, 0, stream];
        frame.resize(FRAME_HEADER_BYTES + usize::from(length), 1);
        frame
    }

    #[test]
    fn heads_are_counted_by_stream_however_the_bytes_arrive() {
        let heads = |count: usize, stream| frame(7, HEADERS, 4, stream).repeat(count);
        for (bytes, expected) in [
            (heads(33, 1), false),
            (heads(34, 1), true),
            ([heads(33, 1), heads(33, 3)].concat(), false),
            ([heads(33, 1), heads(33, 3), heads(1, 1)].concat(), true),
            // Trailers follow data.
            (
                [heads(33, 1), frame(9, DATA, 0, 1), heads(1, 1)].concat(),
                false,
            ),
            (
                [heads(33, 1), frame(0, 4, 1, 1), heads(1, 1)].concat(),
                true,
            ),
            ([frame(3, HEADERS, 5, 1), heads(33, 1)].concat(), false),
        ] {
            for size in [1, 2, 8, 9, 10, 4096] {
                let mut frames = Http2Frames::default();
                let found = bytes.chunks(size).any(|it| frames.has_too_many_heads(it));
                assert_eq!(found, expected, "{size}");
            }
        }
    }
}
