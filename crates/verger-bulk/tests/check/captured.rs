//! Captures for tests, and answers in comparable form.

use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{
    BinaryBuilder, Int64Builder, StringBuilder, TimestampMicrosecondBuilder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, StructArray, new_null_array};
use arrow_schema::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use verger::{Crawler, Reading};
use verger_access::Profile;
use verger_bulk::{
    AccessSource, CaptureIndexBuilder, CapturedKnowledge, Checker, UrlRows, UrlRowsBuilder,
    UrlTimes, When, capture_schema, write_json_lines,
};
use verger_inputs::rulebook::{Keeping, RulesMaker};
use verger_store::BodyHash;

/// A row of a file of captures.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) authority: String,
    /// Seconds since 1970.
    pub(crate) time: i64,
    pub(crate) outcome: &'static str,
    pub(crate) body: Option<Vec<u8>>,
}

pub(crate) fn row(authority: &str, time: i64, outcome: &'static str, body: Option<&str>) -> Row {
    Row {
        authority: authority.to_owned(),
        time,
        outcome,
        body: body.map(|body| body.as_bytes().to_vec()),
    }
}

/// Writes captures with the columns of `bulk captures`. Only the first of equal bodies is stored.
pub(crate) fn write_captures(path: &Path, rows: &[Row]) {
    let texts = |of: &dyn Fn(&Row) -> Option<String>| -> ArrayRef {
        let mut texts = StringBuilder::new();
        for row in rows {
            texts.append_option(of(row));
        }
        Arc::new(texts.finish())
    };
    let mut times = TimestampMicrosecondBuilder::new();
    let (mut bodies, mut offsets) = (BinaryBuilder::new(), Int64Builder::new());
    let mut seen = std::collections::BTreeSet::new();
    for (nth, row) in rows.iter().enumerate() {
        times.append_value(row.time * 1_000_000);
        offsets.append_value(i64::try_from(nth).unwrap() * 100);
        let body = row
            .body
            .as_ref()
            .filter(|body| seen.insert((*body).clone()));
        bodies.append_option(body);
    }
    let hash = |row: &Row| {
        row.body
            .as_ref()
            .map(|body| BodyHash::new(body).to_string())
    };
    let schema = capture_schema();
    let columns = schema
        .fields()
        .iter()
        .map(|field| match field.name().as_str() {
            "authority" => texts(&|row| Some(row.authority.clone())),
            "time" => Arc::new({ &mut times }.finish().with_timezone("UTC")) as ArrayRef,
            "outcome" => texts(&|row| Some(row.outcome.to_owned())),
            "outcomes" => {
                let DataType::Struct(fields) = field.data_type() else {
                    panic!("{field}");
                };
                let of_profile = |_: &_| texts(&|row| Some(row.outcome.to_owned()));
                let columns = fields.iter().map(of_profile).collect();
                Arc::new(StructArray::new(fields.clone(), columns, None))
            }
            "body_sha256" => texts(&hash),
            "body" => Arc::new({ &mut bodies }.finish()) as ArrayRef,
            "file" => texts(&|_| Some("a.warc.gz".to_owned())),
            "offset" => Arc::new({ &mut offsets }.finish()) as ArrayRef,
            _ => new_null_array(field.data_type(), rows.len()),
        });
    let columns: Vec<ArrayRef> = columns.collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), columns).unwrap();
    write_batch(path, &batch);
}

fn write_batch(path: &Path, batch: &RecordBatch) {
    let file = std::fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

/// Removes the first row of a file of captures, and its body with it.
pub(crate) fn leave_out_first(path: &Path) {
    let file = std::fs::File::open(path).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let batch = reader.build().unwrap().next().unwrap().unwrap();
    write_batch(path, &batch.slice(1, batch.num_rows() - 1));
}

/// Makes a source from captures in a file. The index sorts this many entries in memory at once.
pub(crate) fn source(
    rows: &[Row],
    profile: Profile,
    crawlers: &[&str],
    run_entries: usize,
) -> AccessSource<CapturedKnowledge> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("captures.parquet");
    write_captures(&path, rows);
    source_of(&path, rows.len(), profile, crawlers, run_entries)
}

/// Makes a source from a file with this many captures.
pub(crate) fn source_of(
    path: &Path,
    captures: usize,
    profile: Profile,
    crawlers: &[&str],
    run_entries: usize,
) -> AccessSource<CapturedKnowledge> {
    let mut index = CaptureIndexBuilder::with_run_entries(run_entries).unwrap();
    index.add_file(path).unwrap();
    assert_eq!(index.indexed().captures, captures as u64);
    assert_eq!(index.indexed().unusable, 0);
    let knowledge = CapturedKnowledge::new(index.finish().unwrap());
    let maker = maker(crawlers, profile.reading);
    AccessSource::new(knowledge, profile, maker, Some(When::Newest))
}

pub(crate) fn maker(crawlers: &[&str], reading: Reading) -> RulesMaker {
    let crawlers = crawlers
        .iter()
        .map(|name| Crawler::named(name, reading).unwrap());
    RulesMaker::new(crawlers.collect(), reading, Keeping::Rules)
}

/// Makes rows of URLs, with times in seconds if given.
pub(crate) fn rows<'u>(urls: impl IntoIterator<Item = (&'u [u8], Option<i64>)>) -> UrlRows {
    let (mut builder, mut times) = (
        UrlRowsBuilder::default(),
        TimestampMicrosecondBuilder::new(),
    );
    let mut has_times = false;
    for (url, time) in urls {
        builder.push(Some(url));
        has_times |= time.is_some();
        times.append_option(time.map(|seconds| seconds * 1_000_000));
    }
    let times = if has_times {
        UrlTimes::Each(Arc::new(times.finish()))
    } else {
        UrlTimes::None
    };
    builder.finish(times)
}

/// Returns the answers as JSON, one value per row.
pub(crate) fn lines(checker: &Checker<'_>, urls: &UrlRows) -> Vec<serde_json::Value> {
    let (batch, tally) = checker.worker().check(urls).unwrap();
    assert_eq!(tally.answers(), batch.num_rows() as u64);
    let mut output = Vec::new();
    write_json_lines(&batch, "test/1", &mut output).unwrap();
    let lines = output
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

/// Returns a column of a Parquet file as text.
pub(crate) fn column(batch: &RecordBatch, name: &str) -> Vec<Option<String>> {
    let column = batch.column_by_name(name).unwrap();
    if let Some(texts) = column.as_string_opt::<i32>() {
        let texts: &StringArray = texts;
        return texts.iter().map(|text| text.map(str::to_owned)).collect();
    }
    let numbers = column.as_primitive_opt::<Int64Type>().unwrap();
    (0..numbers.len())
        .map(|row| {
            numbers
                .is_valid(row)
                .then(|| numbers.value(row).to_string())
        })
        .collect()
}
