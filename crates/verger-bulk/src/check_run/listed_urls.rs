use std::fmt;
use std::path::{Path, PathBuf};

use arrow_schema::Field;
use verger::legible;

use super::check_observer::CheckObserver;
use crate::check::UrlRows;
use crate::url_input::{InputFormat, UrlColumns, UrlInputError, UrlReader, open_urls};

/// Number of answers made together. More bring more URLs of a site together: URLs of 4,000 sites in
/// random order take a quarter less time than with 16,384, and a run takes 30 MiB more memory.
const ANSWERS_TOGETHER: usize = 65_536;

/// Maximum size of the URLs and kept texts that are answered together, in bytes.
const TEXT_BYTES_TOGETHER: usize = 64 << 20;

/// Lists of URLs, read one after the other.
pub struct ListedUrls<'l> {
    columns: UrlColumns,
    format: Option<InputFormat>,
    rest: std::slice::Iter<'l, PathBuf>,
    reader: Option<Box<dyn UrlReader>>,
    /// The kept columns, as in the first list.
    kept: Option<Vec<Field>>,
    rows_max: usize,
    bytes_max: usize,
    /// Rows that were read but not returned yet.
    after: Option<UrlRows>,
}

impl<'l> ListedUrls<'l> {
    /// Opens the first list. `-` is standard input. `crawlers` is the number of answers for each
    /// URL.
    ///
    /// # Errors
    ///
    /// Returns an error if the list cannot be opened or lacks a column.
    pub fn open(
        lists: &'l [PathBuf],
        format: Option<InputFormat>,
        columns: UrlColumns,
        crawlers: usize,
    ) -> Result<Self, ListedUrlsError> {
        let mut urls = Self {
            columns,
            format,
            rest: lists.iter(),
            reader: None,
            kept: None,
            rows_max: (ANSWERS_TOGETHER / crawlers.max(1)).max(1),
            bytes_max: TEXT_BYTES_TOGETHER / crawlers.max(1),
            after: None,
        };
        urls.open_next()?;
        Ok(urls)
    }

    /// Returns the kept columns, as in the first list.
    #[must_use]
    pub fn kept(&self) -> &[Field] {
        self.kept.as_deref().unwrap_or_default()
    }

    fn open_next(&mut self) -> Result<(), ListedUrlsError> {
        self.reader = None;
        let Some(path) = self.rest.next() else {
            return Ok(());
        };
        let named = (path != Path::new("-")).then_some(path.as_path());
        let reader = open_urls(named, self.format, &self.columns)?;
        let kept = self.kept.get_or_insert_with(|| reader.kept().to_vec());
        let mut pairs = reader.kept().iter().zip(kept.iter());
        let other = pairs.find(|(field, first)| field.data_type() != first.data_type());
        if let Some((field, first)) = other {
            return Err(ListedUrlsError::OtherType {
                list: path.clone(),
                column: field.name().clone(),
                here: field.data_type().to_string(),
                first: first.data_type().to_string(),
            });
        }
        self.reader = Some(reader);
        Ok(())
    }

    pub(super) fn next_rows(
        &mut self,
        observer: &impl CheckObserver,
    ) -> Result<Option<UrlRows>, ListedUrlsError> {
        let rows = match self.after.take() {
            Some(rows) => Some(rows),
            None => self.read_rows(observer)?,
        };
        Ok(rows.map(|mut rows| {
            let together = self.rows_max.min(rows.rows_within(self.bytes_max));
            if rows.len() > together {
                self.after = Some(rows.split_off(together));
            }
            rows
        }))
    }

    fn read_rows(
        &mut self,
        observer: &impl CheckObserver,
    ) -> Result<Option<UrlRows>, ListedUrlsError> {
        while let Some(reader) = &mut self.reader {
            let rows = reader.next_rows();
            for problem in reader.take_problems() {
                observer.problem(&problem);
            }
            if let Some(rows) = rows? {
                observer.rows_left(reader.rows_left());
                return Ok(Some(rows));
            }
            observer.list_read();
            self.open_next()?;
        }
        Ok(None)
    }
}

impl fmt::Debug for ListedUrls<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ListedUrls");
        shown.field("rest", &self.rest).finish_non_exhaustive()
    }
}

/// A list cannot be read.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListedUrlsError {
    /// The list cannot be read or lacks a column.
    #[error(transparent)]
    List(#[from] UrlInputError),
    /// A kept column has a different type in a later list.
    #[error(
        "{}: column `{column}` has type {here} here but {first} in the first list: use separate runs for these lists",
        legible(list.to_string_lossy().as_bytes())
    )]
    OtherType {
        /// The later list.
        list: PathBuf,
        /// The column.
        column: String,
        /// Its type in the later list.
        here: String,
        /// Its type in the first list.
        first: String,
    },
}
