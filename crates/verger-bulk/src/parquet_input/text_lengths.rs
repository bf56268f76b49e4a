//! Computes the decoded size of a page's texts in the encodings `DELTA_BYTE_ARRAY` and
//! `DELTA_LENGTH_BYTE_ARRAY`.
//!
//! The crate `parquet` allocates memory for as many lengths as a page states. And if a thousand
//! texts share a prefix of a million bytes, they take a few bytes in the file and a billion in
//! memory.

use parquet::basic::Encoding;
use parquet::column::page::Page;

use super::compact::{unsigned, zigzag};

/// Memory of a decoded length, in bytes. `DELTA_BYTE_ARRAY` has two lengths for each text.
const LENGTH_BYTES: u64 = 8;

const MALFORMED: &str = "the lengths of its texts are malformed";

/// Returns the memory for decoding the texts and their lengths, or 0 for other encodings. Fails if
/// the lengths are malformed or exceed `bytes_max`.
pub(super) fn decoded_bytes(page: &Page, levels: [bool; 2], bytes_max: u64) -> Result<u64, String> {
    let encoding = page.encoding();
    let has_prefixes = encoding == Encoding::DELTA_BYTE_ARRAY;
    if !has_prefixes && encoding != Encoding::DELTA_LENGTH_BYTE_ARRAY {
        return Ok(0);
    }
    let mut values = values_of(page, levels).ok_or(MALFORMED)?;
    let mut lengths = || lengths(&mut values, page.num_values().into()).ok_or(MALFORMED);
    let (count, mut bytes) = lengths()?;
    if has_prefixes {
        let (suffixes, more) = lengths()?;
        if suffixes != count {
            return Err(MALFORMED.to_owned());
        }
        bytes = bytes.saturating_add(more);
    }
    bytes = bytes.saturating_add(count * LENGTH_BYTES);
    if bytes > bytes_max {
        return Err(format!("its texts decode to more than {bytes_max} bytes"));
    }
    Ok(bytes)
}

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

/// Reads lengths in `DELTA_BINARY_PACKED`. Returns their number and their sum, or `None` if they are malformed.
fn lengths(bytes: &mut &[u8], count_max: u64) -> Option<(u64, u64)> {
    let [block_values, parts, count, first] = [(); 4].map(|()| unsigned(bytes));
    let (block_values, parts) = (block_values?, parts?);
    let count = count.filter(|count| *count <= count_max)?;
    let part_values = block_values.checked_div(parts)?;
    let is_even = block_values.is_multiple_of(128) && block_values.is_multiple_of(parts);
    if !is_even || part_values == 0 || !part_values.is_multiple_of(32) {
        return None;
    }
    let mut last = i32::try_from(zigzag(first?)).ok()?;
    let mut sum = if count == 0 {
        0
    } else {
        u64::try_from(last).ok()?
    };
    let mut left = count.saturating_sub(1);
    while left > 0 {
        let smallest = i32::try_from(zigzag(unsigned(bytes)?)).ok()?;
        for width in bytes.split_off(..usize::try_from(parts).ok()?)? {
            // Parts without a value have no bytes.
            let values = part_values.min(left);
            let width = if values == 0 { 0 } else { u64::from(*width) };
            let part = part_values.checked_mul(width).filter(|_| width <= 32)? / 8;
            let part = bytes.split_off(..usize::try_from(part).ok()?)?;
            for nth in 0..values {
                let difference = smallest.wrapping_add(bits(part, nth * width, width)?);
                last = last.wrapping_add(difference);
                sum = sum.saturating_add(u64::try_from(last).ok()?);
            }
            left -= values;
        }
    }
    Some((count, sum))
}

/// Returns at most 32 bits from a place on.
fn bits(bytes: &[u8], place: u64, width: u64) -> Option<i32> {
    let there = bytes.get(usize::try_from(place / 8).ok()?..)?;
    let mut window = [0; 8];
    for (byte, there) in window.iter_mut().zip(there) {
        *byte = *there;
    }
    let bits = (u64::from_le_bytes(window) >> (place % 8)) & ((1 << width) - 1);
    Some(u32::try_from(bits).ok()?.cast_signed())
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
        assert_eq!(lengths(&mut &stated[..], 1000), None);
        let one = [0x80, 1, 4, 1, 10, 7];
        let mut rest = &one[..];
        assert_eq!(lengths(&mut rest, 1000), Some((1, 5)));
        assert_eq!(rest, [7]);
        for malformed in [
            &[0x80, 1, 0, 1, 10][..],
            &[0x81, 1, 4, 1, 10],
            &[0x80, 1, 4, 2, 10],
            &[0x80],
        ] {
            assert_eq!(lengths(&mut &*malformed, 1000), None, "{malformed:?}");
        }
    }
}
