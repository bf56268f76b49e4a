//! `FieldNames`: which pseudo-header fields a field block of HTTP/2 has (HPACK, RFC 7541).
//!
//! The decoder of the HTTP library is not public, and reads the same bytes. So this decodes only what
//! tells the names: indexes, names, and for the sizes of the dynamic table the lengths of texts.

use std::collections::VecDeque;

/// The size of the dynamic table that a client allows where its settings say nothing (RFC 9113 6.5.2).
const TABLE_BYTES_MAX: usize = 4096;

/// What an entry takes beside its name and its value (RFC 7541 4.1).
const ENTRY_BYTES: usize = 32;

/// The lengths of the names of the static table (RFC 7541 A), from index 1.
#[rustfmt::skip]
const STATIC_NAMES: [u8; 61] = [
    10, 7, 7, 5, 5, 7, 7, 7, 7, 7, 7, 7, 7, 7, 14, 15, 15, 13, 6, 27, 3, 5, 13, 13, 19, 16, 16, 14, 16, 13,
    12, 6, 4, 4, 6, 7, 4, 4, 8, 17, 13, 8, 19, 13, 4, 8, 12, 18, 19, 5, 7, 7, 11, 6, 10, 25, 17, 10, 4, 3, 16,
];

/// How many codes of each length the Huffman code has (RFC 7541 B), from one bit. The code is canonical,
/// so that these tell where each code ends.
#[rustfmt::skip]
const CODES: [u32; 30] = [
    0, 0, 0, 0, 10, 26, 32, 6, 0, 5, 3, 2, 6, 2, 3, 0, 0, 0, 3, 8, 13, 26, 29, 12, 4, 15, 19, 29, 0, 4,
];

/// `:status` in the Huffman code.
const STATUS_CODED: &[u8] = &[0xb8, 0x84, 0x8d, 0x36, 0xa3];

/// What a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldName {
    /// `:status`.
    Status {
        /// Whether its value begins with 1.
        is_interim: bool,
    },
    /// Another pseudo-header field: only requests have such.
    OfRequest,
    /// A field.
    Field,
}

/// Decodes the blocks of a connection, one after the other.
#[derive(Debug)]
pub(crate) struct FieldNames {
    /// The newest entry first: what it is, and the lengths of its name and of the whole.
    table: VecDeque<(FieldName, usize, usize)>,
    bytes: usize,
    bytes_max: usize,
}

/// A text of a block.
#[derive(Clone, Copy, Debug)]
struct Text<'b> {
    is_coded: bool,
    bytes: &'b [u8],
}

impl FieldNames {
    pub(crate) fn new() -> Self {
        Self {
            table: VecDeque::new(),
            bytes: 0,
            bytes_max: TABLE_BYTES_MAX,
        }
    }

    /// Returns what the fields of a block are; `None` where it cannot be decoded.
    pub(crate) fn decode(&mut self, mut block: &[u8]) -> Option<Vec<FieldName>> {
        let mut names = Vec::new();
        while let Some(&first) = block.first() {
            match first {
                0x80.. => {
                    let index = take_number(&mut block, 7)?;
                    names.push(self.entry(index)?.0);
                }
                0x40.. => {
                    let (name, name_bytes, value) = self.take_field(&mut block, 6)?;
                    let bytes = name_bytes + value.decoded_bytes()? + ENTRY_BYTES;
                    self.bytes += bytes;
                    self.table.push_front((name, name_bytes, bytes));
                    self.evict();
                    names.push(name);
                }
                0x20.. => {
                    self.bytes_max = take_number(&mut block, 5)?.min(TABLE_BYTES_MAX);
                    self.evict();
                }
                _ => names.push(self.take_field(&mut block, 4)?.0),
            }
        }
        Some(names)
    }

    /// Reads a field whose value is written, and whose name may be indexed.
    fn take_field<'b>(
        &self,
        block: &mut &'b [u8],
        bits: u32,
    ) -> Option<(FieldName, usize, Text<'b>)> {
        let (name, bytes) = match take_number(block, bits)? {
            0 => {
                let name = Text::take(block)?;
                (name.name(), name.decoded_bytes()?)
            }
            index => self.entry(index)?,
        };
        let value = Text::take(block)?;
        let name = match name {
            FieldName::Status { .. } => FieldName::Status {
                is_interim: value.begins_with_1(),
            },
            name => name,
        };
        Some((name, bytes, value))
    }

    /// Returns what an entry of the tables is, and the length of its name.
    fn entry(&self, index: usize) -> Option<(FieldName, usize)> {
        let at = index.checked_sub(1)?;
        let Some(&bytes) = STATIC_NAMES.get(at) else {
            let (name, bytes, _) = self.table.get(at - STATIC_NAMES.len())?;
            return Some((*name, *bytes));
        };
        let name = match index {
            1..=7 => FieldName::OfRequest,
            8..=14 => FieldName::Status { is_interim: false },
            _ => FieldName::Field,
        };
        Some((name, bytes.into()))
    }

    fn evict(&mut self) {
        while self.bytes > self.bytes_max
            && let Some((.., bytes)) = self.table.pop_back()
        {
            self.bytes -= bytes;
        }
    }
}

