use arrow_schema::Field;

use super::input_format::UrlInputError;
use crate::check::UrlRows;

pub(super) const BATCH_ROWS: usize = 65_536;

/// Size at which a batch ends, in bytes.
pub(super) const BATCH_BYTES: usize = 8 << 20;

/// Reads URLs in batches.
pub trait UrlReader {
    /// Returns the next URLs, or `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the list cannot be read any further.
    fn next_rows(&mut self) -> Result<Option<UrlRows>, UrlInputError>;

    /// Takes the problems of rows so far, each with its line. Only the first ones are reported.
    fn take_problems(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the kept columns with their types.
    fn kept(&self) -> &[Field] {
        &[]
    }

    /// Returns the number of rows left, if it is known in advance.
    fn rows_left(&self) -> Option<u64> {
        None
    }
}
