//! Computes the decoded size of a page's texts in the encodings `DELTA_BYTE_ARRAY` and
//! `DELTA_LENGTH_BYTE_ARRAY`.
//!
//! The crate `parquet` allocates memory for as many lengths as a page states. And if a thousand
//! texts share a prefix of a million bytes, they take a few bytes in the file and a billion in
//! memory.

use parquet::basic::Encoding;
use parquet::column::page::Page;

/// Memory of a decoded length, in bytes. `DELTA_BYTE_ARRAY` has two lengths for each text.
const LENGTH_BYTES: u64 = 8;

/// Returns the memory for decoding the texts and their lengths, or 0 for other encodings. Fails if
/// the lengths are malformed or exceed `bytes_max`.
pub(super) fn decoded_bytes(page: &Page, levels: [bool; 2], bytes_max: u64) -> Result<u64, String> {
    let encoding = page.encoding();
    if !matches!(
        encoding,
        Encoding::DELTA_BYTE_ARRAY | Encoding::DELTA_LENGTH_BYTE_ARRAY
    ) {
        return Ok(0);
    }
    let values = values_of(page, levels).ok_or(MALFORMED)?;
    let count_max = u64::from(page.num_values());
    let total = |lengths: &mut dyn Iterator<Item = Result<u64, &'static str>>| {
        let mut total = 0_u64;
        for length in lengths {
            total += LENGTH_BYTES + length?;
            if total > bytes_max {
                return Err(format!("its texts decode to more than {bytes_max} bytes"));
            }
        }
        Ok(total)
    };
    if encoding == Encoding::DELTA_LENGTH_BYTE_ARRAY {
        return total(&mut DeltaLengths::of(values, count_max)?);
    }
    let mut prefixes = DeltaLengths::of(values, count_max)?;
    let bytes = total(&mut prefixes.by_ref().map(|prefix| prefix.map(|_| 0)))?;
    let suffixes = DeltaLengths::of(prefixes.rest(), count_max)?;
    if suffixes.count != prefixes.count {
        return Err(MALFORMED.to_owned());
    }
    let mut last = 0;
    let texts = DeltaLengths::of(values, count_max)?.zip(suffixes);
    let mut lengths = texts.map(|(prefix, suffix)| {
        // A prefix cannot be longer than the previous text.
        last = prefix?.min(last) + suffix?;
        Ok(last)
    });
    Ok(bytes.max(total(&mut lengths)?))
}

const MALFORMED: &str = "the lengths of its texts are malformed";

/// `levels` tells whether the page has repetition and definition levels.
fn values_of(page: &Page, levels: [bool; 2]) -> Option<&[u8]> {
    match page {
        Page::DataPage {
            buf,
            def_level_encoding,
            rep_level_encoding,
            ..
        } => {
            let mut rest: &[u8] = buf;
            for (_, encoding) in levels
                .into_iter()
                .zip([rep_level_encoding, def_level_encoding])
                .filter(|(has, _)| *has)
            {
                let (length, after) = rest.split_first_chunk::<4>()?;
                let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
                rest = (*encoding == Encoding::RLE).then(|| after.get(length..))??;
            }
            Some(rest)
        }
        Page::DataPageV2 {
            buf,
            def_levels_byte_len,
            rep_levels_byte_len,
            ..
        } => {
            let levels = def_levels_byte_len.checked_add(*rep_levels_byte_len)?;
            buf.get(usize::try_from(levels).ok()?..)
        }
        Page::DictionaryPage { .. } => None,
    }
}

/// Lengths in `DELTA_BINARY_PACKED`, decoded one by one without allocation.
struct DeltaLengths<'v> {
    bytes: &'v [u8],
    at: usize,
    count: u64,
    left: u64,
    block_parts: u64,
    part_values: u64,
    last: i32,
    /// The smallest difference of the block, and the bit widths of its remaining parts.
    block: (i32, &'v [u8]),
    /// The current part: its bytes, the bit width, and the number of differences read.
    part: (&'v [u8], u32, u64),
}

impl<'v> DeltaLengths<'v> {
    fn of(bytes: &'v [u8], count_max: u64) -> Result<Self, &'static str> {
        let mut lengths = Self {
            bytes,
            at: 0,
            count: 0,
            left: 0,
            block_parts: 0,
            part_values: 0,
            last: 0,
            block: (0, &[]),
            part: (&[], 0, 0),
        };
        lengths.begin(count_max).ok_or(MALFORMED)?;
        Ok(lengths)
    }

    fn begin(&mut self, count_max: u64) -> Option<()> {
        let block_values = self.unsigned()?;
        self.block_parts = self.unsigned()?;
        self.count = self.unsigned().filter(|count| *count <= count_max)?;
        self.left = self.count;
        self.last = self.signed()?;
        self.part_values = block_values.checked_div(self.block_parts)?;
        let is_even = block_values.is_multiple_of(128)
            && block_values.is_multiple_of(self.block_parts)
            && self.part_values.is_multiple_of(32);
        // The first difference starts the first part.
        self.part.2 = self.part_values;
        (is_even && self.part_values > 0).then_some(())
    }

    /// Returns the rest, once all lengths are read.
    fn rest(&self) -> &'v [u8] {
        &self.bytes[self.at..]
    }

    fn next_length(&mut self) -> Option<u64> {
        if self.left < self.count {
            if self.part.2 == self.part_values {
                self.next_part()?;
            }
            let difference = self.block.0.wrapping_add(self.difference()?);
            self.last = self.last.wrapping_add(difference);
        }
        self.left -= 1;
        u64::try_from(self.last).ok()
    }

    fn next_part(&mut self) -> Option<()> {
        if self.block.1.is_empty() {
            let smallest = self.signed()?;
            let widths = self.take(self.block_parts)?;
            self.block = (smallest, widths);
        }
        let (width, others) = self.block.1.split_first()?;
        self.block.1 = others;
        let width = u32::from(*width);
        let bytes = self.part_values.checked_mul(u64::from(width))? / 8;
        self.part = (self.take(bytes)?, width, 0);
        (width <= i32::BITS).then_some(())
    }

    fn difference(&mut self) -> Option<i32> {
        let (bytes, width, nth) = &mut self.part;
        let first = nth.checked_mul(u64::from(*width))?;
        *nth += 1;
        let start = usize::try_from(first / 8).ok()?;
        let mut window = [0; 8];
        let there = bytes.get(start..).unwrap_or_default();
        let length = there.len().min(8);
        window[..length].copy_from_slice(&there[..length]);
        let bits = (u64::from_le_bytes(window) >> (first % 8)) & ((1 << *width) - 1);
        Some(u32::try_from(bits).ok()?.cast_signed())
    }

    fn take(&mut self, bytes: u64) -> Option<&'v [u8]> {
        let end = self.at.checked_add(usize::try_from(bytes).ok()?)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn unsigned(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let [byte] = *self.take(1)? else { return None };
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Some(value);
            }
        }
        None
    }

    fn signed(&mut self) -> Option<i32> {
        let value = self.unsigned()?;
        let value = (value >> 1).cast_signed() ^ -(value & 1).cast_signed();
        i32::try_from(value).ok()
    }
}

