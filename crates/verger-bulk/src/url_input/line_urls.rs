//! `LineUrls`: a URL in each line of text, JSON Lines or CDXJ, or in each element of a JSON array.

use std::borrow::Cow;
use std::io::{self, BufRead};

use arrow_schema::Field;
use serde::Deserialize;
use serde_json::Value;
use serde_json::error::Category;
use verger_inputs::{InputLineContent, InputLines};

use super::input_format::{InputFormat, UrlColumns, UrlInputError};
use super::json_elements::{JsonElements, LINE_BYTES_MAX, NextLine};
use super::list_rows::{ListRows, too_long_to_keep};
use super::row_problems::RowProblems;
use super::time_text::TimeText;
use super::url_reader::UrlReader;
use crate::check::{AnswerReason, UrlRows, text_field};

pub(super) struct LineUrls {
    name: String,
    lines: Lines,
    format: InputFormat,
    columns: UrlColumns,
    kept: Vec<Field>,
    problems: RowProblems,
    /// The error that ended the reading, kept until earlier rows have been returned.
    failure: Option<UrlInputError>,
}

enum Lines {
    Lines(InputLines<Box<dyn BufRead>>),
    Elements(JsonElements<Box<dyn BufRead>>),
}

impl Lines {
    fn advance(&mut self) -> io::Result<NextLine> {
        match self {
            Self::Lines(lines) => Ok(match lines.advance()?.then(|| lines.line().content) {
                Some(InputLineContent::Bytes(_)) => NextLine::Line,
                Some(InputLineContent::TooLong) => NextLine::TooLong,
                None => NextLine::End,
            }),
            Self::Elements(elements) => elements.advance(),
        }
    }

    fn line(&self) -> &[u8] {
        match self {
            Self::Lines(lines) => match lines.line().content {
                InputLineContent::Bytes(bytes) => bytes.trim_ascii(),
                InputLineContent::TooLong => b"",
            },
            Self::Elements(elements) => elements.element(),
        }
    }

    fn number(&self) -> u64 {
        match self {
            Self::Lines(lines) => lines.line().number,
            Self::Elements(elements) => elements.number(),
        }
    }

    fn unit(&self) -> &'static str {
        match self {
            Self::Lines(_) => "line",
            Self::Elements(_) => "element",
        }
    }

    fn has_empty(&self) -> bool {
        matches!(self, Self::Lines(_))
    }
}

/// The fields that are read if nothing is kept.
#[derive(Deserialize)]
struct CdxjObject<'l> {
    #[serde(borrow)]
    url: Cow<'l, str>,
}

/// A message about a value that cannot be kept.
type NotKept = Option<String>;

impl LineUrls {
    pub(super) fn open(
        name: &str,
        mut input: Box<dyn BufRead>,
        format: InputFormat,
        columns: &UrlColumns,
    ) -> Result<Self, UrlInputError> {
        let failed = |error: io::Error| UrlInputError::after(name, "line", 0, error);
        // JSON Lines are often named `.json`.
        let is_array = format == InputFormat::Json && begins_array(&mut input).map_err(failed)?;
        let format = match format {
            InputFormat::Json if !is_array => InputFormat::JsonLines,
            format => format,
        };
        let lines = if is_array {
            Lines::Elements(JsonElements::of(input))
        } else {
            Lines::Lines(InputLines::with_limit(input, LINE_BYTES_MAX))
        };
        Ok(Self {
            name: name.to_owned(),
            problems: RowProblems::of(lines.unit()),
            lines,
            format,
            columns: columns.clone(),
            kept: columns.keep.iter().map(|name| text_field(name)).collect(),
            failure: None,
        })
    }

    fn has_times(&self) -> bool {
        match self.format {
            InputFormat::Cdxj => true,
            InputFormat::JsonLines | InputFormat::Json => self.columns.time.is_some(),
            _ => false,
        }
    }

    fn read_line(&self, rows: &mut ListRows) -> Result<NotKept, String> {
        let line = self.lines.line();
        match self.format {
            InputFormat::JsonLines | InputFormat::Json => self.read_object(line, rows),
            // Some indexes start with a line about their sort order.
            InputFormat::Cdxj if line.starts_with(b"!") => Ok(None),
            InputFormat::Cdxj => self.read_cdxj(line, rows),
            _ => {
                rows.push(line, None);
                Ok(None)
            }
        }
    }

