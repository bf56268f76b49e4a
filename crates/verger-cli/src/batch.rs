//! `verger check --batch`: questions and answers as JSON Lines, in order, as they come.
//!
//! | module | one line |
//! |---|---|
//! | `request` | a line of the input as questions about one body |
//! | `wrong_key` | which key of a line stands twice or is not of its type |
//! | `desk` | the answers to one line, each body read once |
//! | `kept_policies` | the policies of one line, shared by crawlers of the same groups |
//! | `response` | a line of the output |

mod desk;
mod kept_policies;
mod request;
mod response;
mod wrong_key;

use std::io::{self, BufWriter};

use crate::input::Source;
use crate::input_lines::{InputLineContent, InputLines};
use crate::outcome::{CommandResult, Outcome};
use crate::reading_arguments::ReadingArguments;
use desk::answer_line;
use response::Responses;

const BUFFER_OCTETS: usize = 64 << 10;

/// Answers every line of `source`.
pub(crate) fn run(source: &Source, reading: &ReadingArguments) -> CommandResult {
    let mut lines = InputLines::of(source.open()?);
    let output = BufWriter::with_capacity(BUFFER_OCTETS, io::stdout().lock());
    let mut responses = Responses::to(output);
    loop {
        // Whoever asks may wait for the answers before asking on.
        if lines.may_wait() {
            responses.flush()?;
        }
        match lines.advance() {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                responses.flush()?;
                return Err(source.unreadable(error).into());
            }
        }
        let line = lines.line();
        match line.content {
            InputLineContent::Octets(octets) if octets.trim_ascii().is_empty() => {}
            content => answer_line(&content, line.number, reading, &mut responses)?,
        }
    }
    responses.flush()?;
    Ok(if responses.has_errors() {
        Outcome::Unanswered
    } else {
        Outcome::Success
    })
}
