//! Answers as JSON Lines, schema `verger.check/1`.

use std::io::{self, BufWriter, StdoutLock, Write};

use verger_answer::{CheckAnswer, CheckLine};

use super::answering::Rendering;

/// Writes one JSON object a line.
pub(super) struct JsonLines {
    output: BufWriter<StdoutLock<'static>>,
}

impl JsonLines {
    pub(super) fn new() -> Self {
        let output = BufWriter::new(io::stdout().lock());
        Self { output }
    }
}

impl Rendering for JsonLines {
    fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        verger_answer::json::to_writer(&mut self.output, &CheckLine::of(answer))?;
        self.output.write_all(b"\n")
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