/// Reads a number whose first byte has so many bits for it (RFC 7541 5.1).
fn take_number(block: &mut &[u8], bits: u32) -> Option<usize> {
    let (&first, mut rest) = block.split_first()?;
    let most = (1_usize << bits) - 1;
    let mut number = usize::from(first) & most;
    if number == most {
        let mut shift = 0;
        loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            // Longer numbers are none that a block has room for.
            if shift > 21 {
                return None;
            }
            number += (usize::from(byte) & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
    }
    *block = rest;
    Some(number)
}

impl<'b> Text<'b> {
    fn take(block: &mut &'b [u8]) -> Option<Self> {
        let is_coded = block.first()? & 0x80 != 0;
        let length = take_number(block, 7)?;
        let (bytes, rest) = block.split_at_checked(length)?;
        *block = rest;
        Some(Self { is_coded, bytes })
    }

    fn name(self) -> FieldName {
        let (status, begins_with_colon) = if self.is_coded {
            // Its code has seven bits.
            (
                STATUS_CODED,
                self.bytes.first().is_some_and(|it| it >> 1 == 0x5c),
            )
        } else {
            (&b":status"[..], self.bytes.starts_with(b":"))
        };
        match begins_with_colon {
            true if self.bytes == status => FieldName::Status { is_interim: false },
            true => FieldName::OfRequest,
            false => FieldName::Field,
        }
    }

    fn begins_with_1(self) -> bool {
        let first = self.bytes.first();
        // Its code has five bits.
        first.is_some_and(|&it| {
            if self.is_coded {
                it >> 3 == 1
            } else {
                it == b'1'
            }
        })
    }

    /// The length without the code; `None` where it is not in the code.
    fn decoded_bytes(self) -> Option<usize> {
        if !self.is_coded {
            return Some(self.bytes.len());
        }
        let bits = self.bytes.iter();
        let bits = bits.flat_map(|byte| (0..8).rev().map(move |bit| u32::from(byte >> bit & 1)));
        let (mut count, mut code, mut first_code, mut length) = (0, 0, 0, 0);
        for bit in bits {
            code = code << 1 | bit;
            let codes = CODES.get(length)?;
            if code < first_code + codes {
                count += 1;
                (code, first_code, length) = (0, 0, 0);
            } else {
                first_code = (first_code + codes) << 1;
                length += 1;
            }
        }
        Some(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hexadecimal: &str) -> Vec<u8> {
        let digits = hexadecimal.split_whitespace().collect::<String>();
        let pairs = (0..digits.len()).step_by(2);
        pairs
            .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
            .collect()
    }

    /// The responses of RFC 7541 C.6, and the sizes of the table after each.
    #[test]
    fn the_table_has_the_sizes_of_the_examples() {
        let mut names = FieldNames {
            bytes_max: 256,
            ..FieldNames::new()
        };
        let status = FieldName::Status { is_interim: false };
        for (block, expected, size) in [
            (
                "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6
                 2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3",
                4,
                222,
            ),
            ("4883 640e ffc1 c0bf", 4, 222),
            (
                "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab
                 77ad 94e7 821d d7f2 e6c7 b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f
                 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
                6,
                215,
            ),
        ] {
            let decoded = names.decode(&bytes(block)).unwrap();
            assert_eq!(decoded.len(), expected);
            assert_eq!(decoded[0], status);
            assert!(decoded[1..].iter().all(|&it| it == FieldName::Field));
            assert_eq!(names.bytes, size);
        }
    }

    #[test]
    fn pseudo_header_fields_are_found_however_they_are_written() {
        let mut names = FieldNames::new();
        let interim = FieldName::Status { is_interim: true };
        let status = FieldName::Status { is_interim: false };
        for (block, expected) in [
            // Indexed; by an indexed name, with "103" as it is and coded.
            (&b"\x88\x82"[..], &[status, FieldName::OfRequest][..]),
            (b"\x08\x03103", &[interim]),
            (b"\x08\x82\x08\x19", &[interim]),
            // By names as they are, one of which goes into the table, and is found there.
            (b"\x00\x07:status\x03200", &[status]),
            (b"\x40\x05:path\x01/", &[FieldName::OfRequest]),
            (b"\xbe", &[FieldName::OfRequest]),
            // By coded names: ":status", ":path".
            (b"\x00\x85\xb8\x84\x8d\x36\xa3\x03200", &[status]),
            (b"\x00\x84\xb9\x58\xd3\x3f\x01/", &[FieldName::OfRequest]),
            // The table is emptied.
            (b"\x20\x0f\x00\x01x", &[FieldName::Field]),
        ] {
            let decoded = names.decode(block);
            assert_eq!(
                decoded.as_deref(),
                Some(expected),
                "{}",
                block.escape_ascii()
            );
        }
        for cut in [
            &b"\xbe"[..],
            b"\xff",
            b"\x00\x07:stat",
            b"\xff\xff\xff\xff\xff\xff\x7f",
        ] {
            assert_eq!(names.decode(cut), None, "{}", cut.escape_ascii());
        }
    }
}
