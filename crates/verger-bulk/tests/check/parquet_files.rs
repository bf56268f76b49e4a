//! Parquet files of many writers, and files with false sizes.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray,
    new_null_array,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, GzipLevel, ZstdLevel};
use parquet::file::metadata::ParquetMetaDataWriter;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::file::reader::{FileReader, SerializedFileReader};
use verger_bulk::{
    CaptureFile, CaptureTable, CaptureTableRow, UrlColumns, capture_schema, open_urls,
};
use verger_testkit::generate::Rng;

use crate::inputs::{read, with_time};

/// Returns a file of URLs and times with these properties.
fn file(urls: &[String], properties: WriterProperties) -> Vec<u8> {
    let times = (0..urls.len()).map(|_| 1_790_000_000_000_000);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("url", Arc::new(StringArray::from_iter_values(urls))),
        (
            "at",
            Arc::new(TimestampMicrosecondArray::from_iter_values(times)),
        ),
    ];
    let columns = columns
        .into_iter()
        .map(|(name, column)| (name, column, true));
    let batch = RecordBatch::try_from_iter_with_nullable(columns).unwrap();
    let mut file = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    file
}

fn digit(rng: &mut Rng) -> char {
    char::from(b"0123456789abcdef"[rng.below(16)])
}

/// Returns URLs that do not compress well.
fn noise(count: usize) -> Vec<String> {
    let mut rng = Rng::new(7);
    let urls = (0..count).map(|_| {
        let path: String = (0..80).map(|_| digit(&mut rng)).collect();
        format!("https://a.example/{path}")
    });
    urls.collect()
}

#[test]
fn files_of_every_codec_and_version_are_read() {
    let urls = noise(500);
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
    ];
    for codec in codecs {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for has_dictionary in [true, false] {
                let properties = WriterProperties::builder()
                    .set_compression(codec)
                    .set_writer_version(version)
                    .set_dictionary_enabled(has_dictionary)
                    .set_statistics_enabled(EnabledStatistics::Page)
                    .set_write_page_header_statistics(true)
                    .set_data_page_size_limit(4096);
                let file = file(&urls, properties.build());
                let said = read("u.parquet", &file, &with_time()).unwrap();
                assert_eq!(said.len(), urls.len());
                for (said, url) in said.iter().zip(&urls) {
                    assert_eq!(*said, format!("{url} 2026-09-21T14:13:20Z no-group"));
                }
            }
        }
    }
}

/// Changes the codec that the footer states for the column of URLs or times.
fn stating(file: &[u8], column: usize, codec: Compression) -> Vec<u8> {
    let read = SerializedFileReader::new(bytes::Bytes::copy_from_slice(file)).unwrap();
    let metadata = read.metadata().clone();
    let groups = metadata.row_groups().iter().map(|group| {
        let mut columns = group.columns().to_vec();
        let other = columns[column].clone().into_builder();
        columns[column] = other.set_compression(codec).build().unwrap();
        let group = group.clone().into_builder();
        group.set_column_metadata(columns).build().unwrap()
    });
    let groups = groups.collect();
    let metadata = metadata.into_builder().set_row_groups(groups).build();
    let (end, _) = file.split_last_chunk::<8>().unwrap().1.split_at(4);
    let footer = u32::from_le_bytes(end.try_into().unwrap()) as usize;
    let mut stating = file[..file.len() - 8 - footer].to_vec();
    ParquetMetaDataWriter::new(&mut stating, &metadata)
        .finish()
        .unwrap();
    stating
}

#[test]
fn a_codec_that_is_not_read_is_named_with_its_column() {
    let file = file(&noise(3), WriterProperties::default());
    for (codec, name) in [
        (Compression::LZ4, "LZ4"),
        (Compression::LZ4_RAW, "LZ4"),
        (Compression::LZO, "LZO"),
        (Compression::BROTLI(BrotliLevel::default()), "Brotli"),
    ] {
        let said = error(&stating(&file, 0, codec));
        let expected = format!(
            "u.parquet: column `url` is compressed with {name}, which is not supported: use Snappy, gzip, Zstandard or no compression"
        );
        assert!(said.ends_with(&expected), "{said}");
        // An unused column may have any codec.
        let times = stating(&file, 1, codec);
        let urls = read("u.parquet", &times, &UrlColumns::default()).unwrap();
        assert_eq!(urls.len(), 3);
        let said = read("u.parquet", &times, &with_time()).unwrap_err();
        assert!(said.contains("column `at` is compressed with"), "{said}");
    }
}

fn error(file: &[u8]) -> String {
    read("u.parquet", file, &UrlColumns::default()).unwrap_err()
}

/// Returns the offset of the first page of the URL column, and the length of the column.
fn first_page(file: &[u8]) -> (usize, usize) {
    let read = SerializedFileReader::new(bytes::Bytes::copy_from_slice(file)).unwrap();
    let (start, length) = read.metadata().row_group(0).column(0).byte_range();
    (
        usize::try_from(start).unwrap(),
        usize::try_from(length).unwrap(),
    )
}

