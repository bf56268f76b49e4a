//! Turns WARC records into rows about robots.txt captures.
//!
//! | module | one line |
//! |---|---|
//! | `capture_schema` | the columns |
//! | `captured_record` | the parts of a record that rows and redirects need |
//! | `capture_window` | the captures among which redirects are followed |
//! | `chains` | the outcome of a capture under each profile |
//! | `capture_columns` | collects rows into batches |
//! | `capture_tally` | number of records by kind |
//! | `capture_error` | errors that end the reading of a file |
//! | `capture_reader` | reads a WARC file as batches |
//! | `capture_file` | writes batches to a Parquet file, whole or not at all |
//! | `capture_input` | a WARC file or standard input |
//! | `damage` | the first damaged record of an input |
//! | `capture_run` | reads several files in several threads |

mod capture_columns;
mod capture_error;
mod capture_file;
mod capture_input;
mod capture_reader;
mod capture_run;
mod capture_schema;
mod capture_tally;
mod capture_window;
mod captured_record;
mod chains;
mod damage;

pub use capture_error::CaptureError;
pub use capture_file::{CaptureFile, CaptureFileError};
pub use capture_input::{CaptureInput, SamePart};
pub use capture_reader::{CaptureReader, CaptureSettings};
pub use capture_run::{CaptureObserver, CaptureRun, CaptureRunError, CaptureTotals};
pub use capture_schema::capture_schema;
pub use capture_tally::CaptureTally;
pub use damage::Damage;
