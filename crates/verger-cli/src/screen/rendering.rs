use std::io::{self, BufWriter, StdoutLock, Write};

use verger_answer::{CheckAnswer, CheckTable};

/// Writes each answer as it comes.
pub(crate) trait Rendering<A: ?Sized> {
    fn answer(&mut self, answer: &A) -> io::Result<()>;

    fn flush(&mut self) -> io::Result<()>;

    /// Writes out the rest, after the last answer.
    fn finish(&mut self) -> io::Result<()> {
        self.flush()
    }
}

pub(crate) struct Each<W, F> {
    output: W,
    write: F,
}

impl<W, F> Each<W, F> {
    pub(crate) fn new(output: W, write: F) -> Self {
        Self { output, write }
    }
}

impl<A, W, F> Rendering<A> for Each<W, F>
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

impl<W: Write> Rendering<CheckAnswer<'_>> for CheckTable<W> {
    fn answer(&mut self, answer: &CheckAnswer<'_>) -> io::Result<()> {
        CheckTable::answer(self, answer)
    }

    fn flush(&mut self) -> io::Result<()> {
        CheckTable::flush(self)
    }

    fn finish(&mut self) -> io::Result<()> {
        CheckTable::finish(self)
    }
}

pub(crate) fn json_output() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}