/// Replaces the start of the first page, which continues from a byte of the original page. The
/// length stays the same, so the end of the page is cut off.
fn with_page(file: &[u8], beginning: &[u8], goes_on: usize) -> Vec<u8> {
    let (start, length) = first_page(file);
    let page = [beginning, &file[start + goes_on..start + length]].concat();
    let mut page = page[..length.min(page.len())].to_vec();
    page.resize(length, 0);
    [&file[..start], &page, &file[start + length..]].concat()
}

/// Returns an integer in Thrift's compact protocol.
fn integer(value: i64) -> Vec<u8> {
    unsigned((value << 1 ^ value >> 63).cast_unsigned())
}

fn unsigned(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(u8::try_from(value & 0x7F).unwrap() | 0x80);
        value >>= 7;
    }
    bytes.push(u8::try_from(value).unwrap());
    bytes
}

/// Returns the three sizes at the start of every page header.
fn header(kind: i64, page_bytes: i64, compressed_bytes: i64) -> Vec<u8> {
    let fields = [kind, page_bytes, compressed_bytes].map(integer);
    fields
        .iter()
        .flat_map(|value| [&[0x15][..], value].concat())
        .collect()
}

fn plain() -> Vec<u8> {
    let properties = WriterProperties::builder().set_dictionary_enabled(false);
    file(&noise(100), properties.build())
}

#[test]
fn a_size_that_a_page_states_takes_no_memory() {
    let file = plain();
    let (start, _) = first_page(&file);
    let sizes = header(0, 9_818, 9_818).len();
    assert_eq!(file[start..start + 2], header(0, 0, 0)[..2], "a data page");
    for stated in [i64::from(i32::MAX), (128 << 20) + 1, 9_000] {
        for header in [header(0, stated, 9_000), header(0, 9_000, stated)] {
            let said = error(&with_page(&file, &header, sizes));
            assert!(said.contains("u.parquet: after row 0: "), "{said}");
        }
    }
    // A size after decoding is not used, if it is less or more than that of the data.
    let snappy = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_compression(Compression::SNAPPY);
    let snappy = self::file(&noise(100), snappy.build());
    let (start, _) = first_page(&snappy);
    let ends = (start + 3..).filter(|at| snappy[*at] < 0x80);
    let ends: Vec<usize> = ends.take(2).map(|at| at + 1 - start).collect();
    let compressed = &snappy[start + ends[0]..start + ends[1]];
    for stated in [9_000, 1_000_000] {
        let header = [&header(0, stated, 0)[..ends[0]], compressed].concat();
        let file = with_page(&snappy, &header, ends[1]);
        let urls = read("u.parquet", &file, &UrlColumns::default()).unwrap();
        assert_eq!(urls.len(), 100, "{stated}");
    }
}

#[test]
fn a_dictionary_has_room_for_its_values() {
    let file = file(&noise(100), WriterProperties::default());
    // An uncompressed page of 8,000 bytes with a dictionary of 2^31 - 1 values.
    let page = [
        &header(2, 8_000, 8_000)[..],
        &[0x4C, 0x15],
        &integer(i64::from(i32::MAX)),
        &[0x15, 0, 0, 0],
    ];
    let said = error(&with_page(&file, &page.concat(), 20));
    let expected = "a dictionary states 2147483647 values in 8000 bytes";
    assert!(said.contains(expected), "{said}");
}

/// A dictionary stores a body once, and every row of a batch could refer to it. The body is not
/// copied for each row.
#[test]
fn a_body_that_repeats_is_in_memory_once() {
    let texts = |text: &str| -> ArrayRef { Arc::new(StringArray::from_iter_values([text; 3])) };
    let schema = capture_schema();
    let columns = schema
        .fields()
        .iter()
        .map(|field| match field.name().as_str() {
            "authority" => texts("https://a.example"),
            "outcome" => texts("successful http 200"),
            "file" => texts("a.warc.gz"),
            "offset" => Arc::new(Int64Array::from_value(0, 3)),
            "time" => Arc::new(TimestampMicrosecondArray::from_value(1, 3).with_timezone("UTC")),
            "body" => Arc::new(BinaryArray::from_iter_values(
                [b"Disallow: /a/long/path"; 3],
            )),
            _ => new_null_array(field.data_type(), 3),
        });
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns.collect()).unwrap();
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut writer = ArrowWriter::try_new(&file, schema, None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let mut places = Vec::new();
    let read = CaptureTable::open(file.path()).unwrap().each(|row| {
        if let CaptureTableRow::Capture(_, Some(body)) = row {
            places.push(body.as_ptr());
        }
        true
    });
    read.unwrap();
    assert_eq!(places, [places[0]; 3]);
}

