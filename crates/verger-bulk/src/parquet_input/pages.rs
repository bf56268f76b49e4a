//! Pages, decompressed within a bound. The library gets columns that are marked as not compressed, so it ignores the sizes
//! that pages state.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::vec;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::arrow::arrow_reader::RowGroups;
use parquet::basic::Compression;
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::Result;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use super::stored_bytes::{StoredBytes, refused};
use super::text_lengths::decoded_bytes;

/// A dictionary value has at least four bytes: a text has its length, and other types are larger.
const VALUE_BYTES_MIN: usize = 4;

/// The row groups of a file.
pub(super) struct CheckedRowGroups {
    pub(super) file: Arc<StoredBytes>,
    pub(super) metadata: Arc<ParquetMetaData>,
    /// Decoded size of the pages of a batch, in bytes.
    pub(super) batch_bytes: Arc<AtomicU64>,
}

impl RowGroups for CheckedRowGroups {
    fn num_rows(&self) -> usize {
        usize::try_from(self.metadata.file_metadata().num_rows()).unwrap_or(0)
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        let chunks = self
            .row_groups()
            .map(|group| self.pages(group.column(column)));
        let chunks = chunks.collect::<Result<Vec<_>>>()?;
        Ok(Box::new(Chunks(chunks.into_iter())))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.metadata.row_groups().iter())
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

impl CheckedRowGroups {
    fn pages(&self, column: &ColumnChunkMetaData) -> Result<CheckedPages> {
        let codec = column.compression();
        let name = match codec {
            Compression::LZO => "LZO",
            Compression::BROTLI(_) => "Brotli",
            Compression::LZ4 | Compression::LZ4_RAW => "LZ4",
            _ => "",
        };
        if !name.is_empty() {
            let path = column.column_path();
            return Err(refused(format!(
                "column `{}` is compressed with {name}, which is not supported: use Snappy, gzip, Zstandard or no compression",
                path.string()
            )));
        }
        let descriptor = column.column_descr();
        let levels = [
            descriptor.max_rep_level() > 0,
            descriptor.max_def_level() > 0,
        ];
        let stored = column.clone().into_builder();
        let stored = stored.set_compression(Compression::UNCOMPRESSED).build()?;
        Ok(CheckedPages {
            stored: SerializedPageReader::new(Arc::clone(&self.file), &stored, 0, None)?,
            codec,
            levels,
            bytes_max: self.file.page_bytes_max,
            batch_bytes: Arc::clone(&self.batch_bytes),
        })
    }
}

/// A column in each row group.
struct Chunks(vec::IntoIter<CheckedPages>);

impl Iterator for Chunks {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|pages| Ok(Box::new(pages) as _))
    }
}

impl PageIterator for Chunks {}

struct CheckedPages {
    stored: SerializedPageReader<StoredBytes>,
    codec: Compression,
    /// Whether there are repetition and definition levels.
    levels: [bool; 2],
    bytes_max: u64,
    batch_bytes: Arc<AtomicU64>,
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(mut page) = self.stored.get_next_page()? else {
            return Ok(None);
        };
        let (levels, bytes) = match &mut page {
            Page::DataPage { buf, .. } | Page::DictionaryPage { buf, .. } => (0, buf),
            Page::DataPageV2 {
                is_compressed: false,
                buf,
                ..
            } => (buf.len() as u64, buf),
            Page::DataPageV2 {
                buf,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => (
                u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len),
                buf,
            ),
        };
        *bytes = decompressed(self.codec, bytes, levels, self.bytes_max)?;
        self.check(&page).map_err(refused)?;
        Ok(Some(page))
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.stored.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.stored.skip_next_page()
    }
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl CheckedPages {
    fn check(&self, page: &Page) -> std::result::Result<(), String> {
        let bytes = page.buffer().len();
        if let Page::DictionaryPage { num_values, .. } = page
            && *num_values as usize > bytes / VALUE_BYTES_MIN
        {
            return Err(format!(
                "a dictionary states {num_values} values in {bytes} bytes"
            ));
        }
        // A batch may have pages of twice as many bytes as one page.
        let bytes_max = 2 * self.bytes_max;
        let decoded = bytes as u64 + decoded_bytes(page, self.levels, bytes_max)?;
        if self.batch_bytes.fetch_add(decoded, Ordering::Relaxed) + decoded > bytes_max {
            return Err(format!(
                "a batch of rows decodes to more than {bytes_max} bytes"
            ));
        }
        Ok(())
    }
}

