//! What was counted, as columns of Parquet.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray};
use arrow_schema::Schema;
use verger_access::Timestamp;
use verger_audit::CountedCrawler;
use verger_bulk::{ColumnFile, ColumnFormat};

use super::audit_rows::{AuditRows, purposes};

/// Writes a row for each crawler and check, as `docs/columns.md` lists the columns. The file appears whole or
/// not at all.
pub(super) fn write(path: &Path, rows: &AuditRows<'_>) -> Result<(), Box<dyn Error>> {
    let rows = &rows.rows;
    let columns: [(&str, ArrayRef); 17] = [
        ("crawler", texts(rows, |row| row.crawler.name())),
        ("operator", texts(rows, |row| row.crawler.operator())),
        ("obeys", texts(rows, |row| row.crawler.obeys().as_str())),
        ("check", texts(rows, |row| row.check.as_str())),
        ("requests", numbers(rows, |row| row.tally.requests)),
        ("first", times(rows, |row| row.tally.span.first)),
        ("last", times(rows, |row| row.tally.span.last)),
        ("allowed", numbers(rows, |row| row.tally.allowed)),
        ("within_grace", numbers(rows, |row| row.tally.within_grace)),
        (
            "robots_refused",
            numbers(rows, |row| row.tally.robots_refused),
        ),
        ("disallowed", numbers(rows, |row| row.tally.disallowed)),
        ("unknown", numbers(rows, |row| row.tally.unknown)),
        (
            "robots_requests",
            numbers(rows, |row| row.tally.robots.total()),
        ),
        (
            "robots_refusals",
            numbers(rows, |row| row.tally.robots.refused),
        ),
        ("delay_judged", numbers(rows, |row| row.tally.pace.judged)),
        ("delay_early", numbers(rows, |row| row.tally.pace.early)),
        ("purposes", texts(rows, purposes)),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(
        columns.map(|(name, column)| (name, column, false)),
    )?;
    let schema: Arc<Schema> = batch.schema();
    let mut file = ColumnFile::create(path, ColumnFormat::Parquet, &schema, &[])?;
    file.write(&batch)?;
    Ok(file.finish()?)
}

fn texts<'r, T: AsRef<str>>(
    rows: &'r [CountedCrawler<'_>],
    text: impl Fn(&'r CountedCrawler<'_>) -> T,
) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(rows.iter().map(text)))
}

fn numbers(rows: &[CountedCrawler<'_>], number: impl Fn(&CountedCrawler<'_>) -> u64) -> ArrayRef {
    let number = |row| i64::try_from(number(row)).unwrap_or(i64::MAX);
    Arc::new(Int64Array::from_iter_values(rows.iter().map(number)))
}

fn times(
    rows: &[CountedCrawler<'_>],
    time: impl Fn(&CountedCrawler<'_>) -> Option<Timestamp>,
) -> ArrayRef {
    let microseconds = |row| {
        let seconds = i64::try_from(time(row)?.unix_seconds()).ok()?;
        seconds.checked_mul(1_000_000)
    };
    let times: TimestampMicrosecondArray = rows.iter().map(microseconds).collect();
    Arc::new(times.with_timezone("UTC"))
}
