use std::sync::Arc;

use arrow_schema::Field;

use super::input_format::UrlInputError;
use super::url_reader::UrlReader;
use crate::check::UrlRows;

/// URLs of a list, with rows numbered from 1.
pub(super) struct PlacedUrls<R> {
    name: Arc<str>,
    reader: R,
    next_row: i64,
}

impl<R: UrlReader> PlacedUrls<R> {
    pub(super) fn of(name: &str, reader: R) -> Self {
        Self {
            name: name.into(),
            reader,
            next_row: 1,
        }
    }
}

impl<R: UrlReader> UrlReader for PlacedUrls<R> {
    fn next_rows(&mut self) -> Result<Option<UrlRows>, UrlInputError> {
        let rows = self.reader.next_rows()?;
        Ok(rows.map(|mut rows| {
            let read = i64::try_from(rows.len()).unwrap_or(i64::MAX);
            let origin = rows.origin_mut();
            origin.input = Arc::clone(&self.name);
            origin.first_row = self.next_row;
            self.next_row = self.next_row.saturating_add(read);
            rows
        }))
    }

    fn take_problems(&mut self) -> Vec<String> {
        self.reader.take_problems()
    }

    fn rows_left(&self) -> Option<u64> {
        self.reader.rows_left()
    }

    fn kept(&self) -> &[Field] {
        self.reader.kept()
    }
}
