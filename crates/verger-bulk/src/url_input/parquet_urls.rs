use std::fs::File;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Fields};
use parquet::arrow::ProjectionMask;
use parquet::schema::types::SchemaDescriptor;

use super::column_values::{kept_type, kept_values, micros, time_type_is_read};
use super::input_format::{UrlColumns, UrlInputError};
use super::url_reader::{BATCH_BYTES, BATCH_ROWS, UrlReader};
use crate::check::{RowOrigin, UrlRows, UrlTimes};
use crate::parquet_input::{CheckedBatches, ParquetInput, with_views};

pub(super) struct ParquetUrls {
    name: String,
    reader: CheckedBatches,
    columns: Columns,
    kept: Vec<Field>,
    rows_read: u64,
    rows_left: u64,
}

/// The paths of columns, outermost name first.
struct Columns {
    url: Vec<String>,
    time: Option<Vec<String>>,
    kept: Vec<Vec<String>>,
}

impl ParquetUrls {
    pub(super) fn open(
        name: &str,
        file: File,
        columns: &UrlColumns,
    ) -> Result<Self, UrlInputError> {
        let fail = |problem: String| UrlInputError::of(name, problem);
        let input = ParquetInput::open(file);
        let input = input.map_err(|error| fail(format!("not Parquet: {error}")))?;
        let (columns, kept) = wanted(&with_views(input.fields()), columns).map_err(fail)?;
        let about = input.metadata().file_metadata();
        let rows = about.num_rows();
        let bytes: i64 = input
            .metadata()
            .row_groups()
            .iter()
            .map(|group| group.total_byte_size().max(0))
            .fold(0, i64::saturating_add);
        let leaves = columns.leaves(about.schema_descr());
        let mask = ProjectionMask::leaves(about.schema_descr(), leaves);
        Ok(Self {
            name: name.to_owned(),
            reader: input.batches(mask, batch_rows(rows, bytes)).map_err(fail)?,
            columns,
            kept,
            rows_read: 0,
            rows_left: u64::try_from(rows).unwrap_or(0),
        })
    }

    fn rows(&self, batch: &RecordBatch) -> Option<UrlRows> {
        let times = match &self.columns.time {
            None => UrlTimes::None,
            Some(time) => UrlTimes::Each(Arc::new(micros(column_at(batch, time)?)?)),
        };
        let kept = self.kept.iter().zip(&self.columns.kept);
        let kept =
            kept.map(|(field, path)| Some((field.clone(), kept_values(column_at(batch, path)?)?)));
        let origin = RowOrigin {
            kept: kept.collect::<Option<_>>()?,
            ..RowOrigin::default()
        };
        let urls = column_at(batch, &self.columns.url)?;
        let rows = match urls.as_string_view_opt() {
            Some(texts) => UrlRows::from_text(texts, times),
            None => UrlRows::of_bytes(urls.as_binary_view_opt()?, times),
        };
        Some(rows.with_origin(origin))
    }
}

impl Columns {
    fn leaves(&self, schema: &SchemaDescriptor) -> Vec<usize> {
        let paths = [&self.url].into_iter().chain(&self.time).chain(&self.kept);
        let paths: Vec<_> = paths.collect();
        let leaves = schema.columns().iter().enumerate();
        let wanted = leaves.filter(|(_, leaf)| {
            paths
                .iter()
                .any(|path| leaf.path().parts() == path.as_slice())
        });
        wanted.map(|(number, _)| number).collect()
    }
}

fn column_at<'b>(batch: &'b RecordBatch, path: &[String]) -> Option<&'b ArrayRef> {
    let (outer, inner) = path.split_first()?;
    inner
        .iter()
        .try_fold(batch.column_by_name(outer)?, |column, name| {
            column.as_struct_opt()?.column_by_name(name)
        })
}

fn batch_rows(rows: i64, bytes: i64) -> usize {
    let bytes_each = usize::try_from(bytes / rows.max(1)).unwrap_or(usize::MAX);
    (BATCH_BYTES / bytes_each.max(1)).clamp(1, BATCH_ROWS)
}

/// The name may be nested, as in `page.url`.
fn find<'f>(fields: &'f Fields, name: &str) -> Option<(Vec<String>, &'f Field)> {
    if let Some((_, field)) = fields.find(name) {
        return Some((vec![name.to_owned()], field));
    }
    fields.iter().find_map(|field| {
        let DataType::Struct(inner) = field.data_type() else {
            return None;
        };
        let rest = name
            .strip_prefix(field.name().as_str())?
            .strip_prefix('.')?;
        let (mut path, found) = find(inner, rest)?;
        path.insert(0, field.name().clone());
        Some((path, found))
    })
}

/// Checks the types. Returns the paths, and the fields of kept columns.
fn wanted(fields: &Fields, columns: &UrlColumns) -> Result<(Columns, Vec<Field>), String> {
    let find = |name: &str| {
        find(fields, name).ok_or_else(|| {
            let names = fields.iter().map(|field| field.name().as_str());
            let names: Vec<_> = names.collect();
            let shown: String = names.join(", ").chars().take(200).collect();
            format!("there is no column `{name}`: the columns are {shown}")
        })
    };
    let other = |name: &str, field: &Field, expected: &str| {
        format!("column `{name}` has type {}, {expected}", field.data_type())
    };
    let (url, field) = find(&columns.url)?;
    if !matches!(field.data_type(), DataType::Utf8View | DataType::BinaryView) {
        return Err(other(&columns.url, field, "not text"));
    }
    let mut found = Columns {
        url,
        time: None,
        kept: Vec::new(),
    };
    if let Some(name) = &columns.time {
        let (time, field) = find(name)?;
        if !time_type_is_read(field.data_type()) {
            let expected = "not a timestamp, a date, whole numbers or text";
            return Err(other(name, field, expected));
        }
        found.time = Some(time);
    }
    let mut kept = Vec::new();
    for name in &columns.keep {
        let (path, field) = find(name)?;
        let of = kept_type(field.data_type()).ok_or_else(|| {
            other(name, field, "which cannot be kept: only text, booleans, dates, times and numbers other than UInt64 can")
        })?;
        kept.push(Field::new(name, of, true));
        found.kept.push(path);
    }
    Ok((found, kept))
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
        let rows = self
            .rows(&batch)
            .ok_or_else(|| fail(&"the columns are malformed"))?;
        self.rows_read += rows.len() as u64;
        self.rows_left = self.rows_left.saturating_sub(rows.len() as u64);
        Ok(Some(rows))
    }

    fn rows_left(&self) -> Option<u64> {
        Some(self.rows_left)
    }

    fn kept(&self) -> &[Field] {
        &self.kept
    }
}
