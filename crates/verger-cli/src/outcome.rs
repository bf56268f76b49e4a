//! Exit codes.

use std::error::Error;
use std::io;

use crate::screen::message::Message;
use crate::screen::notice;

/// How a command ended, if it did not fail. If there are several outcomes, the last of these
/// variants applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything is allowed, or the command was not about verdicts: 0.
    Success,
    /// A file has warnings: 1.
    Warned,
    /// The meaning of a file has changed: 1.
    Changed,
    /// The editor ended the language server without shutting it down: 1.
    LeftWithoutShutdown,
    /// A site disallows something: 1.
    Disallowed,
    /// A robots.txt is unreachable or its fetch is deferred, so nothing may be fetched for now: 4.
    Unreachable,
    /// The store has nothing about an authority that must not be fetched now, or some rows are unknown: 3.
    Unknown,
    /// Something could not be answered, and standard error says what: 2.
    Unanswered,
}

impl Outcome {
    /// Returns [`Outcome::Success`] if `is_success`, and this outcome if not.
    pub(crate) fn unless(self, is_success: bool) -> Self {
        if is_success { Self::Success } else { self }
    }
}

/// The result of a command. Its error has not been printed yet and ends the command with 2.
pub(crate) type CommandResult = Result<Outcome, Box<dyn Error>>;

/// The code that shells report for SIGPIPE (128 + 13). It is not 0, because a check that was cut
/// short did not find everything allowed.
const OUTPUT_CLOSED: u8 = 141;

/// Returns the exit code of a command, and prints its error.
pub(crate) fn exit_code(result: CommandResult) -> u8 {
    match result {
        Ok(Outcome::Success) => 0,
        Ok(
            Outcome::Warned | Outcome::Changed | Outcome::LeftWithoutShutdown | Outcome::Disallowed,
        ) => 1,
        Ok(Outcome::Unreachable) => 4,
        Ok(Outcome::Unknown) => 3,
        Ok(Outcome::Unanswered) => 2,
        Err(error) => match error.downcast_ref::<io::Error>() {
            Some(of_output) if of_output.kind() == io::ErrorKind::BrokenPipe => OUTPUT_CLOSED,
            // Errors of files and of standard input have types of their own, which name them.
            Some(of_output) => {
                notice::error(format_args!("cannot write to standard output: {of_output}"));
                2
            }
            None => {
                notice::error(Message::of_error(&*error));
                2
            }
        },
    }
}
