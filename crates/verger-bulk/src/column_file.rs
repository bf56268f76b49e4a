use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_schema::Schema;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::Compression;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;
use verger_inputs::{Links, WholeFile};

/// Maximum size of a row group in memory, in bytes.
const ROW_GROUP_BYTES_MAX: usize = 64 << 20;

/// Maximum size of a batch's texts before it is split, in bytes.
const BATCH_BYTES_MAX: usize = 16 << 20;

/// Size of a page before compression, in bytes. With 1 MiB, the default, page buffers took a third
/// of the time of `bulk check`, because glibc's allocator returns such memory to the system after
/// each page.
const PAGE_BYTES: usize = 64 << 10;

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnFormat {
    /// Apache Parquet.
    Parquet,
    /// JSON Lines: one object per line.
    JsonLines,
}

impl ColumnFormat {
    /// Returns the format for a file name: Parquet for `.parquet`, otherwise JSON Lines.
    #[must_use]
    pub fn from_name(path: &Path) -> Self {
        match path.extension() {
            Some(extension) if extension.eq_ignore_ascii_case("parquet") => Self::Parquet,
            _ => Self::JsonLines,
        }
    }
}

impl FromStr for ColumnFormat {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "parquet" => Ok(Self::Parquet),
            "jsonl" => Ok(Self::JsonLines),
            _ => Err("the format must be parquet or jsonl".to_owned()),
        }
    }
}

/// A file that is written next to its destination and moved into place when it is complete.
pub struct ColumnFile {
    path: PathBuf,
    writer: Writer,
}

enum Writer {
    Parquet(Box<ArrowWriter<WholeFile>>),
    Text(BufWriter<WholeFile>),
}

impl ColumnFile {
    /// Starts a file. `long` names columns whose texts seldom repeat.
    ///
    /// # Errors
    ///
    /// Returns an error if no file can be created next to `path`.
    pub fn create(
        path: &Path,
        format: ColumnFormat,
        schema: &Arc<Schema>,
        long: &[&str],
    ) -> Result<Self, ColumnFileError> {
        let fail = |problem: String| ColumnFileError::of(path, problem);
        let file =
            WholeFile::create(path, Links::Follow).map_err(|error| fail(error.to_string()))?;
        let writer = match format {
            ColumnFormat::JsonLines => Writer::Text(BufWriter::new(file)),
            ColumnFormat::Parquet => {
                let mut properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_data_page_size_limit(PAGE_BYTES)
                    .set_statistics_enabled(EnabledStatistics::Chunk);
                for name in long {
                    let column = ColumnPath::from(*name);
                    properties = properties.set_column_dictionary_enabled(column, false);
                }
                // Omit the Arrow schema, so that readers see plain Parquet texts instead of
                // dictionaries.
                let options = ArrowWriterOptions::new()
                    .with_properties(properties.build())
                    .with_skip_arrow_metadata(true);
                let writer = ArrowWriter::try_new_with_options(file, Arc::clone(schema), options);
                Writer::Parquet(Box::new(writer.map_err(|error| fail(error.to_string()))?))
            }
        };
        Ok(Self {
            path: path.to_owned(),
            writer,
        })
    }

    /// Appends rows to a Parquet file.
    ///
    /// # Errors
    ///
    /// Returns an error if the rows cannot be written or the file is JSON Lines.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ColumnFileError> {
        let Writer::Parquet(writer) = &mut self.writer else {
            let problem = "it is a JSON Lines file, and these are columns".to_owned();
            return Err(ColumnFileError::of(&self.path, problem));
        };
        let parts = text_bytes(batch).div_ceil(BATCH_BYTES_MAX).max(1);
        let rows = batch.num_rows().div_ceil(parts).max(1);
        let mut start = 0;
        while start < batch.num_rows() {
            let part = batch.slice(start, rows.min(batch.num_rows() - start));
            start += rows;
            let written = writer.write(&part).and_then(|()| {
                if writer.in_progress_size() > ROW_GROUP_BYTES_MAX {
                    return writer.flush();
                }
                Ok(())
            });
            written.map_err(|error| ColumnFileError::of(&self.path, error.to_string()))?;
        }
        Ok(())
    }

    /// Appends lines to a JSON Lines file.
    ///
    /// # Errors
    ///
    /// Returns an error if the lines cannot be written or the file is Parquet.
    pub fn write_text(&mut self, text: &[u8]) -> Result<(), ColumnFileError> {
        match &mut self.writer {
            Writer::Text(writer) => writer.write_all(text).map_err(|error| self.fail(&error)),
            Writer::Parquet(_) => {
                let problem = "it is a Parquet file, and these are lines".to_owned();
                Err(ColumnFileError::of(&self.path, problem))
            }
        }
    }

    /// Moves the complete file into place.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written. An existing file is then unchanged.
    pub fn finish(self) -> Result<(), ColumnFileError> {
        let fail = |problem: String| ColumnFileError::of(&self.path, problem);
        let file = match self.writer {
            Writer::Parquet(writer) => writer
                .into_inner()
                .map_err(|error| fail(error.to_string()))?,
            Writer::Text(writer) => writer
                .into_inner()
                .map_err(|error| fail(error.to_string()))?,
        };
        file.finish().map_err(|error| fail(error.to_string()))
    }

    fn fail(&self, error: &io::Error) -> ColumnFileError {
        ColumnFileError::of(&self.path, error.to_string())
    }
}

impl fmt::Debug for ColumnFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ColumnFile");
        shown.field("path", &self.path);
        shown.finish_non_exhaustive()
    }
}

fn text_bytes(batch: &RecordBatch) -> usize {
    let views = batch
        .columns()
        .iter()
        .filter_map(|it| it.as_string_view_opt());
    let bytes = views.flat_map(|column| column.views().iter());
    let length = |view: &u128| usize::try_from(view & u128::from(u32::MAX)).unwrap_or(0);
    bytes.map(length).sum()
}

/// A file cannot be written. Displays its name and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot write `{}`: {problem}", path.display())]
pub struct ColumnFileError {
    path: PathBuf,
    problem: String,
}

impl ColumnFileError {
    fn of(path: &Path, problem: String) -> Self {
        Self {
            path: path.to_owned(),
            problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use arrow_array::RecordBatchOptions;

    #[test]
    fn rows_in_the_other_form_are_an_error_and_leave_no_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows");
        let schema = Arc::new(Schema::empty());
        let options = RecordBatchOptions::new().with_row_count(Some(1));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&schema), Vec::new(), &options);
        let create = |format| ColumnFile::create(&path, format, &schema, &[]).unwrap();
        let mut text = create(ColumnFormat::JsonLines);
        assert!(text.write(&batch.unwrap()).is_err());
        let mut columns = create(ColumnFormat::Parquet);
        assert!(columns.write_text(b"{}\n").is_err());
        drop((text, columns));
        assert_eq!(directory.path().read_dir().unwrap().count(), 0);
    }
}
