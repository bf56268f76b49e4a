//! `LineUrls`: a URL in each line of text, JSON Lines or CDXJ.

use std::borrow::Cow;
use std::io::BufRead;
use std::sync::Arc;

use arrow_array::builder::TimestampMicrosecondBuilder;
use serde::Deserialize;
use serde_json::Value;
use serde_json::error::Category;

use super::bounded_lines::{BoundedLines, LINE_OCTETS_MAX, NextLine};
use super::input_format::{InputFormat, UrlColumns, UrlInputError};
use super::row_problems::RowProblems;
use super::time_text::TimeText;
use super::url_reader::{BATCH_OCTETS, BATCH_ROWS, UrlReader};
use crate::check::{AnswerReason, UrlRows, UrlRowsBuilder, UrlTimes};

/// A URL in each line.
pub(super) struct LineUrls {
    name: String,
    lines: BoundedLines<Box<dyn BufRead>>,
    format: InputFormat,
    columns: UrlColumns,
    problems: RowProblems,
    /// What ended the reading, until the rows before are taken.
    failure: Option<UrlInputError>,
}

/// A line of CDXJ, as far as it is read.
#[derive(Deserialize)]
struct CdxjObject<'l> {
    #[serde(borrow)]
    url: Cow<'l, str>,
}

/// Rows that are being read.
#[derive(Default)]
struct Rows {
    urls: UrlRowsBuilder,
    times: TimestampMicrosecondBuilder,
    octets: usize,
}

impl Rows {
    fn push(&mut self, url: &[u8], time: Option<i64>) {
        self.octets += url.len();
        self.urls.push(Some(url));
        self.times.append_option(time);
    }

    fn refuse(&mut self, reason: AnswerReason) {
        self.urls.refuse(reason);
        self.times.append_null();
    }
}

impl LineUrls {
    pub(super) fn open(
        name: &str,
        input: Box<dyn BufRead>,
        format: InputFormat,
        columns: &UrlColumns,
    ) -> Self {
        Self {
            name: name.to_owned(),
            lines: BoundedLines::of(input),
            format,
            columns: columns.clone(),
            problems: RowProblems::default(),
            failure: None,
        }
    }

    fn has_times(&self) -> bool {
        match self.format {
            InputFormat::Cdxj => true,
            InputFormat::JsonLines => self.columns.time.is_some(),
            _ => false,
        }
    }

    fn read_line(&self, rows: &mut Rows) -> Result<(), String> {
        let line = self.lines.line();
        match self.format {
            InputFormat::JsonLines => self.read_object(line, rows),
            // Some indexes say first how they are sorted.
            InputFormat::Cdxj if line.starts_with(b"!") => Ok(()),
            InputFormat::Cdxj => read_cdxj(line, rows),
            _ => {
                rows.push(line, None);
                Ok(())
            }
        }
    }

    fn read_object(&self, line: &[u8], rows: &mut Rows) -> Result<(), String> {
        let object: Value = serde_json::from_slice(line).map_err(|error| not_json(&error))?;
        if !object.is_object() {
            return Err("not a JSON object".to_owned());
        }
        let url = &self.columns.url;
        let time = self
            .columns
            .time
            .as_ref()
            .and_then(|key| match &object[key] {
                Value::String(text) => TimeText::read(text.as_bytes()),
                Value::Number(number) => TimeText::read(number.to_string().as_bytes()),
                _ => None,
            });
        match &object[url] {
            Value::String(url) => rows.push(url.as_bytes(), time.map(TimeText::micros)),
            Value::Null => rows.refuse(AnswerReason::NoUrl),
            _ => return Err(format!("the value of `{url}` is no text")),
        }
        Ok(())
    }
}

fn read_cdxj(line: &[u8], rows: &mut Rows) -> Result<(), String> {
    let mut parts = line.splitn(3, |&octet| octet == b' ');
    let (_, time, object) = (parts.next(), parts.next(), parts.next());
    let object = object.ok_or("not a key, a time and an object")?;
    let object: CdxjObject<'_> =
        serde_json::from_slice(object).map_err(|error| not_json(&error))?;
    // Ten digits may be year to hour there.
    let time = time.and_then(TimeText::read_of_calendar);
    let time = time.map(TimeText::micros);
    rows.push(object.url.as_bytes(), time);
    Ok(())
}

/// The line is named already; what is left to say is the column.
fn not_json(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let what = message.split(" at line ").next().unwrap_or(&message);
    let column = error.column();
    match error.classify() {
        Category::Data => format!("{what}, at column {column}"),
        _ => format!("not JSON: {what}, at column {column}"),
    }
}

impl UrlReader for LineUrls {
    fn next_rows(&mut self) -> Result<Option<UrlRows>, UrlInputError> {
        let mut rows = Rows::default();
        while self.failure.is_none() && rows.urls.rows() < BATCH_ROWS && rows.octets < BATCH_OCTETS
        {
            let next = match self.lines.advance() {
                Ok(next) => next,
                Err(error) => {
                    let after = self.lines.number();
                    self.failure = Some(UrlInputError::behind_line(&self.name, after, error));
                    break;
                }
            };
            let read = match next {
                NextLine::End => break,
                NextLine::Line if self.lines.line().is_empty() => continue,
                NextLine::Line => self
                    .read_line(&mut rows)
                    .map_err(|problem| (AnswerReason::NoUrl, problem)),
                NextLine::TooLong => {
                    let problem = format!("the line is longer than {LINE_OCTETS_MAX} bytes");
                    Err((AnswerReason::LineTooLong, problem))
                }
            };
            if let Err((reason, problem)) = read {
                rows.refuse(reason);
                self.problems.add(&self.name, self.lines.number(), problem);
            }
        }
        if rows.urls.rows() == 0 {
            return self.failure.take().map_or(Ok(None), Err);
        }
        let times = if self.has_times() {
            UrlTimes::Each(Arc::new(rows.times.finish()))
        } else {
            UrlTimes::None
        };
        Ok(Some(rows.urls.finish(times)))
    }

    fn take_problems(&mut self) -> Vec<String> {
        self.problems.take()
    }
}
