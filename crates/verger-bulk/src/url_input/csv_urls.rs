//! Reads CSV (RFC 4180).

use std::io::BufRead;

use arrow_schema::Field;
use csv_core::{ReadFieldResult, Reader};

use super::input_format::{UrlColumns, UrlInputError};
use super::list_rows::{ListRows, too_long_to_keep};
use super::row_problems::RowProblems;
use super::time_text::TimeText;
use super::url_reader::UrlReader;
use crate::check::{AnswerReason, URL_BYTES_MAX, UrlRows, text_field};

const HEADER_BYTES_MAX: usize = 1 << 20;

pub(super) struct CsvUrls {
    name: String,
    fields: Fields,
    url: usize,
    time: Option<usize>,
    kept: Vec<usize>,
    kept_fields: Vec<Field>,
    problems: RowProblems,
    /// The error that ended the reading, kept until earlier rows have been returned.
    failure: Option<UrlInputError>,
}

struct Fields {
    input: Box<dyn BufRead>,
    reader: Reader,
    field: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FieldEnd {
    Field,
    Record,
    /// A quote opened in this line is still open where the field has to end. The next record starts
    /// after it.
    OpenQuote(u64),
    /// There are no more fields.
    Input,
}

/// Where a field has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    /// A URL contains no line end, so an open quote was never closed.
    Line,
    /// A quote may span lines.
    Input,
}

impl Within {
    fn unclosed(self) -> &'static str {
        match self {
            Self::Line => "is not closed before the line ends, and a URL has no line end",
            Self::Input => "is not closed before the file ends",
        }
    }
}

const STEP_BYTES: usize = 4096;

impl Fields {
    /// Stores only a prefix of a field that exceeds the maximum length of a URL. The prefix is also
    /// too long.
    fn advance(&mut self, within: Within) -> std::io::Result<FieldEnd> {
        self.field.clear();
        let mut line_ends = 0;
        loop {
            let mut input = self.input.fill_buf()?;
            if within == Within::Line {
                input = &input[..input.len().min(STEP_BYTES)];
                let end = memchr::memchr2(b'\n', b'\r', input);
                input = end.map_or(input, |end| &input[..=end]);
            }
            if input.is_empty() {
                return Ok(self.finish(line_ends));
            }
            let mut room = [0; STEP_BYTES];
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
            if self.field.len() <= URL_BYTES_MAX {
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

    /// Ends the last field, which contains `line_ends` line ends. A final one has no meaning unless
    /// it is in a quote, where it is part of the field.
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
        let mut bytes = 0;
        loop {
            let end = fields
                .advance(Within::Input)
                .map_err(|error| fail(error.to_string()))?;
            match end {
                FieldEnd::Input => break,
                FieldEnd::OpenQuote(line) => {
                    let problem = format!("a quote in line {line} {}", Within::Input.unclosed());
                    return Err(fail(problem));
                }
                FieldEnd::Field | FieldEnd::Record => {}
            }
            bytes += fields.field.len() + size_of::<String>();
            if bytes > HEADER_BYTES_MAX {
                return Err(fail("the header is too long".to_owned()));
            }
            names.push(String::from_utf8_lossy(&fields.field).into_owned());
            if end == FieldEnd::Record {
                break;
            }
        }
        if names.is_empty() {
            return Err(fail(
                "the file is empty: its first line must name the columns".to_owned(),
            ));
        }
        let place = |column: &String| {
            let place = names.iter().position(|name| name == column);
            place.ok_or_else(|| {
                let shown: String = names.join(", ").chars().take(200).collect();
                fail(format!(
                    "there is no column `{column}`: the first line has {shown}"
                ))
            })
        };
        Ok(Self {
            name: name.to_owned(),
            url: place(&columns.url)?,
            time: columns.time.as_ref().map(place).transpose()?,
            kept: columns.keep.iter().map(place).collect::<Result<_, _>>()?,
            kept_fields: columns.keep.iter().map(|name| text_field(name)).collect(),
            fields,
            problems: RowProblems::of("line"),
            failure: None,
        })
    }

    /// Returns false at the end.
    fn read(&mut self, rows: &mut ListRows) -> std::io::Result<bool> {
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
                return Ok(false);
            }
            if let FieldEnd::OpenQuote(line) = end {
                let problem = format_args!("a quote {}", within.unclosed());
                self.problems.add(&self.name, line, problem);
                rows.refuse(AnswerReason::NoUrl);
                return Ok(true);
            }
            for (place, _) in self
                .kept
                .iter()
                .enumerate()
                .filter(|&(_, &column)| column == nth)
            {
                if !rows.keep(place, Some(&self.fields.field)) {
                    let (line, name) = (self.fields.reader.line(), self.kept_fields[place].name());
                    self.problems.add(&self.name, line, too_long_to_keep(name));
                }
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
        match url.filter(|url| !url.is_empty()) {
            Some(url) => rows.push(&url, time.map(TimeText::micros)),
            None => rows.refuse_at(AnswerReason::NoUrl, time.map(TimeText::micros)),
        }
        Ok(true)
    }
}

impl UrlReader for CsvUrls {
    fn next_rows(&mut self) -> Result<Option<UrlRows>, UrlInputError> {
        let mut rows = ListRows::of(&self.kept_fields);
        while self.failure.is_none() && !rows.is_full() {
            match self.read(&mut rows) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    let after = self.fields.reader.line();
                    self.failure = Some(UrlInputError::after(&self.name, "line", after, error));
                }
            }
        }
        if rows.is_empty() {
            return self.failure.take().map_or(Ok(None), Err);
        }
        Ok(Some(rows.finish(self.time.is_some())))
    }

    fn take_problems(&mut self) -> Vec<String> {
        self.problems.take()
    }

    fn kept(&self) -> &[Field] {
        &self.kept_fields
    }
}
