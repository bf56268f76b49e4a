use std::fmt;
use std::sync::Arc;

use arrow_array::builder::TimestampMicrosecondBuilder;
use arrow_schema::Field;

use super::url_reader::{BATCH_BYTES, BATCH_ROWS};
use crate::check::{AnswerReason, KeptTexts, RowOrigin, UrlRows, UrlRowsBuilder, UrlTimes};

pub(super) struct ListRows {
    urls: UrlRowsBuilder,
    times: TimestampMicrosecondBuilder,
    kept: KeptTexts,
    bytes: usize,
}

pub(super) fn too_long_to_keep(column: &str) -> impl fmt::Display {
    format!("the value of `{column}` is too long to keep")
}

impl ListRows {
    pub(super) fn of(kept: &[Field]) -> Self {
        Self {
            urls: UrlRowsBuilder::default(),
            times: TimestampMicrosecondBuilder::new(),
            kept: KeptTexts::of(kept),
            bytes: 0,
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.urls.rows() >= BATCH_ROWS || self.bytes + self.kept.bytes() >= BATCH_BYTES
    }

    pub(super) fn is_empty(&self) -> bool {
        self.urls.rows() == 0
    }

    /// Returns false if the value is too long.
    pub(super) fn keep(&mut self, column: usize, value: Option<&[u8]>) -> bool {
        self.kept.push(column, value)
    }

    pub(super) fn push(&mut self, url: &[u8], time: Option<i64>) {
        self.bytes += url.len();
        self.urls.push(Some(url));
        self.end(time);
    }

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
