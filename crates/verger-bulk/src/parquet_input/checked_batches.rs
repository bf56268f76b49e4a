use arrow_array::RecordBatch;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};

use super::caught::caught;
use super::checked_file::{BatchBytes, CheckedFile};
use super::codecs;

/// The iteration ends after an error.
pub(crate) struct CheckedBatches {
    reader: Option<ParquetRecordBatchReader>,
    batch: BatchBytes,
}

impl CheckedBatches {
    /// Reads these columns. `batch` is that of the file. Fails if a column is missing or has an
    /// unsupported codec.
    pub(crate) fn of(
        builder: ParquetRecordBatchReaderBuilder<CheckedFile>,
        columns: ProjectionMask,
        batch: BatchBytes,
    ) -> Result<Self, String> {
        codecs::check(builder.metadata(), &columns)?;
        let builder = builder.with_projection(columns);
        let reader = caught(|| builder.build())?;
        let reader = Some(reader.map_err(|error| error.to_string())?);
        Ok(Self { reader, batch })
    }
}

impl Iterator for CheckedBatches {
    type Item = Result<RecordBatch, String>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut()?;
        self.batch.begin();
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
