use std::fmt;
use std::sync::Arc;

use arrow_array::builder::TimestampMicrosecondBuilder;
use arrow_schema::Field;

use super::url_reader::{BATCH_BYTES, BATCH_ROWS};
use crate::check::{AnswerReason, KeptTexts, RowOrigin, UrlRows, UrlRowsBuilder, UrlTimes};

/// Rows of a list that is being read.
pub(super) struct ListRows {
    urls: UrlRowsBuilder,
    times: TimestampMicrosecondBuilder,
    kept: KeptTexts,
    bytes: usize,
}

/// Returns the message for a value that is too long to keep.
pub(super) fn too_long_to_keep(column: &str) -> impl fmt::Display {
    format!("the value of `{column}` is too long to keep")
}

impl ListRows {
    /// Creates empty rows with these kept columns.
    pub(super) fn of(kept: &[Field]) -> Self {
        Self {
            urls: UrlRowsBuilder::default(),
            times: TimestampMicrosecondBuilder::new(),
            kept: KeptTexts::of(kept),
            bytes: 0,
        }
    }

    /// Returns whether there are enough rows for a batch.
    pub(super) fn is_full(&self) -> bool {
        self.urls.rows() >= BATCH_ROWS || self.bytes + self.kept.bytes() >= BATCH_BYTES
    }

    pub(super) fn is_empty(&self) -> bool {
        self.urls.rows() == 0
    }

    /// Adds the value of a column for the next row. Returns false if it is too long.
    pub(super) fn keep(&mut self, column: usize, value: Option<&[u8]>) -> bool {
        self.kept.push(column, value)
    }

    /// Adds a row.
    pub(super) fn push(&mut self, url: &[u8], time: Option<i64>) {
        self.bytes += url.len();
        self.urls.push(Some(url));
        self.end(time);
    }

    /// Adds a row that cannot be checked.
    pub(super) fn refuse(&mut self, reason: AnswerReason) {
        self.refuse_at(reason, None);
    }

    pub(super) fn refuse_at(&mut self, reason: AnswerReason, time: Option<i64>) {
        self.urls.refuse(reason);
        self.end(time);
    }

    fn end(&mut self, time: Option<i64>) {
        self.times.append_option(time);
        self.kept.fill(self.urls.rows());
    }

    /// Returns the rows.
    pub(super) fn finish(mut self, has_times: bool) -> UrlRows {
        let times = if has_times {
            UrlTimes::Each(Arc::new(self.times.finish()))
        } else {
            UrlTimes::None
        };
        let origin = RowOrigin {
            kept: self.kept.finish(),
            ..RowOrigin::default()
        };
        self.urls.finish(times).with_origin(origin)
    }
}
