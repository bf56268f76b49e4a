//! `PseudoHeaderWatch`: whether the responses on an HTTP/2 connection have the pseudo-header fields that
//! they may have.
//!
//! A head with one of a request, and trailers with any, are malformed (RFC 9113 8.3). The HTTP library
//! ignores such fields, so this reads the frames beside it, from the bytes as they arrive. Whatever else
//! is malformed the library finds.

use std::collections::HashSet;

use crate::transport::field_names::{FieldName, FieldNames};

/// The length of the head of a frame, and the most bytes of a frame (RFC 9113 4).
const HEAD_BYTES: usize = 9;
const FRAME_BYTES_MAX: usize = 1 << 14;

/// The most bytes of a field block, many times those of the fields that the library accepts.
const BLOCK_BYTES_MAX: usize = 1 << 20;

// Types of frames, and flags (RFC 9113 6).
const HEADERS: u8 = 1;
const PUSH_PROMISE: u8 = 5;
const CONTINUATION: u8 = 9;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const PADDED: u8 = 8;
const PRIORITY: u8 = 32;

/// The bytes of the fields of a priority.
const PRIORITY_BYTES: usize = 5;

/// Watches the bytes that a server sends.
#[derive(Debug)]
pub(crate) struct PseudoHeaderWatch {
    names: FieldNames,
    /// The frame that is not complete yet.
    frame: Vec<u8>,
    /// Bytes of a frame of another type that are still to come.
    skipped: usize,
    block: Option<Block>,
    /// The streams on which a final head has arrived, and no end.
    answered: HashSet<u32>,
    /// Whether the library finds, or has found, what is malformed.
    is_over: bool,
}

/// A field block that is not complete yet.
#[derive(Debug)]
struct Block {
    stream: u32,
    ends_stream: bool,
    bytes: Vec<u8>,
}

/// What is malformed, in words for an operator.
pub(crate) type Malformed = &'static str;

impl PseudoHeaderWatch {
    pub(crate) fn new() -> Self {
        Self {
            names: FieldNames::new(),
            frame: Vec::new(),
            skipped: 0,
            block: None,
            answered: HashSet::new(),
            is_over: false,
        }
    }

    /// Reads bytes that were received.
    ///
    /// # Errors
    ///
    /// Where a response is malformed.
    pub(crate) fn observe(&mut self, mut bytes: &[u8]) -> Result<(), Malformed> {
        while !self.is_over && !bytes.is_empty() {
            let skipped = self.skipped.min(bytes.len());
            self.skipped -= skipped;
            bytes = &bytes[skipped..];
            let missing = self.frame_bytes() - self.frame.len();
            let (part, rest) = bytes.split_at(missing.min(bytes.len()));
            self.frame.extend_from_slice(part);
            bytes = rest;
            if self.frame.len() < HEAD_BYTES {
                continue;
            }
            let is_read = matches!(self.frame[3], HEADERS | CONTINUATION);
            if !is_read {
                self.skipped = self.payload_bytes();
                self.is_over = self.frame[3] == PUSH_PROMISE;
                self.frame.clear();
            } else if self.payload_bytes() > FRAME_BYTES_MAX {
                self.is_over = true;
            } else if self.frame.len() == self.frame_bytes() {
                let frame = std::mem::take(&mut self.frame);
                self.end_frame(&frame)?;
            }
        }
        Ok(())
    }

    /// The length of the current frame as far as it is known and read: of other types the head alone.
    fn frame_bytes(&self) -> usize {
        match self.frame.get(3) {
            Some(&(HEADERS | CONTINUATION)) if self.frame.len() >= HEAD_BYTES => {
                HEAD_BYTES + self.payload_bytes()
            }
            _ => HEAD_BYTES,
        }
    }

    fn payload_bytes(&self) -> usize {
        let length = self.frame.get(..3).unwrap_or_default().iter();
        length.fold(0, |sum, &byte| sum << 8 | usize::from(byte))
    }

    fn end_frame(&mut self, frame: &[u8]) -> Result<(), Malformed> {
        let Some((head, payload)) = frame.split_first_chunk::<HEAD_BYTES>() else {
            return Ok(());
        };
        let [_, _, _, kind, flags, stream @ ..] = *head;
        let stream = u32::from_be_bytes(stream) & (u32::MAX >> 1);
        match (kind, self.block.take()) {
            (HEADERS, None) => {
                let Some(fragment) = fragment(payload, flags) else {
                    self.is_over = true;
                    return Ok(());
                };
                self.block = Some(Block {
                    stream,
                    ends_stream: flags & END_STREAM != 0,
                    bytes: fragment.to_vec(),
                });
            }
            (CONTINUATION, Some(mut block)) if block.stream == stream => {
                block.bytes.extend_from_slice(payload);
                self.block = Some(block);
            }
            _ => self.is_over = true,
        }
        if flags & END_HEADERS != 0
            && let Some(block) = self.block.take()
        {
            return self.end_block(&block);
        }
        let bytes = self.block.as_ref().map_or(0, |block| block.bytes.len());
        if bytes > BLOCK_BYTES_MAX {
            return Err("a field block is too long");
        }
        Ok(())
    }

