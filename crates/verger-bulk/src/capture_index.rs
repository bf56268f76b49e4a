//! Captures by authority and time, on disk, in bounded memory.
//!
//! | module | one line |
//! |---|---|
//! | `scratch` | an unlinked temporary file |
//! | `sorted_entries` | fixed-size entries, sorted on disk |
//! | `capture` | a stored capture |
//! | `capture_table` | reads captures from Parquet files |
//! | `capture_files` | finds the files that arguments name |
//! | `index` | captures by authority and time, bodies by SHA-256 |

mod capture;
mod capture_files;
mod capture_table;
mod index;
mod scratch;
mod sorted_entries;

pub use capture::Capture;
pub(crate) use capture::seconds_of;
pub use capture_files::{NoCaptures, capture_files};
pub use capture_table::{CaptureTable, CaptureTableError, CaptureTableRow, UnusableCapture};
pub(crate) use index::FoundCapture;
pub use index::{CaptureIndex, CaptureIndexBuilder, IndexedCaptures};
