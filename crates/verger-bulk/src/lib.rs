//! robots.txt captures and URLs by the million: WARC files and lists of URLs in, Arrow and Parquet columns
//! out, in bounded memory.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `warc` | WARC files: records with their place in the file |
//! | `captures` | robots.txt captures: records to rows |
//! | `classes` | everything, some or nothing, for each body and crawler |
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod captures;
mod classes;
mod warc;

pub use arrow_array::RecordBatch;
pub use captures::{
    CaptureError, CaptureFile, CaptureFileError, CaptureReader, CaptureSettings, CaptureTally,
    capture_schema,
};
pub use classes::{BodyClass, ClassColumns, ClassMaker, UnknownColumnType, class_fields};