    fn end_block(&mut self, block: &Block) -> Result<(), Malformed> {
        let Some(names) = self.names.decode(&block.bytes) else {
            self.is_over = true;
            return Ok(());
        };
        let is_trailer = self.answered.contains(&block.stream);
        if is_trailer && names.iter().any(|&name| name != FieldName::Field) {
            return Err("the trailers have a pseudo-header field");
        }
        if names.contains(&FieldName::OfRequest) {
            return Err("the head has a pseudo-header field of requests");
        }
        let is_interim = names.contains(&FieldName::Status { is_interim: true });
        if block.ends_stream {
            self.answered.remove(&block.stream);
        } else if !is_interim {
            self.answered.insert(block.stream);
        }
        Ok(())
    }
}

/// The field block in a HEADERS frame, without padding and priority; `None` where it has no room for
/// them.
fn fragment(payload: &[u8], flags: u8) -> Option<&[u8]> {
    let (padding, rest) = match payload.split_first() {
        Some((&padding, rest)) if flags & PADDED != 0 => (usize::from(padding), rest),
        None if flags & PADDED != 0 => return None,
        _ => (0, payload),
    };
    let priority = if flags & PRIORITY != 0 {
        PRIORITY_BYTES
    } else {
        0
    };
    rest.get(priority..rest.len().checked_sub(padding)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of type, flags, stream and payload.
    fn frames(frames: &[(u8, u8, u8, &[u8])]) -> Vec<u8> {
        let frames = frames.iter().map(|(kind, flags, stream, payload)| {
            let length = u8::try_from(payload.len()).unwrap();
            [&[0, 0, length, *kind, *flags, 0, 0, 0, *stream], *payload].concat()
        });
        frames.collect::<Vec<_>>().concat()
    }

    /// Whether the bytes are accepted, however they are cut.
    #[track_caller]
    fn is_accepted(sent: &[(u8, u8, u8, &[u8])]) -> bool {
        let bytes = frames(sent);
        let accepted = [1, 2, 7, bytes.len()].map(|step| {
            let mut watch = PseudoHeaderWatch::new();
            bytes.chunks(step).all(|part| watch.observe(part).is_ok())
        });
        assert!(accepted.iter().all(|it| *it == accepted[0]));
        accepted[0]
    }

    const DATA: u8 = 0;
    const SETTINGS: u8 = 4;
    const HEAD: (u8, u8, u8, &[u8]) = (HEADERS, END_HEADERS, 1, b"\x88");

    #[test]
    fn heads_and_trailers_as_they_should_be_are_accepted() {
        // Data that looks like a head with a field of requests is data.
        let like_a_head = frames(&[(HEADERS, END_HEADERS, 1, b"\x82")]);
        let padded = b"\x02\x80\x00\x00\x00\x00\x88\x00\x00";
        for sent in [
            &[
                (SETTINGS, 0, 0, &[0; 6][..]),
                HEAD,
                (DATA, END_STREAM, 1, b"a"),
            ][..],
            &[HEAD, (DATA, 0, 1, &like_a_head)],
            &[
                HEAD,
                (HEADERS, END_HEADERS | END_STREAM, 1, b"\x00\x01a\x01b"),
            ],
            // An interim head comes before; another stream has its own.
            &[(HEADERS, END_HEADERS, 1, b"\x08\x03103"), HEAD],
            &[HEAD, (HEADERS, END_HEADERS, 3, b"\x88")],
            &[(HEADERS, END_HEADERS | PADDED | PRIORITY, 1, padded)],
            &[
                (HEADERS, 0, 1, b"\x00\x07:sta"),
                (CONTINUATION, END_HEADERS, 1, b"tus\x03200"),
            ],
        ] {
            assert!(is_accepted(sent), "{sent:?}");
        }
    }

    #[test]
    fn a_head_with_a_field_of_requests_and_trailers_with_a_status_are_malformed() {
        for sent in [
            &[(HEADERS, END_HEADERS, 1, &b"\x88\x82"[..])][..],
            &[(HEADERS, END_HEADERS, 1, b"\x08\x03103\x82")],
            &[
                (HEADERS, 0, 1, b"\x88"),
                (CONTINUATION, END_HEADERS, 1, b"\x00\x05:path\x01/"),
            ],
            &[HEAD, (HEADERS, END_HEADERS | END_STREAM, 1, b"\x88")],
            &[HEAD, (HEADERS, END_HEADERS | END_STREAM, 1, b"\x84")],
        ] {
            assert!(!is_accepted(sent), "{sent:?}");
        }
    }
}
