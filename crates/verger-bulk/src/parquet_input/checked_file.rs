use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::column::page::PageReader as _;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;

use super::caught::caught;
use super::compact::Stop;
use super::footer;
use super::page_header::PageHeader;
use super::text_lengths::decoded_bytes;

/// Maximum size of a page, in bytes, compressed or not. Writers make pages of about 1 MiB, some up
/// to 100 MB. The pages of a batch of rows may have twice as many bytes together.
const PAGE_BYTES_MAX: u64 = 128 << 20;

/// Page headers have a few dozen bytes, or more if statistics contain texts of the column.
const HEADER_BYTES: u64 = 4096;
const HEADER_BYTES_MAX: u64 = 16 << 20;

/// Size of the footer length and `PAR1`, in bytes.
const END_BYTES: u64 = 8;

/// Maximum expansion factor of gzip.
const GZIP_RATIO_MAX: u64 = 1032;

/// A dictionary value has at least four bytes: a text has its length, and other types are larger.
const VALUE_BYTES_MIN: i64 = 4;

/// A file whose footer and pages are checked before they are read, so memory is allocated only for
/// data that exists.
pub(crate) struct CheckedFile {
    file: File,
    bytes: u64,
    page_bytes_max: u64,
    metadata: OnceLock<Arc<ParquetMetaData>>,
    chunks: OnceLock<Vec<Chunk>>,
    batch: BatchBytes,
}

/// Decoded size of a batch's pages, in bytes. Clones share it.
#[derive(Clone, Default)]
pub(crate) struct BatchBytes(Arc<AtomicU64>);

impl BatchBytes {
    pub(super) fn begin(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    fn add(&self, bytes: u64, bytes_max: u64) -> std::result::Result<(), String> {
        if self.0.fetch_add(bytes, Ordering::Relaxed) + bytes > bytes_max {
            return Err(format!(
                "a batch of rows decodes to more than {bytes_max} bytes"
            ));
        }
        Ok(())
    }
}

impl CheckedFile {
    pub(crate) fn of(file: File) -> Self {
        Self::bounded(file, PAGE_BYTES_MAX)
    }

    fn bounded(file: File, page_bytes_max: u64) -> Self {
        let bytes = Length::len(&file);
        Self {
            file,
            bytes,
            page_bytes_max,
            metadata: OnceLock::new(),
            chunks: OnceLock::new(),
            batch: BatchBytes::default(),
        }
    }

    pub(crate) fn batch(&self) -> BatchBytes {
        self.batch.clone()
    }

    pub(crate) fn metadata(&self, options: ArrowReaderOptions) -> Result<ArrowReaderMetadata> {
        if let Some(footer) = self.footer()? {
            footer::check(&footer).map_err(|why| refused(format!("footer: {why}")))?;
        }
        let metadata =
            caught(|| ArrowReaderMetadata::load(&self.file, options)).map_err(refused)??;
        let _ = self.metadata.set(Arc::clone(metadata.metadata()));
        Ok(metadata)
    }

    fn footer(&self) -> Result<Option<Vec<u8>>> {
        let Some(end) = self.bytes.checked_sub(END_BYTES) else {
            return Ok(None);
        };
        let mut last = [0; 8];
        self.file.get_read(end)?.read_exact(&mut last)?;
        let [length @ .., b'P', b'A', b'R', b'1'] = last else {
            return Ok(None);
        };
        let length = u64::from(u32::from_le_bytes(length));
        let Some(start) = end.checked_sub(length) else {
            return Ok(None);
        };
        let mut footer = Vec::new();
        self.file
            .get_read(start)?
            .take(length)
            .read_to_end(&mut footer)?;
        Ok(Some(footer))
    }

    fn check_page(&self, start: u64) -> Result<()> {
        let header = self.header(start)?;
        let page_bytes_max = self.page_bytes_max;
        let of_page = |why: String| refused(format!("page at byte {start}: {why}"));
        let too_many = |bytes: i64, what: &str| {
            of_page(format!(
                "it states {bytes} bytes{what}, more than the limit of {page_bytes_max}"
            ))
        };
        for (bytes, what) in [
            (header.page_bytes, ""),
            (header.compressed_bytes, " in the file"),
        ] {
            if u64::try_from(bytes).is_ok_and(|bytes| bytes > page_bytes_max) {
                return Err(too_many(bytes, what));
            }
        }
        let values = header.dictionary_values;
        let room = header.page_bytes.max(header.compressed_bytes);
        if values > room / VALUE_BYTES_MIN {
            return Err(of_page(format!(
                "it states {values} values in {room} bytes"
            )));
        }
        let levels = u64::try_from(header.level_bytes).unwrap_or(0);
        let bytes = u64::try_from(header.compressed_bytes).unwrap_or(0);
        let bytes = bytes.saturating_sub(levels);
        // The others can expand to at most twice the maximum size of a page.
        if bytes > 2 * page_bytes_max / GZIP_RATIO_MAX {
            let data = start.saturating_add(header.bytes).saturating_add(levels);
            self.check_gzip(data, bytes).map_err(of_page)?;
        }
        let stated = u64::try_from(header.page_bytes).unwrap_or(0);
        let batch_bytes_max = 2 * page_bytes_max;
        let decoded = if header.has_text_lengths {
            self.text_bytes(start, &header, batch_bytes_max)
                .map_err(of_page)?
        } else {
            0
        };
        let batch = self.batch.add(stated + decoded, batch_bytes_max);
        batch.map_err(of_page)
    }

