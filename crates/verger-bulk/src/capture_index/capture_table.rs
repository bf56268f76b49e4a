//! `CaptureTable`: reads captures from Parquet files written by `bulk captures`.

use std::array;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Fields, TimeUnit};
use parquet::arrow::ProjectionMask;
use verger_access::{Outcome, Profile};
use verger_inputs::rulebook::named_authority;
use verger_store::BodyHash;

use super::capture::Capture;
use crate::parquet_input::{CheckedBatches, ParquetInput};

/// Number of rows read at once. A body has at most about 500 kB.
const BATCH_ROWS: usize = 256;

const COLUMNS: [&str; 9] = [
    "authority",
    "time",
    "outcome",
    "outcomes",
    "final_url",
    "body_sha256",
    "body",
    "file",
    "offset",
];

/// Reads captures from a Parquet file.
pub struct CaptureTable {
    path: PathBuf,
    reader: CheckedBatches,
    rows: u64,
}

/// A row of a file of captures.
#[derive(Debug)]
pub enum CaptureTableRow<'b> {
    /// A capture, and its body if this row contains it.
    Capture(Box<Capture>, Option<&'b [u8]>),
    /// The row has no authority, no time, or neither an outcome for any profile nor a redirect.
    Unusable(UnusableCapture<'b>),
}

/// A capture without enough data to be used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnusableCapture<'b> {
    /// The authority of the robots.txt, as `verger_access::Authority` displays it.
    pub authority: Option<String>,
    /// The time of the capture, in microseconds since 1970.
    pub time_micros: Option<i64>,
    /// The file that contains the capture.
    pub file: Option<&'b str>,
    /// The offset in that file.
    pub offset: Option<i64>,
}

impl CaptureTable {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read, is not Parquet, or lacks the columns of
    /// captures.
    pub fn open(path: &Path) -> Result<Self, CaptureTableError> {
        let fail = |problem: String| CaptureTableError::of(path, problem);
        let file = File::open(path).map_err(|error| fail(error.to_string()))?;
        let input = ParquetInput::open(file);
        let input = input.map_err(|error| fail(format!("not Parquet: {error}")))?;
        let columns = columns_of(input.fields()).map_err(fail)?;
        let schema = input.metadata().file_metadata().schema_descr();
        let mask = ProjectionMask::roots(schema, columns);
        Ok(Self {
            path: path.to_owned(),
            reader: input.batches(mask, BATCH_ROWS).map_err(fail)?,
            rows: 0,
        })
    }

    /// # Errors
    ///
    /// Returns an error if the file cannot be read to its end.
    pub fn each(
        &mut self,
        mut take: impl FnMut(CaptureTableRow<'_>) -> bool,
    ) -> Result<(), CaptureTableError> {
        while let Some(batch) = self.reader.next() {
            let fail = |problem: String| {
                let problem = format!("after row {}: {problem}", self.rows);
                CaptureTableError::of(&self.path, problem)
            };
            let batch = batch.map_err(fail)?;
            let rows =
                Rows::of(&batch).ok_or_else(|| fail("the columns are malformed".to_owned()))?;
            for row in 0..batch.num_rows() {
                if !take(rows.row(row)) {
                    return Ok(());
                }
            }
            self.rows += batch.num_rows() as u64;
        }
        Ok(())
    }
}

impl fmt::Debug for CaptureTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("CaptureTable");
        shown.field("path", &self.path).field("rows", &self.rows);
        shown.finish_non_exhaustive()
    }
}

/// Checks the types and returns the column numbers.
fn columns_of(fields: &Fields) -> Result<Vec<usize>, String> {
    let column = |name: &&str| {
        let found = fields.find(name);
        let (number, field) = found.ok_or_else(|| {
            format!("there is no column `{name}`: make the file again with `verger bulk captures`")
        })?;
        let is = |found: &DataType| match *name {
            "time" => matches!(found, DataType::Timestamp(TimeUnit::Microsecond, _)),
            "body" => *found == DataType::Binary,
            "offset" => *found == DataType::Int64,
            "outcomes" => matches!(found, DataType::Struct(of_profiles)
                if of_profiles.iter().all(|outcome| *outcome.data_type() == DataType::Utf8)),
            _ => *found == DataType::Utf8,
        };
        if is(field.data_type()) {
            Ok(number)
        } else {
            let found = field.data_type();
            Err(format!(
                "column `{name}` has type {found}: make the file again with `verger bulk captures`"
            ))
        }
    };
    COLUMNS.iter().map(column).collect()
}