impl Iterator for DeltaLengths<'_> {
    type Item = Result<u64, &'static str>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 {
            return None;
        }
        let length = self.next_length().ok_or(MALFORMED);
        if length.is_err() {
            self.left = 0;
        }
        Some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use bytes::Bytes;
    use parquet::arrow::ArrowWriter;
    use parquet::file::properties::{WriterProperties, WriterVersion};
    use parquet::file::reader::{FileReader as _, SerializedFileReader};
    use verger_testkit::generate::Rng;

    /// Returns the total computed size of all pages.
    fn added_up(texts: Vec<Option<String>>, encoding: Encoding, version: WriterVersion) -> u64 {
        let texts: ArrayRef = Arc::new(StringArray::from(texts));
        let batch = RecordBatch::try_from_iter_with_nullable([("url", texts, true)]).unwrap();
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_data_page_row_count_limit(300)
            .set_write_batch_size(100)
            .set_writer_version(version)
            .set_encoding(encoding);
        let mut bytes = Vec::new();
        let writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties.build()));
        let mut writer = writer.unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let file = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
        let pages = file.get_row_group(0).unwrap().get_column_page_reader(0);
        let pages = pages.unwrap().map(|page| page.unwrap());
        let bytes = pages.map(|page| decoded_bytes(&page, [false, true], u64::MAX / 2));
        bytes.map(Result::unwrap).sum()
    }

    #[test]
    fn lengths_add_up_to_those_of_the_texts() {
        let mut rng = Rng::new(7);
        for round in 0..20 {
            let mut text = |_| {
                let bytes = rng.below(1 << (round % 12));
                let shared = rng.below(bytes + 1);
                let end = char::from(b'a' + u8::try_from(rng.below(3)).unwrap());
                let text = "a".repeat(shared) + &end.to_string().repeat(bytes - shared);
                (rng.below(5) > 0).then_some(text)
            };
            let texts: Vec<Option<String>> = (0..1000).map(&mut text).collect();
            let expected = texts
                .iter()
                .flatten()
                .map(|it| it.len() as u64 + LENGTH_BYTES);
            let expected: u64 = expected.sum();
            for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
                for encoding in [
                    Encoding::DELTA_BYTE_ARRAY,
                    Encoding::DELTA_LENGTH_BYTE_ARRAY,
                ] {
                    assert_eq!(
                        added_up(texts.clone(), encoding, version),
                        expected,
                        "{round}"
                    );
                }
                assert_eq!(added_up(texts.clone(), Encoding::PLAIN, version), 0);
            }
        }
    }

    /// A page that states 2 billion lengths in a few bytes.
    #[test]
    fn no_more_lengths_are_read_than_a_page_has_values() {
        let stated = [0x80, 1, 4, 0xFF, 0xFF, 0xFF, 0xFF, 7, 0, 0, 0, 0, 0, 0];
        assert!(DeltaLengths::of(&stated, 1000).is_err());
        let one = [0x80, 1, 4, 1, 10];
        let lengths = DeltaLengths::of(&one, 1000).unwrap();
        assert_eq!(lengths.collect::<Vec<_>>(), [Ok(5)]);
        for malformed in [
            &[0x80, 1, 0, 1, 10][..],
            &[0x81, 1, 4, 1, 10],
            &[0x80, 1, 4, 2, 10],
            &[0x80],
        ] {
            let read = DeltaLengths::of(malformed, 1000);
            let read = read.and_then(Iterator::collect::<Result<Vec<_>, _>>);
            assert_eq!(read, Err(MALFORMED), "{malformed:?}");
        }
    }
}