/// The levels before the compressed part are not compressed.
fn decompressed(codec: Compression, bytes: &Bytes, levels: u64, bytes_max: u64) -> Result<Bytes> {
    let levels = usize::try_from(levels).unwrap_or(usize::MAX);
    let parts = bytes.split_at_checked(levels);
    let (levels, data) = parts.ok_or_else(|| refused("a page is truncated".to_owned()))?;
    if codec == Compression::UNCOMPRESSED || data.is_empty() {
        return Ok(bytes.clone());
    }
    let stated = if codec == Compression::SNAPPY {
        snap::raw::decompress_len(data)?
    } else {
        0
    };
    let mut decoded = levels.to_vec();
    if stated as u64 <= bytes_max {
        // One byte more tells that there are too many.
        let mut decode = |it: &mut dyn Read| it.take(bytes_max + 1).read_to_end(&mut decoded);
        match codec {
            Compression::GZIP(_) => decode(&mut MultiGzDecoder::new(data))?,
            Compression::ZSTD(_) => decode(&mut zstd::Decoder::with_buffer(data)?)?,
            _ => decode(&mut &snap::raw::Decoder::new().decompress_vec(data)?[..])?,
        };
    }
    if stated.max(decoded.len()) as u64 > bytes_max {
        return Err(refused(format!(
            "a page decodes to more than {bytes_max} bytes"
        )));
    }
    Ok(decoded.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::io::Write as _;

    use flate2::write::GzEncoder;
    use parquet::basic::{GzipLevel, ZstdLevel};

    #[test]
    fn every_codec_is_undone_up_to_the_bound() {
        const BYTES: u64 = 1 << 20;
        let zeros = vec![0; 1 << 20];
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::best());
        gzip.write_all(&zeros).unwrap();
        for (codec, data) in [
            (Compression::UNCOMPRESSED, zeros.clone()),
            (
                Compression::GZIP(GzipLevel::default()),
                gzip.finish().unwrap(),
            ),
            (
                Compression::ZSTD(ZstdLevel::default()),
                zstd::encode_all(&zeros[..], 1).unwrap(),
            ),
            (
                Compression::SNAPPY,
                snap::raw::Encoder::new().compress_vec(&zeros).unwrap(),
            ),
        ] {
            for (levels, bytes) in [(&b""[..], BYTES), (b"levels", BYTES + 6)] {
                let page = Bytes::from([levels, &data].concat());
                let undone = |bytes_max| decompressed(codec, &page, levels.len() as u64, bytes_max);
                assert!(
                    undone(bytes).unwrap() == [levels, &zeros].concat(),
                    "{codec}"
                );
                if codec != Compression::UNCOMPRESSED {
                    let said = undone(bytes - 1).unwrap_err().to_string();
                    assert!(said.contains("a page decodes to more than 1048"), "{said}");
                }
                assert!(
                    decompressed(codec, &page, bytes + 1, bytes).is_err(),
                    "{codec}"
                );
            }
        }
        // Data that states 2 GiB in a few bytes.
        let stated = Bytes::from_static(&[0xFF, 0xFF, 0xFF, 0xFF, 7, 0, 0]);
        let said = decompressed(Compression::SNAPPY, &stated, 0, BYTES).unwrap_err();
        assert!(
            said.to_string().contains("a page decodes to more than"),
            "{said}"
        );
    }
}
