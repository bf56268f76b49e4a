//! `verger check --batch`: questions and answers as JSON Lines, in order.

use std::io::{self, BufWriter, Write};
use verger_answer::ReadError;

use verger::Dialect;
use verger_answer::batch::Batch;
use verger_inputs::{InputLineContent, InputLines, LINE_BYTES_MAX, Source};

use crate::arguments::reading::ReadingArguments;
use crate::outcome::{CommandResult, Outcome};
use crate::screen::progress::Counting;

const BUFFER_BYTES: usize = 64 << 10;

pub(super) fn run(source: &Source, reading: &ReadingArguments) -> CommandResult {
    let mut lines = InputLines::new(source.open()?);
    let mut output = BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock());
    let reading_of = |dialect: Dialect| reading.reading_of(dialect);
    let batch = Batch::new(reading.reading().dialect(), reading_of, read_file);
    let mut outcome = Outcome::Success;
    let progress = Counting::beside_answers("questions answered");
    loop {
        // The program at the other end may wait for these answers before it sends more questions.
        if lines.may_wait() {
            output.flush()?;
        }
        match lines.advance() {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                output.flush()?;
                return Err(source.unreadable(error).into());
            }
        }
        let line = lines.line();
        let answers = match line.content {
            InputLineContent::Bytes(bytes) if bytes.trim_ascii().is_empty() => continue,
            InputLineContent::Bytes(bytes) => batch.answer(bytes, line.number),
            InputLineContent::TooLong => batch.refuse_long_line(LINE_BYTES_MAX, line.number),
        };
        for response in answers {
            let response = response?;
            progress.add_one();
            output.write_all(response.json.as_bytes())?;
            output.write_all(b"\n")?;
            if response.is_error {
                outcome = Outcome::Unanswered;
            }
        }
    }
    output.flush()?;
    Ok(outcome)
}

fn read_file(path: &str) -> Result<Vec<u8>, ReadError> {
    let read = Source::File(path.into()).read();
    read.map_err(|error| error.to_string().into())
}
