//! `CaptureFile`: writes batches to a Parquet file, whole or not at all.

use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, BinaryArray, RecordBatch};
use parquet::arrow::{ArrowSchemaConverter, ArrowWriter};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use verger_inputs::{Links, WholeFile};

use super::capture_schema::capture_schema;
use crate::parquet_input::ParquetInput;

/// Maximum number of body hashes in memory. Then all are forgotten.
const BODIES_MAX: usize = 4_000_000;

const INPUTS_KEY: &str = "verger.inputs";

/// Metadata key for the number of rows with the mark `damaged`.
const DAMAGED_KEY: &str = "verger.damaged";

/// A Parquet file being written, as a temporary file next to its destination.
#[derive(Debug)]
pub struct CaptureFile {
    path: PathBuf,
    writer: ArrowWriter<WholeFile>,
    seen: HashSet<[u8; 64]>,
    group_bytes: usize,
    damaged: usize,
}

impl CaptureFile {
    /// Starts a file at `path`. Row groups end at `group_bytes` in memory. `inputs` describes the
    /// inputs in the metadata, for [`CaptureFile::sound_inputs_of`].
    ///
    /// # Errors
    ///
    /// Returns an error if the temporary file cannot be created.
    pub fn create(path: &Path, inputs: &str, group_bytes: usize) -> Result<Self, CaptureFileError> {
        let failed = |error| CaptureFileError {
            path: path.to_owned(),
            error,
        };
        let file = WholeFile::create(path, Links::Follow).map_err(|error| failed(error.into()))?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_column_statistics_enabled(ColumnPath::from("body"), EnabledStatistics::None);
        // These values hardly ever repeat.
        let properties = [
            "authority",
            "url",
            "final_url",
            "body_sha256",
            "body",
            "offset",
            "length",
        ]
        .into_iter()
        .fold(properties, |properties, column| {
            properties.set_column_dictionary_enabled(ColumnPath::from(column), false)
        });
        let properties = properties
            .set_created_by(concat!("verger ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(vec![KeyValue::new(
                INPUTS_KEY.to_owned(),
                inputs.to_owned(),
            )]))
            .build();
        let writer = ArrowWriter::try_new(file, capture_schema(), Some(properties));
        Ok(Self {
            path: path.to_owned(),
            writer: writer.map_err(failed)?,
            seen: HashSet::new(),
            group_bytes,
            damaged: 0,
        })
    }

    /// Writes a batch. A body that an earlier row contains becomes null.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), CaptureFileError> {
        self.damaged += damaged_rows(batch);
        let batch = self.without_known_bodies(batch);
        let mut write = || {
            self.writer.write(&batch)?;
            if self.writer.in_progress_size() >= self.group_bytes {
                self.writer.flush()?;
            }
            Ok(())
        };
        write().map_err(|error| self.failed(error))
    }

    /// Finishes the file, syncs it to disk, and moves it into place.
    ///
    /// # Errors
    ///
    /// Returns an error if that fails. An existing file is then unchanged.
    pub fn finish(self) -> Result<(), CaptureFileError> {
        let Self {
            path,
            mut writer,
            damaged,
            ..
        } = self;
        writer
            .append_key_value_metadata(KeyValue::new(DAMAGED_KEY.to_owned(), damaged.to_string()));
        let file = writer.into_inner();
        file.and_then(|file| Ok(file.finish()?))
            .map_err(|error| CaptureFileError { path, error })
    }

    /// Returns the inputs recorded in a complete file without damaged rows, or `None` for any other
    /// file. A damaged input may read differently the next time, so it must be read again.
    #[must_use]
    pub fn sound_inputs_of(path: &Path) -> Option<String> {
        // The path may hold a file of someone else.
        let input = ParquetInput::open(File::open(path).ok()?).ok()?;
        let about = input.metadata().file_metadata();
        // A file of an earlier version may lack a column.
        let columns = ArrowSchemaConverter::new().convert(&capture_schema());
        if about.schema_descr().root_schema() != columns.ok()?.root_schema() {
            return None;
        }
        let pairs = about.key_value_metadata()?;
        let value = |key| {
            let mut pairs = pairs.iter();
            pairs.find(|pair| pair.key == key)?.value.clone()
        };
        (value(DAMAGED_KEY)? == "0").then(|| value(INPUTS_KEY))?
    }

    fn failed(&self, error: ParquetError) -> CaptureFileError {
        CaptureFileError {
            path: self.path.clone(),
            error,
        }
    }

    fn without_known_bodies(&mut self, batch: &RecordBatch) -> RecordBatch {
        let schema = batch.schema();
        let (Ok(hash_at), Ok(body_at)) = (schema.index_of("body_sha256"), schema.index_of("body"))
        else {
            return batch.clone();
        };
        let hashes = batch.column(hash_at).as_string::<i32>();
        let bodies = batch.column(body_at).as_binary::<i32>();
        let mut is_new = |hash: Option<&str>| {
            let hash: Option<[u8; 64]> = hash.and_then(|hash| hash.as_bytes().try_into().ok());
            hash.is_none_or(|hash| self.seen.insert(hash))
        };
        let rows = hashes.iter().zip(bodies);
        let is_new: Vec<bool> = rows
            .map(|(hash, body)| body.is_none() || is_new(hash))
            .collect();
        if self.seen.len() > BODIES_MAX {
            self.seen.clear();
        }
        if is_new.iter().all(|&is_new| is_new) {
            return batch.clone();
        }
        let kept = bodies.iter().zip(is_new);
        let kept: BinaryArray = kept.map(|(body, is_new)| body.filter(|_| is_new)).collect();
        let mut columns = batch.columns().to_vec();
        columns[body_at] = Arc::new(kept);
        RecordBatch::try_new(schema, columns).unwrap_or_else(|_| batch.clone())
    }
}

/// Counts the rows with a problem, which are those with the mark `damaged`.
fn damaged_rows(batch: &RecordBatch) -> usize {
    batch
        .column_by_name("problem")
        .map_or(0, |problems| problems.len() - problems.logical_null_count())
}

/// A file could not be written.
#[derive(Debug)]
pub struct CaptureFileError {
    path: PathBuf,
    error: ParquetError,
}

impl fmt::Display for CaptureFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.error {
            ParquetError::External(error) => write!(f, "cannot write `{path}`: {error}"),
            error => write!(f, "cannot write `{path}`: {error}"),
        }
    }
}

impl Error for CaptureFileError {}
