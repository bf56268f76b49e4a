//! `CsvUrls`: a URL in each record of CSV (RFC 4180).

use std::io::BufRead;
use std::sync::Arc;

use arrow_array::builder::TimestampMicrosecondBuilder;
use csv_core::{ReadFieldResult, Reader};

use super::input_format::{UrlColumns, UrlInputError};
use super::row_problems::RowProblems;
use super::time_text::TimeText;
use super::url_reader::{BATCH_OCTETS, BATCH_ROWS, UrlReader};
use crate::check::{AnswerReason, URL_OCTETS_MAX, UrlRows, UrlRowsBuilder, UrlTimes};

/// A header has at most so many octets, and so a name of a column.
const HEADER_OCTETS_MAX: usize = 1 << 20;

/// A URL in each record.
pub(super) struct CsvUrls {
    name: String,
    fields: Fields,
    url: usize,
    time: Option<usize>,
    problems: RowProblems,
    /// What ended the reading, until the rows before are taken.
    failure: Option<UrlInputError>,
}

/// Fields of an input, one after the other.
struct Fields {
    input: Box<dyn BufRead>,
    reader: Reader,
    field: Vec<u8>,
}

/// How a field ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FieldEnd {
    /// Another field of the record follows.
    Field,
    /// The record has ended.
    Record,
    /// Its quote, opened in this line, is open where a field has to end. The next record begins behind it.
    OpenQuote(u64),
    /// There is no field any more.
    Input,
}

/// Where a field has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    /// Before the end of its line. No URL has a line end, so a quote that is open there was never closed.
    Line,
    /// Before the end of the input.
    Input,
}

impl Within {
    /// What is said of a quote that is open there.
    fn unclosed(self) -> &'static str {
        match self {
            Self::Line => "is not closed before the line ends; no URL has a line end",
            Self::Input => "is not closed before the file ends",
        }
    }
}

/// So many octets are read at once.
const STEP_OCTETS: usize = 4096;

impl Fields {
    /// Reads the next field; of one that is longer than a URL may be, a start that is longer, too.
    fn advance(&mut self, within: Within) -> std::io::Result<FieldEnd> {
        self.field.clear();
        let mut line_ends = 0;
        loop {
            let mut input = self.input.fill_buf()?;
            if within == Within::Line {
                input = &input[..input.len().min(STEP_OCTETS)];
                let end = memchr::memchr2(b'\n', b'\r', input);
                input = end.map_or(input, |end| &input[..=end]);
            }
            if input.is_empty() {
                return Ok(self.finish(line_ends));
            }
            let mut room = [0; STEP_OCTETS];
            let (result, used, written) = self.reader.read_field(input, &mut room);
            self.input.consume(used);
            let written = &room[..written];
            line_ends += memchr::memchr_iter(b'\n', written).count() as u64;
            if within == Within::Line && matches!(written.last(), Some(b'\n' | b'\r')) {
                let line = self.reader.line();
                self.reader.reset();
                self.reader.set_line(line);
                return Ok(FieldEnd::OpenQuote(line - line_ends));
            }
            if self.field.len() <= URL_OCTETS_MAX {
                self.field.extend_from_slice(written);
            }
            match result {
                ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
                ReadFieldResult::Field { record_end: true } => return Ok(FieldEnd::Record),
                ReadFieldResult::Field { record_end: false } => return Ok(FieldEnd::Field),
                ReadFieldResult::End => return Ok(FieldEnd::Input),
            }
        }
    }

    /// Ends the last field, which has so many line ends. A line end at the end of an input says nothing
    /// but in a quote, where it is part of the field.
    fn finish(&mut self, line_ends: u64) -> FieldEnd {
        let line = self.reader.line();
        let (result, _, written) = self.reader.read_field(b"\n", &mut [0; 2]);
        if written > 0 {
            self.reader.reset();
            return FieldEnd::OpenQuote(line - line_ends);
        }
        match result {
            ReadFieldResult::Field { .. } => FieldEnd::Record,
            _ => FieldEnd::Input,
        }
    }
}