    /// Decompresses the page an extra time to compute the size.
    fn text_bytes(
        &self,
        start: u64,
        header: &PageHeader,
        bytes_max: u64,
    ) -> std::result::Result<u64, String> {
        let column = self.column_at(start)?;
        let compressed = u64::try_from(header.compressed_bytes).unwrap_or(0);
        let bytes = header.bytes.saturating_add(compressed);
        let length = usize::try_from(bytes).unwrap_or(usize::MAX);
        let page = self
            .get_bytes(start, length)
            .map_err(|error| error.to_string())?;
        let alone = column.clone().into_builder();
        let alone = alone
            .set_data_page_offset(0)
            .set_dictionary_page_offset(None);
        let alone = alone.set_total_compressed_size(i64::try_from(bytes).unwrap_or(i64::MAX));
        let alone = alone.build().map_err(|error| error.to_string())?;
        let pages = SerializedPageReader::new(Arc::new(page), &alone, 0, None);
        let page = caught(|| pages?.get_next_page())?.map_err(|error| error.to_string())?;
        let descriptor = column.column_descr();
        let levels = [
            descriptor.max_rep_level() > 0,
            descriptor.max_def_level() > 0,
        ];
        page.map_or(Ok(0), |page| decoded_bytes(&page, levels, bytes_max))
    }

    fn column_at(&self, start: u64) -> std::result::Result<&ColumnChunkMetaData, String> {
        let groups = self.metadata.get().map_or(&[][..], |it| it.row_groups());
        let chunks = self.chunks.get_or_init(|| chunks(groups));
        let before = chunks.partition_point(|chunk| chunk.bytes.start <= start);
        let chunk = before.checked_sub(1).and_then(|last| chunks.get(last));
        let chunk = chunk.filter(|chunk| chunk.bytes.contains(&start));
        let column = chunk.map(|chunk| groups[chunk.group].column(chunk.column));
        column.ok_or_else(|| "it is in no column, or columns overlap".to_owned())
    }

    fn header(&self, start: u64) -> Result<PageHeader> {
        let mut bytes_max = HEADER_BYTES;
        loop {
            let mut bytes = Vec::new();
            self.file
                .get_read(start)?
                .take(bytes_max)
                .read_to_end(&mut bytes)?;
            match PageHeader::read(&bytes) {
                Ok(header) => return Ok(header),
                Err(Stop::Ended)
                    if bytes.len() as u64 == bytes_max && bytes_max < HEADER_BYTES_MAX =>
                {
                    bytes_max = HEADER_BYTES_MAX;
                }
                Err(stop) => {
                    return Err(refused(format!(
                        "header of the page at byte {start}: {stop}"
                    )));
                }
            }
        }
    }

    /// Rejects gzip that expands too far. Decompresses it an extra time to find out.
    fn check_gzip(&self, start: u64, bytes: u64) -> std::result::Result<(), String> {
        let data = || self.file.get_read(start).map(|read| read.take(bytes));
        let mut first = [0; 2];
        let magic = data().and_then(|mut data| Ok(data.read_exact(&mut first)?));
        if magic.is_err() || first != [0x1F, 0x8B] {
            return Ok(());
        }
        let data = data().map_err(|error| error.to_string())?;
        let mut undone = MultiGzDecoder::new(data).take(self.page_bytes_max + 1);
        // Damage is reported when the page is actually read.
        let count = io::copy(&mut undone, &mut io::sink()).unwrap_or(0);
        if count > self.page_bytes_max {
            let page_bytes_max = self.page_bytes_max;
            return Err(format!(
                "its gzip data decodes to more than {page_bytes_max} bytes"
            ));
        }
        Ok(())
    }
}

struct Chunk {
    bytes: Range<u64>,
    group: usize,
    column: usize,
}

/// Returns the chunks by position, or none if two overlap, because a page could then belong to
/// either.
fn chunks(groups: &[RowGroupMetaData]) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for (group, of_group) in groups.iter().enumerate() {
        for (column, chunk) in of_group.columns().iter().enumerate() {
            let first = chunk.dictionary_page_offset();
            let first =
                u64::try_from(first.unwrap_or(chunk.data_page_offset())).unwrap_or(u64::MAX);
            let bytes = u64::try_from(chunk.compressed_size()).unwrap_or(0);
            chunks.push(Chunk {
                bytes: first..first.saturating_add(bytes),
                group,
                column,
            });
        }
    }
    chunks.sort_by_key(|chunk| chunk.bytes.start);
    let share = |pair: &[Chunk]| pair[0].bytes.end > pair[1].bytes.start;
    if chunks.windows(2).any(share) {
        chunks.clear();
    }
    chunks
}