/// Returns a file that consists of a footer.
fn of_footer(footer: &[u8]) -> Vec<u8> {
    let length = u32::try_from(footer.len()).unwrap();
    [b"PAR1", footer, &length.to_le_bytes(), b"PAR1"].concat()
}

/// Returns a footer with these schema elements, and as many row groups as it states.
fn footer(elements: &[Vec<u8>], row_groups: i64) -> Vec<u8> {
    let count = unsigned(elements.len() as u64);
    let row_groups = unsigned(row_groups.cast_unsigned());
    [
        &[0x15, 2, 0x19, 0xFC][..],
        &count,
        &elements.concat(),
        &[0x16, 0, 0x19, 0xFC],
        &row_groups,
    ]
    .concat()
}

/// Returns a schema element with a name and this many children.
fn element(children: i64) -> Vec<u8> {
    [
        &[0x35, 0, 0x18, 1, b'x', 0x15][..],
        &integer(children),
        &[0],
    ]
    .concat()
}

#[test]
fn a_footer_states_no_more_than_there_can_be() {
    let leaf = || vec![0x15, 12, 0x25, 0, 0x18, 3, b'u', b'r', b'l', 0];
    let said = |footer: &[u8]| {
        let file = of_footer(footer);
        let captures = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(captures.path(), &file).unwrap();
        let table = CaptureTable::open(captures.path()).unwrap_err().to_string();
        let said = error(&file);
        // A part that `bulk captures --resume` finds.
        assert_eq!(CaptureFile::sound_inputs_of(captures.path()), None);
        let why = said.split_once("not Parquet: ").unwrap().1;
        assert!(table.ends_with(why), "{table}, {why}");
        why.to_owned()
    };
    let many = i64::from(i32::MAX);
    let too_many = said(&footer(&[element(1), leaf()], many));
    assert!(
        too_many.ends_with("footer: it states 2147483647 row groups"),
        "{too_many}"
    );
    let children = said(&footer(&[element(many), leaf()], 0));
    assert!(
        children.ends_with("footer: it states 2147483647 children"),
        "{children}"
    );
    let elements = [&[0x15, 2, 0x19, 0xFC][..], &unsigned(many.cast_unsigned())].concat();
    assert!(said(&elements).ends_with("footer: it states 2147483647 schema elements"));
    let deep: Vec<Vec<u8>> = (0..100_000).map(|_| element(1)).chain([leaf()]).collect();
    let deep = said(&footer(&deep, 0));
    assert!(
        deep.ends_with("footer: its groups are nested more than 64 levels deep"),
        "{deep}"
    );
    // The number of children has the type of a text, which a reader that knows the field ignores.
    let lie = [
        &[0x35, 0, 0x18, 1, b'x', 0x18][..],
        &unsigned(1),
        b"x",
        &[0],
    ]
    .concat();
    assert!(said(&footer(&[lie, leaf()], many)).ends_with("footer: it is malformed"));
    let good = footer(&[element(1), leaf()], 0);
    for end in 0..good.len() {
        assert!(said(&good[..end]).contains("footer: it is"), "{end}");
    }
    // Sixty nested groups are not an error of the footer, but not a text column either.
    let groups: Vec<Vec<u8>> = (0..60).map(|_| element(1)).chain([leaf()]).collect();
    let mut whole = footer(&groups, 0);
    whole.push(0);
    assert!(error(&of_footer(&whole)).ends_with("there is no column `url`: the columns are x"));
}

/// Flips the lowest and the highest bit of every byte of small files. Unreadable data is an error
/// that names the file, and nothing panics.
#[test]
fn a_file_with_a_byte_turned_is_read_or_refused() {
    let urls = ["https://a.example/1", "https://a.example/2"].map(str::to_owned);
    for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
        let properties = WriterProperties::builder()
            .set_writer_version(version)
            .set_statistics_enabled(EnabledStatistics::None);
        let file = file(&urls, properties.build());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("u.parquet");
        let (mut refused, mut read) = (0, 0);
        for (at, bit) in (0..file.len()).flat_map(|at| [(at, 1), (at, 0x80)]) {
            let mut turned = file.clone();
            turned[at] ^= bit;
            std::fs::write(&path, &turned).unwrap();
            let urls = open_urls(Some(&path), None, &UrlColumns::default());
            // A page may state a billion rows.
            let rows = urls.and_then(|mut urls| {
                for _ in 0..2 {
                    if urls.next_rows()?.is_none() {
                        break;
                    }
                }
                Ok(())
            });
            match rows {
                Ok(()) => read += 1,
                Err(error) => {
                    assert!(
                        error.to_string().contains("u.parquet: "),
                        "{at} {bit}: {error}"
                    );
                    refused += 1;
                }
            }
        }
        assert!(
            refused > 100 && read > 100,
            "{refused} refused, {read} read"
        );
    }
}
