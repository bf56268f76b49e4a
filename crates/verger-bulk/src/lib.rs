//! Processes robots.txt captures and URLs by the million. Reads WARC files and lists of URLs, and
//! writes Arrow and Parquet columns, in bounded memory.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `warc` | WARC records with their position in the file |
//! | `captures` | turns records into rows about robots.txt captures |
//! | `capture_index` | captures by authority and time, on disk |
//! | `parquet_input` | checks the sizes in Parquet files before memory is allocated for them |
//! | `standing` | the rules of an authority at a time |
//! | `url_input` | reads URLs from text, CSV, JSON Lines, CDXJ and Parquet |
//! | `check` | answers about URLs, as columns |
//! | `json_lines` | writes columns as JSON Lines |
//! | `column_file` | writes Parquet or JSON Lines, whole or not at all |
//! | `rows_output` | writes rows to a file or a stream |
//! | `check_run` | answers lists of URLs |
//! | `classes` | everything, some or nothing disallowed, by body and crawler |
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod capture_index;
mod captures;
mod check;
mod check_run;
mod classes;
mod column_file;
mod json_lines;
mod parquet_input;
mod rows_output;
mod standing;
mod url_input;
mod warc;

pub use arrow_array::RecordBatch;
pub use capture_index::{
    Capture, CaptureIndex, CaptureIndexBuilder, CaptureTable, CaptureTableError, CaptureTableRow,
    IndexedCaptures, NoCaptures, UnusableCapture, capture_files,
};
pub use captures::{
    CaptureError, CaptureFile, CaptureFileError, CaptureInput, CaptureObserver, CaptureReader,
    CaptureRun, CaptureRunError, CaptureSettings, CaptureTally, CaptureTotals, Damage, SamePart,
    capture_schema,
};
pub use check::{
    AnswerReason, AnswerTally, CheckWorker, Checker, URL_BYTES_MAX, UrlRows, UrlRowsBuilder,
    UrlTimes, answer_schema,
};
pub use check_run::{
    CheckObserver, CheckUrlsError, Checked, KeptTwice, ListedUrls, ListedUrlsError, check_kept,
    check_urls,
};
pub use classes::{
    BodyClass, BodyPlace, CLASSES, ClassColumns, ClassCounts, ClassMaker, ClassObserver, ClassRows,
    ClassRun, ClassRunError, ClassUnit, CrawlerCounts, UnknownColumnType, class_fields,
    class_schema,
};
pub use column_file::{ColumnFile, ColumnFileError, ColumnFormat};
pub use json_lines::write_json_lines;
pub use parquet_input::is_panic_caught;
pub use rows_output::{RowsError, RowsOutput};
pub use standing::{
    AccessSource, CaptureEvidence, CapturePlace, CapturedKnowledge, KnowledgeSource, KnownAt,
    Standing, StandingSource, StoreVersions, StoredKnowledge, When,
};
pub use url_input::{
    ColumnKind, InputFormat, NoColumns, TimeText, UrlColumns, UrlInputError, UrlReader, list_files,
    open_urls,
};