fn refused(why: String) -> ParquetError {
    ParquetError::General(why)
}

impl Length for CheckedFile {
    fn len(&self) -> u64 {
        self.bytes
    }
}

impl ChunkReader for CheckedFile {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        self.check_page(start)?;
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let is_there = (length as u64) <= self.bytes.saturating_sub(start);
        if !is_there {
            return Err(refused(format!(
                "there are fewer than {length} bytes at byte {start}"
            )));
        }
        self.file.get_bytes(start, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::io::{Seek, SeekFrom, Write};
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::basic::{Compression as Codec, Encoding, GzipLevel};
    use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
    use verger_testkit::generate::Rng;

    fn gzip_file(version: WriterVersion) -> File {
        let mut rng = Rng::new(3);
        let mut digit = || char::from(b"0123456789abcdef"[rng.below(16)]);
        let texts = (0..500).map(|_| (0..40).map(|_| digit()).collect::<String>());
        let texts: Vec<String> = texts.collect();
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_writer_version(version)
            .set_compression(Codec::GZIP(GzipLevel::default()));
        file_of(texts, properties)
    }

    fn file_of(texts: Vec<String>, properties: WriterPropertiesBuilder) -> File {
        let texts: ArrayRef = Arc::new(StringArray::from(texts));
        let batch = RecordBatch::try_from_iter_with_nullable([("url", texts, true)]).unwrap();
        let file = tempfile::tempfile().unwrap();
        let writer = ArrowWriter::try_new(&file, batch.schema(), Some(properties.build()));
        let mut writer = writer.unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        file
    }

    fn rows(file: &File, page_bytes_max: u64) -> std::result::Result<usize, String> {
        let file = CheckedFile::bounded(file.try_clone().unwrap(), page_bytes_max);
        let metadata = file.metadata(ArrowReaderOptions::new()).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
        let batches = reader.build().unwrap();
        let rows = batches.map(|batch| batch.map(|batch| batch.num_rows()));
        let rows: std::result::Result<Vec<usize>, _> = rows.collect();
        rows.map(|rows| rows.iter().sum())
            .map_err(|error| error.to_string())
    }

    /// Each text starts with all of the previous one.
    #[test]
    fn the_texts_of_a_page_are_counted_before_they_are_decoded() {
        let texts = |bytes: usize| vec!["x".repeat(bytes); 500];
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let properties = || {
                WriterProperties::builder()
                    .set_dictionary_enabled(false)
                    .set_writer_version(version)
                    .set_encoding(Encoding::DELTA_BYTE_ARRAY)
            };
            let file = file_of(texts(1_000), properties());
            assert_eq!(rows(&file, 1 << 20), Ok(500));
            let file = file_of(texts(10_000), properties());
            let said = rows(&file, 1 << 20).unwrap_err();
            let expected = "its texts decode to more than 2097152 bytes";
            assert!(said.contains(expected), "{said}");
            assert_eq!(rows(&file, 1 << 22), Ok(500));
        }
    }

    #[test]
    fn gzip_is_counted_before_it_is_undone() {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let mut file = gzip_file(version);
            // Five hundred texts of 40 bytes, and more bytes in the file than are counted.
            for page_bytes_max in [23_000, 1 << 20] {
                assert_eq!(rows(&file, page_bytes_max), Ok(500));
            }
            let said = rows(&file, 19_000).unwrap_err();
            assert!(said.contains("page at byte 4: it states 2"), "{said}");
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(0)).unwrap();
            file.read_to_end(&mut bytes).unwrap();
            let magic = bytes
                .windows(3)
                .position(|it| it == [0x1F, 0x8B, 8])
                .unwrap();
            let mut member = GzEncoder::new(Vec::new(), Compression::best());
            member.write_all(&vec![0; 1 << 20]).unwrap();
            let bomb = member.finish().unwrap().repeat(5);
            file.seek(SeekFrom::Start(magic as u64)).unwrap();
            file.write_all(&bomb).unwrap();
            let said = rows(&file, 4 << 20).unwrap_err();
            assert!(
                said.contains("page at byte 4: its gzip data decodes to more than 4194304 bytes"),
                "{said}"
            );
            // If the page is small enough, the error is about its content.
            let said = rows(&file, 8 << 20).unwrap_err();
            assert!(!said.contains("its gzip data"), "{said}");
        }
    }
}
