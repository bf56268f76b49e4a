//! robots.txt captures: records to rows.
//!
//! | module | one line |
//! |---|---|
//! | `capture_schema` | the columns |
//! | `captured_record` | one record, as far as rows and redirects need it |
//! | `capture_window` | captures that redirects are followed among |
//! | `chains` | what each profile makes of a capture |
//! | `capture_columns` | rows to batches |
//! | `capture_tally` | how many of which kind |
//! | `capture_error` | what ends the reading of a file |
//! | `capture_reader` | a WARC file to batches |
//! | `capture_file` | batches to a Parquet file, whole or not at all |
//! | `capture_input` | a WARC file, or standard input |
//! | `damage` | where an input is damaged first |
//! | `capture_run` | several files through several threads |

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