struct Rows<'b> {
    texts: [&'b arrow_array::StringViewArray; 5],
    /// The columns of [`Profile::ALL`] that exist.
    outcomes: [Option<&'b arrow_array::StringViewArray>; Profile::ALL.len()],
    time: &'b arrow_array::TimestampMicrosecondArray,
    body: &'b arrow_array::BinaryViewArray,
    offset: &'b arrow_array::Int64Array,
}

impl<'b> Rows<'b> {
    fn of(batch: &'b RecordBatch) -> Option<Self> {
        let text = |name| batch.column_by_name(name)?.as_string_view_opt();
        let outcomes = batch.column_by_name("outcomes")?.as_struct_opt()?;
        let outcomes = array::from_fn(|at| {
            let column = outcomes.column_by_name(&Profile::ALL[at].name)?;
            column.as_string_view_opt()
        });
        Some(Self {
            outcomes,
            texts: [
                text("authority")?,
                text("outcome")?,
                text("final_url")?,
                text("body_sha256")?,
                text("file")?,
            ],
            time: batch
                .column_by_name("time")?
                .as_primitive_opt::<TimestampMicrosecondType>()?,
            body: batch.column_by_name("body")?.as_binary_view_opt()?,
            offset: batch
                .column_by_name("offset")?
                .as_primitive_opt::<Int64Type>()?,
        })
    }

    fn row(&self, row: usize) -> CaptureTableRow<'b> {
        let text = |column: usize| {
            let column = self.texts[column];
            column.is_valid(row).then(|| column.value(row))
        };
        let body = self.body.is_valid(row).then(|| self.body.value(row));
        let capture = || {
            let (authority, outcome) = (text(0)?, text(1));
            let outcome: Option<Outcome> = outcome.and_then(|it| it.parse().ok());
            let outcomes = self.outcomes.map(|column| {
                let column = column.filter(|column| column.is_valid(row))?;
                column.value(row).parse().ok()
            });
            let final_url = text(2).map(str::to_owned);
            // A URL without an outcome is the target of a redirect.
            if final_url.is_none() && outcome.is_none() && outcomes.iter().all(Option::is_none) {
                return None;
            }
            let hash = text(3).and_then(|hash| hash.parse().ok());
            Some(Capture {
                authority: named_authority(authority.as_bytes()).ok()?,
                time_micros: self.time.is_valid(row).then(|| self.time.value(row))?,
                outcome,
                outcomes,
                final_url,
                // Hash the body rather than trust the file.
                body: body.map(BodyHash::new).or(hash),
                file: text(4).unwrap_or_default().to_owned(),
                offset: self.offset.value(row),
            })
        };
        match capture() {
            Some(capture) => CaptureTableRow::Capture(Box::new(capture), body),
            None => CaptureTableRow::Unusable(UnusableCapture {
                authority: text(0).and_then(|it| named_authority(it.as_bytes()).ok()),
                time_micros: self.time.is_valid(row).then(|| self.time.value(row)),
                file: text(4),
                offset: self.offset.is_valid(row).then(|| self.offset.value(row)),
            }),
        }
    }
}

/// A file of captures cannot be used. Displays the file name and the problem.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct CaptureTableError {
    path: PathBuf,
    problem: String,
}

impl CaptureTableError {
    fn of(path: &Path, problem: String) -> Self {
        Self {
            path: path.to_owned(),
            problem,
        }
    }

    pub(super) fn scratch(path: &Path, error: &io::Error) -> Self {
        Self::of(path, format!("cannot write a temporary file: {error}"))
    }
}
