//! Exit codes.

use std::error::Error;
use std::io;

use crate::screen::notice;

/// How a command ended, if it did not fail. Of several answers the last of these variants counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Everything is allowed, or the command was not about verdicts: 0.
    Success,
    /// A file has warnings: 1.
    Warned,
    /// What a file means has changed: 1.
    Changed,
    /// The editor of a language server left without shutting it down: 1.
    LeftWithoutShutdown,
    /// Something is disallowed by what a site says: 1.
    Disallowed,
    /// A robots.txt is unreachable, or a fetch is deferred, so that nothing may be fetched for now: 4.
    Unreachable,
    /// Nothing is known about an authority that must not be asked now, or some rows are unknown: 3.
    Unknown,
    /// Something could not be answered, and standard error says what: 2.
    Unanswered,
}

impl Outcome {
    /// [`Outcome::Success`] where that is so, else this.
    pub(crate) fn unless(self, is_success: bool) -> Self {
        if is_success { Self::Success } else { self }
    }
}

/// What a command returns; its error has not been reported yet and ends it with 2.
pub(crate) type CommandResult = Result<Outcome, Box<dyn Error>>;

/// What a shell reports of a process that ended because its output pipe was closed (128 +
/// SIGPIPE). It is not 0: a check that was cut short has not found everything allowed.
const OUTPUT_CLOSED: u8 = 141;

/// The exit code where the arguments are wrong, or ask for help or the version; prints the one or the
/// other, as clap does.
pub(crate) fn of_arguments(error: &clap::Error) -> u8 {
    // A pipe that is closed is no reason for another exit code here.
    let _ = error.print();
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// The exit code of a command; reports its error.
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
                notice::error(&*error);
                2
            }
        },
    }
}
