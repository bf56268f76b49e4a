//! `ParquetUrls`: a URL in each row of Parquet.

use std::fs::File;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
};
use arrow_array::{Array, PrimitiveArray, RecordBatch};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};

use super::input_format::{UrlColumns, UrlInputError};
use super::time_text::TimeText;
use super::url_reader::{BATCH_OCTETS, BATCH_ROWS, UrlReader};
use crate::check::{UrlRows, UrlTimes};
use crate::parquet_input::{CheckedBatches, CheckedFile};

/// Microseconds since 1970.
type Micros = PrimitiveArray<TimestampMicrosecondType>;

/// A URL in each row.
pub(super) struct ParquetUrls {
    name: String,
    reader: CheckedBatches,
    columns: UrlColumns,
    rows_read: u64,
    rows_left: u64,
}

impl ParquetUrls {
    pub(super) fn open(
        name: &str,
        file: File,
        columns: &UrlColumns,
    ) -> Result<Self, UrlInputError> {
        let fail = |problem: String| UrlInputError::of(name, problem);
        // What was written with Arrow has the types of Parquet alone.
        let plain = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let file = CheckedFile::of(file);
        let metadata = file
            .metadata(plain)
            .map_err(|error| fail(format!("not Parquet: {error}")))?;
        let schema = with_views(metadata.schema());
        let wanted = wanted(&schema, columns).map_err(fail)?;
        let rows = metadata.metadata().file_metadata().num_rows();
        let octets: i64 = metadata
            .metadata()
            .row_groups()
            .iter()
            .map(|group| group.total_byte_size().max(0))
            .fold(0, i64::saturating_add);
        let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
        let metadata = ArrowReaderMetadata::try_new(Arc::clone(metadata.metadata()), options)
            .map_err(|error| fail(error.to_string()))?;
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
        let mask = ProjectionMask::roots(builder.parquet_schema(), wanted);
        let reader = builder.with_batch_size(batch_rows(rows, octets));
        Ok(Self {
            name: name.to_owned(),
            reader: CheckedBatches::of(reader, mask).map_err(fail)?,
            columns: columns.clone(),
            rows_read: 0,
            rows_left: u64::try_from(rows).unwrap_or(0),
        })
    }

    fn rows(&self, batch: &RecordBatch) -> Option<UrlRows> {
        let times = match &self.columns.time {
            None => UrlTimes::None,
            Some(time) => UrlTimes::Each(Arc::new(micros(batch.column_by_name(time)?)?)),
        };
        let urls = batch.column_by_name(&self.columns.url)?;
        if let Some(texts) = urls.as_string_view_opt() {
            return Some(UrlRows::of_text(texts, times));
        }
        Some(UrlRows::of_octets(urls.as_binary_view_opt()?, times))
    }
}

/// As many rows as have the octets of a batch, on average.
fn batch_rows(rows: i64, octets: i64) -> usize {
    let octets_each = usize::try_from(octets / rows.max(1)).unwrap_or(usize::MAX);
    (BATCH_OCTETS / octets_each.max(1)).clamp(1, BATCH_ROWS)
}

/// The same with views for texts: a text that repeats is there once.
fn with_views(schema: &Schema) -> Schema {
    let fields = schema.fields().iter().map(|field| {
        let viewed = match field.data_type() {
            DataType::Utf8 => DataType::Utf8View,
            DataType::Binary => DataType::BinaryView,
            other => other.clone(),
        };
        Field::clone(field).with_data_type(viewed)
    });
    Schema::new(fields.collect::<Vec<_>>())
}

/// The numbers of the columns, each of its type.
fn wanted(schema: &Schema, columns: &UrlColumns) -> Result<Vec<usize>, String> {
    let find = |name: &str| {
        let found = schema.column_with_name(name);
        found.ok_or_else(|| {
            let names = schema.fields().iter().map(|field| field.name().as_str());
            let names: Vec<_> = names.collect();
            let shown: String = names.join(", ").chars().take(200).collect();
            format!("there is no column `{name}`; its columns are {shown}")
        })
    };
    let (url, field) = find(&columns.url)?;
    if !matches!(field.data_type(), DataType::Utf8View | DataType::BinaryView) {
        let (name, found) = (field.name(), field.data_type());
        return Err(format!("column `{name}` is {found}, not text"));
    }
    let mut wanted = vec![url];
    if let Some(time) = &columns.time {
        let (time, field) = find(time)?;
        let is = matches!(
            field.data_type(),
            DataType::Utf8View | DataType::Timestamp(_, _)
        );
        if !is {
            let (name, found) = (field.name(), field.data_type());
            return Err(format!(
                "column `{name}` is {found}, not a timestamp or text"
            ));
        }
        wanted.push(time);
    }
    Ok(wanted)
}

/// A column of times in microseconds.
fn micros(times: &dyn Array) -> Option<Micros> {
    const MILLION: i64 = 1_000_000;
    Some(match times.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => {
            let times = times.as_primitive_opt::<TimestampSecondType>()?;
            times.unary_opt(|time| time.checked_mul(MILLION))
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            let times = times.as_primitive_opt::<TimestampMillisecondType>()?;
            times.unary_opt(|time| time.checked_mul(1000))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            let times = times.as_primitive_opt::<TimestampMicrosecondType>()?;
            times.clone().with_timezone_opt(None::<Arc<str>>)
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            let times = times.as_primitive_opt::<TimestampNanosecondType>()?;
            times.unary_opt(|time| Some(time.div_euclid(1000)))
        }
        _ => {
            let times = times.as_string_view_opt()?.iter();
            let read = |text: &str| TimeText::read(text.as_bytes()).map(TimeText::micros);
            times.map(|text| text.and_then(read)).collect()
        }
    })
}

impl UrlReader for ParquetUrls {
    fn next_rows(&mut self) -> Result<Option<UrlRows>, UrlInputError> {
        let after = self.rows_read;
        let fail = |problem: &dyn std::fmt::Display| {
            UrlInputError::of(&self.name, format_args!("after row {after}: {problem}"))
        };
        let Some(batch) = self.reader.next() else {
            return Ok(None);
        };
        let batch = batch.map_err(|error| fail(&error))?;
        let rows = self.rows(&batch).ok_or_else(|| fail(&"broken columns"))?;
        self.rows_read += rows.len() as u64;
        self.rows_left = self.rows_left.saturating_sub(rows.len() as u64);
        Ok(Some(rows))
    }

    fn rows_left(&self) -> Option<u64> {
        Some(self.rows_left)
    }
}
