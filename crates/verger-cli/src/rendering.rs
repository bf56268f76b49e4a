//! Answers, written in one format.

use std::io::{self, BufWriter, StdoutLock, Write};

use verger_answer::{CheckAnswer, KnownClause, json};

/// Writes answers of the type `A` in one format, each when it comes.
pub(crate) trait Rendering<A: ?Sized> {
    /// Writes an answer.
    fn answer(&mut self, answer: &A) -> io::Result<()>;

    /// Writes out what is buffered.
    fn flush(&mut self) -> io::Result<()>;

    /// Writes out the rest, after the last answer.
    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}

/// Writes each answer as a line of JSON to standard output.
pub(crate) struct JsonLines(BufWriter<StdoutLock<'static>>);

impl JsonLines {
    pub(crate) fn new() -> Self {
        Self(BufWriter::new(io::stdout().lock()))
    }
}

impl Rendering<CheckAnswer<'_>> for JsonLines {
    fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        json::write_line(&mut self.0, answer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Rendering<KnownClause> for JsonLines {
    fn answer(&mut self, answer: &KnownClause) -> io::Result<()> {
        json::write_line(&mut self.0, answer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes each answer for people, as `write` does it.
pub(crate) struct Human<W, F> {
    output: W,
    write: F,
}

impl<W, F> Human<W, F> {
    pub(crate) fn new(output: W, write: F) -> Self {
        Self { output, write }
    }
}

impl<A, W, F> Rendering<A> for Human<W, F>
where
    A: ?Sized,
    W: Write,
    F: FnMut(&mut W, &A) -> io::Result<()>,
{
    fn answer(&mut self, answer: &A) -> io::Result<()> {
        (self.write)(&mut self.output, answer)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
