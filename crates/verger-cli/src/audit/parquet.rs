//! The counts as columns of Parquet.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_schema::Schema;
use verger_access::Timestamp;
use verger_audit::{AuditAnswer, COLUMNS, Column, CountedCrawler};
use verger_bulk::{ColumnFile, ColumnFormat};

/// Writes the columns of `docs/columns.md`. The file appears whole or not at all.
pub(super) fn write(path: &Path, answer: &AuditAnswer<'_>) -> Result<(), Box<dyn Error>> {
    let columns = COLUMNS.map(|(name, column)| (name, array(&answer.rows, column), false));
    let batch = RecordBatch::try_from_iter_with_nullable(columns)?;
    let schema: Arc<Schema> = batch.schema();
    let mut file = ColumnFile::create(path, ColumnFormat::Parquet, &schema, &[])?;
    file.write(&batch)?;
    Ok(file.finish()?)
}

fn array(rows: &[CountedCrawler<'_>], column: Column) -> ArrayRef {
    match column {
        Column::Text(text) => Arc::new(StringArray::from_iter_values(rows.iter().map(text))),
        Column::Number(number) => {
            let number = |row| i64::try_from(number(row)).unwrap_or(i64::MAX);
            Arc::new(Int64Array::from_iter_values(rows.iter().map(number)))
        }
        Column::Time(time) => {
            let times = rows.iter().map(|row| microseconds(time(row)?));
            let times: TimestampMicrosecondArray = times.collect();
            Arc::new(times.with_timezone("UTC"))
        }
    }
}

fn microseconds(time: Timestamp) -> Option<i64> {
    let seconds = i64::try_from(time.unix_seconds()).ok()?;
    seconds.checked_mul(1_000_000)
}