    fn read_object(&self, line: &[u8], rows: &mut ListRows) -> Result<NotKept, String> {
        let object: Value = serde_json::from_slice(line).map_err(|error| not_json(&error))?;
        if let (Value::String(url), InputFormat::Json) = (&object, self.format) {
            rows.push(url.as_bytes(), None);
            return Ok(None);
        }
        if !object.is_object() {
            return Err("not a JSON object".to_owned());
        }
        let time = self.columns.time.as_ref();
        let time = time.and_then(|key| match value_at(&object, key) {
            Value::String(text) => TimeText::read(text.as_bytes()),
            Value::Number(number) => TimeText::read(number.to_string().as_bytes()),
            _ => None,
        });
        let time = time.map(TimeText::micros);
        let url = &self.columns.url;
        match value_at(&object, url) {
            Value::String(url) => {
                let not_kept = self.keep(&object, rows);
                rows.push(url.as_bytes(), time);
                Ok(not_kept)
            }
            Value::Null => {
                let not_kept = self.keep(&object, rows);
                rows.refuse_at(AnswerReason::NoUrl, time);
                Ok(not_kept)
            }
            _ => Err(format!("the value of `{url}` is not a string")),
        }
    }

    fn read_cdxj(&self, line: &[u8], rows: &mut ListRows) -> Result<NotKept, String> {
        let mut parts = line.splitn(3, |&byte| byte == b' ');
        let (_, time, object) = (parts.next(), parts.next(), parts.next());
        let text = object.ok_or("not a CDXJ line: expected a key, a time and an object")?;
        let object: CdxjObject<'_> =
            serde_json::from_slice(text).map_err(|error| not_json(&error))?;
        let mut not_kept = None;
        if !self.kept.is_empty() {
            let whole: Value = serde_json::from_slice(text).map_err(|error| not_json(&error))?;
            not_kept = self.keep(&whole, rows);
        }
        // In CDXJ, ten digits may be a year to an hour.
        let time = time.and_then(TimeText::read_of_calendar);
        rows.push(object.url.as_bytes(), time.map(TimeText::micros));
        Ok(not_kept)
    }

    /// Keeps strings as they are, other values as JSON.
    fn keep(&self, object: &Value, rows: &mut ListRows) -> NotKept {
        let mut not_kept = None;
        for (place, field) in self.kept.iter().enumerate() {
            let is_kept = match value_at(object, field.name()) {
                Value::Null => rows.keep(place, None),
                Value::String(text) => rows.keep(place, Some(text.as_bytes())),
                other => rows.keep(place, Some(other.to_string().as_bytes())),
            };
            if !is_kept {
                not_kept = Some(too_long_to_keep(field.name()).to_string());
            }
        }
        not_kept
    }
}

/// Skips leading white space to find out.
fn begins_array(input: &mut Box<dyn BufRead>) -> io::Result<bool> {
    loop {
        let bytes = input.fill_buf()?;
        // A byte order mark may come first.
        let is_before = |byte: &u8| byte.is_ascii_whitespace() || b"\xEF\xBB\xBF".contains(byte);
        let (read, before) = (
            bytes.len(),
            bytes.iter().take_while(|it| is_before(it)).count(),
        );
        if before < read || read == 0 {
            return Ok(bytes.get(before) == Some(&b'['));
        }
        input.consume(read);
    }
}

/// Looks up a key, possibly nested as in `page.url`. Returns null if it does not exist.
fn value_at<'v>(object: &'v Value, name: &str) -> &'v Value {
    let whole = object.get(name);
    let within = || {
        let (outer, inner) = name.split_once('.')?;
        Some(value_at(object.get(outer)?, inner))
    };
    whole.or_else(within).unwrap_or(&Value::Null)
}

/// Drops the line number, because the message already names the line.
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
        let mut rows = ListRows::of(&self.kept);
        while self.failure.is_none() && !rows.is_full() {
            let next = match self.lines.advance() {
                Ok(next) => next,
                Err(error) => {
                    let after = self.lines.number();
                    let unit = self.lines.unit();
                    self.failure = Some(UrlInputError::after(&self.name, unit, after, error));
                    break;
                }
            };
            let read = match next {
                NextLine::End => break,
                NextLine::Line if self.lines.has_empty() && self.lines.line().is_empty() => {
                    continue;
                }
                NextLine::Line => self
                    .read_line(&mut rows)
                    .map_err(|problem| (AnswerReason::NoUrl, problem)),
                NextLine::TooLong => {
                    let problem = format!(
                        "the {} is longer than {LINE_BYTES_MAX} bytes",
                        self.lines.unit()
                    );
                    Err((AnswerReason::LineTooLong, problem))
                }
            };
            let problem = match read {
                Ok(not_kept) => not_kept,
                Err((reason, problem)) => {
                    rows.refuse(reason);
                    Some(problem)
                }
            };
            if let Some(problem) = problem {
                self.problems.add(&self.name, self.lines.number(), problem);
            }
        }
        if rows.is_empty() {
            return self.failure.take().map_or(Ok(None), Err);
        }
        Ok(Some(rows.finish(self.has_times())))
    }

    fn take_problems(&mut self) -> Vec<String> {
        self.problems.take()
    }

    fn kept(&self) -> &[Field] {
        &self.kept
    }
}
