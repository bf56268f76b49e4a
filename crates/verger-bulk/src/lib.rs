//! robots.txt captures and URLs by the million: WARC files and lists of URLs in, Arrow and Parquet columns
//! out, in bounded memory.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `capture_schema` | the columns of captures |
//! | `classes` | everything, some or nothing, for each body and crawler |
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod capture_schema;
mod classes;

pub use capture_schema::capture_schema;
pub use classes::{BodyClass, ClassColumns, ClassMaker, UnknownColumnType, class_fields};