impl CsvUrls {
    pub(super) fn open(
        name: &str,
        input: Box<dyn BufRead>,
        columns: &UrlColumns,
    ) -> Result<Self, UrlInputError> {
        let fail = |problem: String| UrlInputError::of(name, problem);
        let mut fields = Fields {
            input,
            reader: Reader::new(),
            field: Vec::new(),
        };
        let mut names: Vec<String> = Vec::new();
        let mut octets = 0;
        loop {
            let end = fields
                .advance(Within::Input)
                .map_err(|error| fail(error.to_string()))?;
            match end {
                FieldEnd::Input => break,
                FieldEnd::OpenQuote(line) => {
                    let problem = format!("a quote of line {line} {}", Within::Input.unclosed());
                    return Err(fail(problem));
                }
                FieldEnd::Field | FieldEnd::Record => {}
            }
            octets += fields.field.len() + size_of::<String>();
            if octets > HEADER_OCTETS_MAX {
                return Err(fail(
                    "the first record is no header: it is too long".to_owned(),
                ));
            }
            names.push(String::from_utf8_lossy(&fields.field).into_owned());
            if end == FieldEnd::Record {
                break;
            }
        }
        if names.is_empty() {
            return Err(fail(
                "the file is empty; its first line names the columns".to_owned(),
            ));
        }
        let place = |column: &String| {
            let place = names.iter().position(|name| name == column);
            place.ok_or_else(|| {
                let shown: String = names.join(", ").chars().take(200).collect();
                fail(format!(
                    "there is no column `{column}` in the first line, which has: {shown}"
                ))
            })
        };
        Ok(Self {
            name: name.to_owned(),
            url: place(&columns.url)?,
            time: columns.time.as_ref().map(place).transpose()?,
            fields,
            problems: RowProblems::default(),
            failure: None,
        })
    }

    /// Reads a record; `None` at the end.
    fn read(
        &mut self,
        urls: &mut UrlRowsBuilder,
        times: &mut TimestampMicrosecondBuilder,
    ) -> std::io::Result<Option<usize>> {
        let (mut url, mut time) = (None, None);
        let mut nth = 0;
        loop {
            let within = if nth == self.url {
                Within::Line
            } else {
                Within::Input
            };
            let end = self.fields.advance(within)?;
            if end == FieldEnd::Input && nth == 0 {
                return Ok(None);
            }
            if let FieldEnd::OpenQuote(line) = end {
                let problem = format_args!("a quote {}", within.unclosed());
                self.problems.add(&self.name, line, problem);
                urls.refuse(AnswerReason::NoUrl);
                times.append_null();
                return Ok(Some(0));
            }
            if nth == self.url {
                url = Some(std::mem::take(&mut self.fields.field));
            } else if Some(nth) == self.time {
                time = TimeText::read(&self.fields.field);
            }
            nth += 1;
            if end != FieldEnd::Field {
                break;
            }
        }
        let url = url.unwrap_or_default();
        if url.is_empty() {
            urls.refuse(AnswerReason::NoUrl);
        } else {
            urls.push(Some(&url));
        }
        times.append_option(time.map(TimeText::micros));
        Ok(Some(url.len()))
    }
}

impl UrlReader for CsvUrls {
    fn next_rows(&mut self) -> Result<Option<UrlRows>, UrlInputError> {
        let mut urls = UrlRowsBuilder::default();
        let mut times = TimestampMicrosecondBuilder::new();
        let mut octets = 0;
        while self.failure.is_none() && urls.rows() < BATCH_ROWS && octets < BATCH_OCTETS {
            match self.read(&mut urls, &mut times) {
                Ok(Some(read)) => octets += read,
                Ok(None) => break,
                Err(error) => {
                    let after = self.fields.reader.line();
                    self.failure = Some(UrlInputError::behind_line(&self.name, after, error));
                }
            }
        }
        if urls.rows() == 0 {
            return self.failure.take().map_or(Ok(None), Err);
        }
        let times = match self.time {
            Some(_) => UrlTimes::Each(Arc::new(times.finish())),
            None => UrlTimes::None,
        };
        Ok(Some(urls.finish(times)))
    }

    fn take_problems(&mut self) -> Vec<String> {
        self.problems.take()
    }
}
