use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::RecordBatch;
use arrow_schema::Fields;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels, parquet_to_arrow_schema};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ParquetMetaData;

use super::caught::caught;
use super::pages::CheckedRowGroups;
use super::stored_bytes::{StoredBytes, refused};
use super::views::with_views;

/// Maximum size of a page, in bytes, compressed or not. Writers make pages of about 1 MiB, some up to 100 MB. The pages of a
/// batch of rows may have twice as many bytes together.
const PAGE_BYTES_MAX: u64 = 128 << 20;

/// A file whose footer is sound.
pub(crate) struct ParquetInput {
    file: StoredBytes,
    metadata: ParquetMetaData,
    fields: Fields,
}

impl ParquetInput {
    pub(crate) fn open(file: File) -> Result<Self> {
        Self::bounded(file, PAGE_BYTES_MAX)
    }

    fn bounded(file: File, page_bytes_max: u64) -> Result<Self> {
        let file = StoredBytes {
            file,
            page_bytes_max,
        };
        let metadata = file.metadata()?;
        // Ignore the Arrow schema, so every file has the plain types of Parquet.
        let schema = metadata.file_metadata().schema_descr();
        let schema = caught(|| parquet_to_arrow_schema(schema, None)).map_err(refused)??;
        let fields = schema.fields;
        Ok(Self {
            file,
            metadata,
            fields,
        })
    }

    pub(crate) fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }

    pub(crate) fn fields(&self) -> &Fields {
        &self.fields
    }

    /// Reads these columns, with texts as views. Fails if a codec is not supported.
    pub(crate) fn batches(
        self,
        columns: ProjectionMask,
        rows: usize,
    ) -> std::result::Result<CheckedBatches, String> {
        let batch_bytes = Arc::default();
        let groups = CheckedRowGroups {
            file: Arc::new(self.file),
            metadata: Arc::new(self.metadata),
            batch_bytes: Arc::clone(&batch_bytes),
        };
        let schema = groups.metadata.file_metadata().schema_descr();
        let views = with_views(&self.fields);
        let reader = caught(|| {
            let levels = parquet_to_arrow_field_levels(schema, columns, Some(&views))?;
            ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, rows, None)
        });
        let reader = reader?.map_err(|error| match error {
            ParquetError::General(why) => why,
            other => other.to_string(),
        })?;
        let reader = Some(reader);
        Ok(CheckedBatches {
            reader,
            batch_bytes,
        })
    }
}

/// The iteration ends after an error.
pub(crate) struct CheckedBatches {
    reader: Option<ParquetRecordBatchReader>,
    batch_bytes: Arc<AtomicU64>,
}

impl Iterator for CheckedBatches {
    type Item = std::result::Result<RecordBatch, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut()?;
        self.batch_bytes.store(0, Ordering::Relaxed);
        let batch = match caught(|| reader.next()) {
            Ok(batch) => batch?.map_err(|error| error.to_string()),
            Err(panic) => Err(panic),
        };
        if batch.is_err() {
            self.reader = None;
        }
        Some(batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use arrow_array::{ArrayRef, StringArray};
    use parquet::arrow::ArrowWriter;
    use parquet::basic::Encoding;
    use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};

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
        let file = file.try_clone().unwrap();
        let input = ParquetInput::bounded(file, page_bytes_max).unwrap();
        let batches = input.batches(ProjectionMask::all(), 1024)?;
        batches
            .map(|batch| batch.map(|batch| batch.num_rows()))
            .sum()
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
}
