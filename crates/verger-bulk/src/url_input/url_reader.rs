//! `UrlReader`: URLs out of any list, many at a time.

use arrow_schema::Field;

use super::input_format::UrlInputError;
use crate::check::UrlRows;

/// So many rows are answered together.
pub(super) const BATCH_ROWS: usize = 65_536;

/// Or as many as have so many bytes.
pub(super) const BATCH_BYTES: usize = 8 << 20;

/// URLs, many at a time.
pub trait UrlReader {
    /// The next URLs; `None` at the end.
    ///
    /// # Errors
    ///
    /// Where the list cannot be read any further.
    fn next_rows(&mut self) -> Result<Option<UrlRows>, UrlInputError>;

    /// What is to be said about rows so far, each a sentence with its line; the first ones only.
    fn take_problems(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// The columns that go with the answers, with their types.
    fn kept(&self) -> &[Field] {
        &[]
    }

    /// How many rows are left, if that is known before they are read.
    fn rows_left(&self) -> Option<u64> {
        None
    }
}
