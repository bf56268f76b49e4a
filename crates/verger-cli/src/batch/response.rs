//! A line of the output.

use std::fmt;
use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;

use super::request::{Agent, Question, Url};
use crate::decision::Decision;

/// The answer to one question; its keys stand in this order.
#[derive(Serialize)]
struct Answer<'a> {
    id: Option<&'a RawValue>,
    query: usize,
    agent: &'a Agent,
    #[serde(flatten)]
    url: &'a Url,
    #[serde(flatten)]
    decision: &'a Decision<'a>,
}

/// What stands in its place where there is none.
#[derive(Serialize)]
struct NoAnswer<'a> {
    id: Option<&'a RawValue>,
    query: Option<usize>,
    #[serde(rename = "error")]
    why: String,
    input_line: u64,
}

/// Which line is answered.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    /// Its id, as written.
    pub(super) id: Option<&'a RawValue>,
    /// Its number in the input, counted from 1.
    pub(super) input_line: u64,
}

/// Writes the lines of the output.
pub(super) struct Responses<W> {
    output: W,
    has_errors: bool,
}

impl<W: Write> Responses<W> {
    pub(super) fn to(output: W) -> Self {
        Self {
            output,
            has_errors: false,
        }
    }

    pub(super) fn has_errors(&self) -> bool {
        self.has_errors
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }

    pub(super) fn answer(
        &mut self,
        asked: Asked<'_>,
        query: usize,
        question: &Question,
        decision: &Decision<'_>,
    ) -> io::Result<()> {
        self.write(&Answer {
            id: asked.id,
            query,
            agent: &question.agent,
            url: &question.url,
            decision,
        })
    }

    pub(super) fn error(
        &mut self,
        asked: Asked<'_>,
        query: Option<usize>,
        error: &impl fmt::Display,
    ) -> io::Result<()> {
        self.has_errors = true;
        self.write(&NoAnswer {
            id: asked.id,
            query,
            why: error.to_string(),
            input_line: asked.input_line,
        })
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.output, line)?;
        self.output.write_all(b"\n")
    }
}
