//! WARC files for tests, and rows as text.

use std::fmt::Write as _;
use std::io::Write as _;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type, TimestampMicrosecondType};
use arrow_array::{Array, StructArray};
use flate2::{Compression, write::GzEncoder};
use verger_bulk::{CaptureError, CaptureReader, CaptureSettings, CaptureTally};

/// Returns a record of this type about `url`.
pub(crate) fn record(kind: &str, url: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    record_at("2026-11-01T02:03:04.5Z", kind, url, fields, block)
}

/// Does the same for another time.
pub(crate) fn record_at(date: &str, kind: &str, url: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let length = block.len();
    let mut bytes = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: {date}\r\n\
         Content-Type: application/http; msgtype={kind}\r\n{fields}Content-Length: {length}\r\n\r\n"
    )
    .into_bytes();
    bytes.extend_from_slice(block);
    bytes.extend_from_slice(b"\r\n\r\n");
    bytes
}

/// Returns a response as a server sends it.
pub(crate) fn response(url: &str, http: &str) -> Vec<u8> {
    record("response", url, "", http.as_bytes())
}

pub(crate) fn ok(url: &str, body: &str) -> Vec<u8> {
    response(url, &format!("HTTP/1.1 200 OK\r\n\r\n{body}"))
}

pub(crate) fn redirect(url: &str, to: &str) -> Vec<u8> {
    response(
        url,
        &format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\n\r\n"),
    )
}

/// Compresses each record as its own gzip member.
pub(crate) fn gzip(records: &[Vec<u8>]) -> Vec<u8> {
    records.iter().flat_map(|record| member(record)).collect()
}

pub(crate) fn member(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The result of reading.
pub(crate) struct Read {
    pub(crate) rows: Vec<Row>,
    pub(crate) tally: CaptureTally,
    pub(crate) error: Option<CaptureError>,
}

/// The fields of a row that tests check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) authority: Option<String>,
    pub(crate) url: Option<String>,
    pub(crate) time: Option<i64>,
    pub(crate) outcome: Option<String>,
    pub(crate) status: Option<i32>,
    pub(crate) final_url: Option<String>,
    pub(crate) redirects: Option<i32>,
    pub(crate) mark: Option<String>,
    /// `rfc9309=rules google=rules …`, or `None` if the struct is null.
    pub(crate) stance: Option<String>,
    pub(crate) sha256: Option<String>,
    pub(crate) body_bytes: Option<i64>,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) offset: i64,
    pub(crate) length: Option<i64>,
    pub(crate) problem: Option<String>,
}

pub(crate) fn read(bytes: &[u8]) -> Read {
    read_with(bytes, CaptureSettings::default())
}

pub(crate) fn read_with(bytes: &[u8], settings: CaptureSettings) -> Read {
    let mut reader = CaptureReader::new(bytes, "test.warc.gz", settings);
    let (mut rows, mut error) = (Vec::new(), None);
    for batch in reader.by_ref() {
        match batch {
            Ok(batch) => rows.extend(rows_of(&batch)),
            Err(failure) => {
                assert!(error.is_none());
                error = Some(failure);
            }
        }
    }
    let tally = reader.tally().clone();
    assert_eq!(tally.rows, rows.len() as u64);
    Read { rows, tally, error }
}

pub(crate) fn rows_of(batch: &RecordBatch) -> Vec<Row> {
    let column = |name: &str| batch.column_by_name(name).unwrap();
    let text = |name: &str, at: usize| {
        let column = column(name).as_string::<i32>();
        column.is_valid(at).then(|| column.value(at).to_owned())
    };
    let int = |name: &str, at: usize| {
        let column = column(name).as_primitive::<Int32Type>();
        column.is_valid(at).then(|| column.value(at))
    };
    let long = |name: &str, at: usize| {
        let column = column(name).as_primitive::<Int64Type>();
        column.is_valid(at).then(|| column.value(at))
    };
    let times = column("time").as_primitive::<TimestampMicrosecondType>();
    let bodies = column("body").as_binary::<i32>();
    let row = |at| Row {
        authority: text("authority", at),
        url: text("url", at),
        time: times.is_valid(at).then(|| times.value(at)),
        outcome: text("outcome", at),
        status: int("status", at),
        final_url: text("final_url", at),
        redirects: int("redirects", at),
        mark: text("mark", at),
        stance: stance(column("stance").as_struct(), at),
        sha256: text("body_sha256", at),
        body_bytes: long("body_bytes", at),
        body: bodies.is_valid(at).then(|| bodies.value(at).to_vec()),
        offset: long("offset", at).unwrap(),
        length: long("length", at),
        problem: text("problem", at),
    };
    (0..batch.num_rows()).map(row).collect()
}

fn stance(column: &StructArray, at: usize) -> Option<String> {
    column.is_valid(at).then_some(())?;
    let mut shown = String::new();
    for (field, stances) in column.fields().iter().zip(column.columns()) {
        let stances = stances.as_string::<i32>();
        let stance = if stances.is_valid(at) {
            stances.value(at)
        } else {
            "?"
        };
        write!(shown, "{}={stance} ", field.name()).unwrap();
    }
    Some(shown.trim_end().to_owned())
}
